import { readFile } from 'node:fs/promises';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';

/** The unprivileged user the server runs under when the program itself is root. */
export interface ServerAccount {
  name: string;
  uid: number;
  gid: number;
}

const PREFERRED = ['tocsin', 'postgres', 'nobody'];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** initdb looks its user up by name, so only accounts with an entry will do. */
export async function chooseServerAccount(): Promise<ServerAccount> {
  const accounts = await readAccounts();
  for (const name of PREFERRED) {
    const account = accounts.find((candidate) => candidate.name === name && candidate.uid !== 0);
    if (account) return account;
  }
  throw new EmbeddedDatabaseError(
    'PostgreSQL does not run as root, and there is no user "tocsin", "postgres" or "nobody" to run it: ' +
      'create a user "tocsin", or set DATABASE_URL.',
  );
}

export async function accountOfOwner(owner: { uid: number; gid: number }): Promise<ServerAccount> {
  const known = (await readAccounts()).find((account) => account.uid === owner.uid);
  return { name: known?.name ?? String(owner.uid), uid: owner.uid, gid: owner.gid };
}

async function readAccounts(): Promise<ServerAccount[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !uid || !gid || name.startsWith('#')) return [];
    // macOS writes nobody as -2.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
  });
}
