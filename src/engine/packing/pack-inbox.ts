// Takes what was answered out of the inbox and puts it into parts of its channels' days. One program at a time; whatever
// ends it, all of a round has happened or nothing.
import { setImmediate as breathe } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { DamagedPack, type Readings } from '../../domain/readings/pack.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { writeNewest } from '../alarm-state/bring-rows-up-to-date.ts';
import {
  hasPacked,
  IS_NOT_PACKED,
  notePacked,
  openInboxRow,
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
import { insertPacks, type NewPack, packReadings } from '../readings/write-packs.ts';

export type PackOutcome = 'nothing_to_do' | 'more_to_do' | 'another_program_does';

/** Small parts cost more than they hold: readings are left to gather until they are many, or as old as this. */
const ENOUGH_READINGS = 100_000;
const OLD_ENOUGH_MS = 10 * 60_000;
const MOST_ROWS = 2_000;
/** Readings packed before others get their turn. */
const BETWEEN_BREATHS = 10_000;

/** `atOnce`: also what is few and young. */
export async function packInbox(db: Database, now: Date, { atOnce = false } = {}): Promise<PackOutcome> {
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
    const { channels, damaged } = gather(rows);
    const packs = await packChannels(channels);
    await makeMonths(
      tx,
      packs.map(({ day }) => day),
    );
    for (const statement of insertPacks(packs)) tx.later(statement);
    const packed = rows.filter((row) => !damaged.includes(row));
    if (isSplit) notePacked(tx, packed);
    else takeAway(tx, packed);
    if (damaged.length > 0) setAside(tx, damaged, now);
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
    if (readings >= 2 * ENOUGH_READINGS) break;
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

interface Gathered {
  serviceId: ServiceId;
  ats: number[];
  values: number[];
}

function gather(rows: readonly WaitingEntry[]) {
  const channels = new Map<number, Gathered>();
  const damaged: WaitingEntry[] = [];
  for (const row of rows) {
    if (row.count === 0) continue;
    try {
      const { serviceIds, channelIds, ats, values } = openInboxRow(row);
      for (let index = 0; index < ats.length; index += 1) {
        const channelId = channelIds[index] as number;
        let known = channels.get(channelId);
        if (!known) {
          known = { serviceId: serviceIds[index] as ServiceId, ats: [], values: [] };
          channels.set(channelId, known);
        }
        known.ats.push(ats[index] as number);
        known.values.push(values[index] as number);
      }
    } catch (error) {
      if (!(error instanceof DamagedPack)) throw error;
      damaged.push(row);
    }
  }
  return { channels, damaged };
}

async function packChannels(channels: ReadonlyMap<number, Gathered>): Promise<NewPack[]> {
  const packs: NewPack[] = [];
  let sinceBreath = 0;
  for (const [channelId, { serviceId, ats, values }] of channels) {
    packs.push(...packReadings({ serviceId, channelId }, inOrder(ats, values), false));
    sinceBreath += ats.length;
    if (sinceBreath < BETWEEN_BREATHS) continue;
    sinceBreath = 0;
    await breathe();
  }
  return packs;
}

/** By time, each once: of two at the same time the first is kept. */
function inOrder(ats: readonly number[], values: readonly number[]): Readings {
  const readings = { ats: Float64Array.from(ats), values: Float64Array.from(values) };
  if (isAscending(readings.ats)) return readings;
  const places = ats
    .map((_, index) => index)
    .sort((one, other) => (ats[one] as number) - (ats[other] as number));
  const kept = places.filter(
    (place, index) => index === 0 || ats[place] !== ats[places[index - 1] as number],
  );
  return {
    ats: Float64Array.from(kept, (place) => ats[place] as number),
    values: Float64Array.from(kept, (place) => values[place] as number),
  };
}

function isAscending(ats: Float64Array): boolean {
  for (let index = 1; index < ats.length; index += 1)
    if ((ats[index] as number) <= (ats[index - 1] as number)) return false;
  return true;
}
