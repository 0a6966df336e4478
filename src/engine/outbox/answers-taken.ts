// Each answer of a person counts once: what its provider hands on again, for nobody answered it or because somebody else
// wrote it down, changes nothing.
import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Database, Tx } from '../../platform/db/database.ts';

/** Longer than anything can be answered. */
const KEPT_MS = 7 * 24 * 60 * 60_000;

const hash = (id: string): Buffer => createHash('sha256').update(id).digest();

/** false: it was taken before. Programs that are told at once wait for each other here. */
export const takeAnswer = async (tx: Tx, id: string, now: Date): Promise<boolean> =>
  (
    await tx.query(sql`
      insert into answer_taken (id, taken_at) values (${hash(id)}, ${now}) on conflict do nothing returning id`)
  ).length > 0;

export const forgetAnswers = (db: Database, now: Date) =>
  db.query(sql`delete from answer_taken where taken_at < ${new Date(now.getTime() - KEPT_MS)}`);
