// The code that proves that whoever sets the program up can read what it says at its start.
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import { deleteOldCodes, insertCode, selectCodeHashes } from './queries.ts';

// Without letters that look like digits.
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const GROUPS = 4;
const GROUP_LENGTH = 5;
/** Programs that start side by side each say their own. */
const MOST_CODES = 5;

export async function makeSetupCode(db: Database, now: Date): Promise<string> {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  const code = Array.from({ length: GROUPS }, group).join('-');
  await db.transaction(async (tx) => {
    await insertCode(tx, hashCode(code), now);
    await deleteOldCodes(tx, MOST_CODES);
  });
  return code;
}

/** As people type it: in any case, with or without its dashes. */
const hashCode = (typed: string): Buffer =>
  createHash('sha256')
    .update(typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''))
    .digest();

export async function isSetupCode(db: ReadDatabase, typed: string): Promise<boolean> {
  const sent = hashCode(typed);
  // All are compared, so that the time taken tells nothing.
  const matches = (await selectCodeHashes(db)).filter(({ codeHash }) => timingSafeEqual(codeHash, sent));
  return matches.length > 0;
}
