// A post is in hand while it is read, by its source and what it holds: senders, brokers and storages bring it again after the
// program has died of it. What comes after that sees numbers, times and names, of many posts at once, and is not held.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SetAside } from '../../platform/process/in-hand.ts';

const PIECE_BYTES = 1024 * 1024;
const NAME_DIGITS = 16;

export const namePost = async ({ sourceId }: { sourceId: number }, body: Buffer): Promise<string> =>
  `post of source ${sourceId} ${(await digestOf(body)).toString('hex').slice(0, NAME_DIGITS)}`;

/** 'set_aside': what was to be read ended the program twice. */
export async function unlessSetAside<Read>(read: () => Read | Promise<Read>): Promise<Read | 'set_aside'> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SetAside) return 'set_aside';
    throw error;
  }
}

export async function digestOf(body: Buffer): Promise<Buffer> {
  const hash = createHash('sha256');
  for (let from = 0; from < body.length; from += PIECE_BYTES) {
    if (from > 0) await nextTurn();
    hash.update(body.subarray(from, from + PIECE_BYTES));
  }
  return hash.digest();
}
