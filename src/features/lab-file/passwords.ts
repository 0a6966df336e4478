import { acceptPassword } from '../../engine/accounts/accept-password.ts';
import { hashPassword, verifyPassword } from '../../platform/auth/password.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { openGate } from '../../platform/turns.ts';
import { selectAccounts } from './queries.ts';
import type { LabAccount } from './read/read-lab-file.ts';

/** The hash to store for an account that now has this one, or null when there is nothing to change. */
export type FindNewHash = (entry: LabAccount, storedHash: string | null) => Promise<string | null>;

/** As many as are hashed at once: more would only wait, and be sent away when there are many. */
const SIDE_BY_SIDE = 2;

/** Hashing takes long, so it is done before the transaction, for some accounts side by side. */
export async function preparePasswords(db: ReadDatabase, entries: LabAccount[]): Promise<FindNewHash> {
  const emails = entries.map(({ email }) => email);
  const accounts = emails.length > 0 ? await selectAccounts(db, emails) : [];
  const stored = new Map(accounts.map((account) => [account.email, account]));
  const gate = openGate({ atOnce: SIDE_BY_SIDE });
  const prepared = new Map(
    await Promise.all(
      entries.map(async (entry) => {
        const from = stored.get(entry.email)?.passwordHash ?? null;
        return [entry.email, { from, to: await gate.pass('file', () => findNewHash(entry, from)) }] as const;
      }),
    ),
  );
  return (entry, storedHash) => {
    const found = prepared.get(entry.email);
    // The password was changed between the two looks.
    if (!found || found.from !== storedHash) return findNewHash(entry, storedHash);
    return Promise.resolve(found.to);
  };
}

const findNewHash: FindNewHash = async ({ password }, storedHash) => {
  if (password === undefined) return null;
  if (storedHash !== null && (await verifyPassword(storedHash, password))) return null;
  const accepted = acceptPassword(password);
  if (!accepted.ok) throw new Error('The lab file was not checked');
  return hashPassword(accepted.value);
};
