// Takes what was answered out of the inbox and puts it into parts of its channels' days. One program at a time; whatever
// ends it, all of a round has happened or nothing.
import sql from 'sql-template-tag';
import type { Database, Tx } from '../../platform/db/database.ts';
import { writeNewest } from '../alarm-state/bring-rows-up-to-date.ts';
import {
  hasPacked,
  IS_NOT_PACKED,
  notePacked,
  selectStillThere,
  selectWaiting,
  setAside,
  takeAway,
  takeAwayPacked,
  type WaitingEntry,
} from '../journal/inbox.ts';
import { hasCitus, isShownByWorkers } from '../nodes/nodes.ts';
import { takePacking } from '../readings/merge-parts.ts';
import { makeMonths } from '../readings/reading-months.ts';
import { insertPacks } from '../readings/write-packs.ts';
import { type PackEntries, packEntries } from './pack-entries.ts';

export type PackOutcome = 'nothing_to_do' | 'more_to_do' | 'another_program_does';

/** Small parts cost more than they hold: readings are left to gather until they are many, or as old as this. */
const ENOUGH_READINGS = 100_000;
const OLD_ENOUGH_MS = 10 * 60_000;
const MOST_ROWS = 2_000;
const MOST_READINGS = 500_000;

/** `atOnce`: also what is few and young. `packMany`: who packs a full round. */
export async function packInbox(
  db: Database,
  now: Date,
  { atOnce = false, packMany = packEntries }: { atOnce?: boolean; packMany?: PackEntries | undefined } = {},
): Promise<PackOutcome> {
  const waiting = await db.transaction(async (tx) => {
    if (!(await takePacking(tx))) return null;
    await finishPacked(tx);
    return findOldest(tx);
  });
  if (!waiting) return 'another_program_does';
  const oldEnough = new Date(now.getTime() - OLD_ENOUGH_MS);
  const isWorthIt = atOnce || waiting.readings >= ENOUGH_READINGS || waiting.isFull;
  if (waiting.ids.length === 0 || !(isWorthIt || (waiting.oldestAt && waiting.oldestAt <= oldEnough)))
    return 'nothing_to_do';
  const entries = await db.query(selectWaiting(waiting.ids));
  // In transactions of their own, which are short: readings that are not quiet wait for these rows.
  if (!(await writeNewest(db, entries.filter(hasReadings)))) return 'nothing_to_do';
  const isSplit = await hasCitus(db);
  const outcome = await db.transaction(async (tx): Promise<PackOutcome> => {
    if (!(await takePacking(tx))) return 'another_program_does';
    const there = new Set(await selectStillThere(tx, waiting.ids));
    const rows = entries.filter(({ id }) => there.has(id));
    const pack = waiting.readings >= ENOUGH_READINGS ? packMany : packEntries;
    const { packs, damaged } = await pack(rows.filter(({ count }) => count > 0));
    await makeMonths(
      tx,
      packs.map(({ day }) => day),
    );
    for (const statement of insertPacks(packs)) tx.later(statement);
    const packed = rows.filter(({ id }) => !damaged.has(id));
    if (isSplit) notePacked(tx, packed);
    else takeAway(tx, packed);
    if (damaged.size > 0) setAside(tx, [...damaged], now);
    return waiting.isFull ? 'more_to_do' : 'nothing_to_do';
  });
  if (isSplit) await db.transaction(async (tx) => (await takePacking(tx)) && finishPacked(tx));
  return outcome;
}

/** Workers may show packs later than the coordinator would stop showing what they were made of. */
async function finishPacked(tx: Tx): Promise<void> {
  if ((await hasPacked(tx)) && (await isShownByWorkers(tx))) takeAwayPacked(tx);
}

/** As many of the oldest as are packed in one round. */
async function findOldest(tx: Tx) {
  const rows = await tx.query<{ id: string; receivedAt: Date; count: number }>(sql`
    select id, received_at as "receivedAt", count from reading_inbox
    where damaged_at is null and ${IS_NOT_PACKED} order by id limit ${MOST_ROWS}`);
  const ids: string[] = [];
  let readings = 0;
  for (const { id, count } of rows) {
    if (readings >= MOST_READINGS) break;
    ids.push(id);
    readings += count;
  }
  return {
    ids,
    readings,
    oldestAt: rows[0]?.receivedAt ?? null,
    isFull: rows.length === MOST_ROWS || ids.length < rows.length,
  };
}

const hasReadings = (entry: WaitingEntry): entry is WaitingEntry & { data: Buffer } => entry.data !== null;
