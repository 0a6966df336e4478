// The key to the delivery settings: TOCSIN_KEY, or a file in the data folder that is made when it is first needed.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { flushToDisk } from '../flush-to-disk.ts';
import { makeSealingKey, type SealingKey } from './sealing.ts';

export interface HouseKey {
  /** null: there is none yet. */
  read(): SealingKey | null;
  /** A text: why there can be none. */
  readOrMake(): Promise<SealingKey | string>;
}

interface KeyPlace {
  /** Of TOCSIN_KEY. */
  key: Buffer | null;
  dataDir: string;
  /** null: the database is in the data folder, and lasts as long as that. */
  databaseUrl: string | null;
}

const KEY_FILE = 'delivery.key';

export function openHouseKey({ key: given, dataDir, databaseUrl }: KeyPlace): HouseKey {
  if (given) {
    const key = makeSealingKey(given);
    return { read: () => key, readOrMake: async () => key };
  }
  const path = join(dataDir, KEY_FILE);
  let known: SealingKey | null = null;
  const read = () => {
    known ??= readKeyFile(path);
    return known;
  };
  return {
    read,
    async readOrMake() {
      if (!read() && databaseUrl !== null && isPassing(dataDir))
        return `${dataDir} may be empty after a restart, and what is stored could not be read any more`;
      try {
        if (!read()) await makeKeyFile(dataDir, path);
        return read() ?? `${path} holds no key`;
      } catch (error) {
        return `${path} cannot be written: ${(error as Error).message}`;
      }
    },
  };
}

/** Containers keep nothing there. */
const isPassing = (folder: string): boolean => !relative(tmpdir(), folder).startsWith('..');

/** null: it is not there, or not to be read. */
function readKeyFile(path: string): SealingKey | null {
  try {
    const secret = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url');
    return secret.length >= 32 ? makeSealingKey(secret) : null;
  } catch {
    return null;
  }
}

/** Of two programs that make one at the same time, one wins, and both read the same. */
async function makeKeyFile(folder: string, path: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const mine = `${path}.${randomBytes(6).toString('hex')}.partial`;
  try {
    const file = await open(mine, 'wx', 0o600);
    await file.writeFile(`${randomBytes(32).toString('base64url')}\n`);
    await file.sync();
    await file.close();
    await link(mine, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await flushToDisk(folder);
  } finally {
    await rm(mine, { force: true });
  }
}
