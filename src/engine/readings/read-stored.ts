// Readings as they are stored: packs of their days, and what the packer has not taken yet. The latter is read first, so
// that what is packed meanwhile is met twice rather than not at all.
import sql from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Batch } from '../../domain/readings/batch.ts';
import { mergeReadings } from '../../domain/readings/merge-readings.ts';
import { DamagedPack, type Readings } from '../../domain/readings/pack.ts';
import { dayOf, MINUTE_MS, type Span } from '../../domain/readings/span.ts';
import { cutOut, findPlace } from '../../domain/readings/step-readings.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { inSlices } from '../../platform/in-slices.ts';
import {
  INBOX_PAGE,
  type InboxRow,
  openInboxRow,
  selectInbox,
  selectInboxOrigins,
} from '../journal/inbox.ts';
import { byDays } from './by-days.ts';
import {
  type Damage,
  noteDamages,
  type PackRange,
  type PackRow,
  selectLastDays,
  selectPacks,
  unpack,
} from './packs.ts';

export interface StoredChannel {
  serviceId: ServiceId;
  channelId: number;
}

export interface StoredReadings {
  /** In order of time; channels without a reading are left out. */
  byChannel: ReadonlyMap<number, Readings>;
  /** Stretches of which something could not be read. */
  damaged: readonly DamagedStretch[];
}

export interface DamagedStretch {
  channelId: number;
  from: Instant;
  /** Inclusive. */
  to: Instant;
}

export async function readStored(
  db: ReadDatabase,
  channels: readonly StoredChannel[],
  span: Span,
): Promise<StoredReadings> {
  if (span.from >= span.to) return NOTHING;
  const { byChannel, damaged } = await readDays(db, channels, {
    first: dayOf(span.from),
    last: dayOf(span.to - 1),
  });
  const within = new Map<number, Readings>();
  for (const [channelId, readings] of byChannel) {
    const some = cutOut(readings, span);
    if (some.ats.length > 0) within.set(channelId, some);
  }
  return { byChannel: within, damaged };
}

const NOTHING: StoredReadings = { byChannel: new Map(), damaged: [] };

/** Everything of these days, and what is waiting to be packed of other days too. */
export async function readDays(
  db: ReadDatabase,
  channels: readonly StoredChannel[],
  days: PackRange['days'],
): Promise<StoredReadings> {
  const gathered = gather(channels);
  const damaged = await visitDays(db, channels, days, gathered);
  return { byChannel: await inSlices(gathered.merge(), 'history'), damaged };
}

export interface ReadingsVisitor {
  /** Of several channels, also such as were not asked for. Stops now and then. */
  takeBatch(batch: Batch): Generator<void, void>;
  /** Others are not unpacked. Left out: all of them are. */
  isOfInterest?(pack: Pick<PackRow, 'channelId' | 'firstAt' | 'lastAt'>): boolean;
  takePack(channelId: number, readings: Readings): void;
}

/** The same for whoever looks at it piece by piece. `waiting`: nothing but what waits. Answers with what cannot be read. */
export async function visitDays(
  db: ReadDatabase,
  channels: readonly StoredChannel[],
  days: PackRange['days'] | 'waiting',
  visitor: ReadingsVisitor,
): Promise<readonly DamagedStretch[]> {
  if (channels.length === 0) return [];
  const ids = listIds(channels);
  const packs = days === 'waiting' ? NO_PACKS : selectPacks({ ...ids, days });
  const { damagedWaiting, rows } = await byDays(db, () => readBeside(db, ids, packs, visitor));
  const damages = await inSlices(unpackAll(rows, visitor), 'history');
  await noteDamages(db, damages);
  const packed = damages.map(({ row }) => ({ channelId: row.channelId, from: row.firstAt, to: row.lastAt }));
  return [...packed, ...(await findDamagedWaiting(db, channels, damagedWaiting))];
}

const NO_PACKS: Statement<PackRow> = sql`select where false`;

const listIds = (channels: readonly StoredChannel[]) => ({
  serviceIds: [...new Set(channels.map(({ serviceId }) => serviceId))],
  channelIds: channels.map(({ channelId }) => channelId),
});

/**
 * What waits and then what is stored, in one round trip unless there is very much. `damagedWaiting`: rows that cannot be
 * unpacked.
 */
async function readBeside<Row>(
  db: ReadDatabase,
  { serviceIds }: ReturnType<typeof listIds>,
  stored: Statement<Row>,
  visitor: ReadingsVisitor,
): Promise<{ damagedWaiting: string[]; rows: Row[] }> {
  const { inbox, rows } = await db.queryAll({ inbox: selectInbox(serviceIds), rows: stored });
  const damagedWaiting = await inSlices(takeWaiting(inbox, visitor), 'history');
  if (inbox.length < INBOX_PAGE) return { damagedWaiting, rows: rows as Row[] };
  for (let page = inbox; page.length === INBOX_PAGE; ) {
    page = await db.query(selectInbox(serviceIds, page.at(-1)?.id));
    damagedWaiting.push(...(await inSlices(takeWaiting(page, visitor), 'history')));
  }
  return { damagedWaiting, rows: await db.query(stored) };
}

function* takeWaiting(inbox: readonly InboxRow[], visitor: ReadingsVisitor): Generator<void, string[]> {
  const damaged: string[] = [];
  for (const row of inbox) {
    const batch = openUndamaged(row);
    if (batch) yield* visitor.takeBatch(batch);
    else damaged.push(row.id);
    yield;
  }
  return damaged;
}

function openUndamaged(row: InboxRow): Batch | null {
  try {
    return openInboxRow(row);
  } catch (error) {
    if (error instanceof DamagedPack) return null;
    throw error;
  }
}

function* unpackAll(packs: readonly PackRow[], visitor: ReadingsVisitor): Generator<void, Damage[]> {
  const damages: Damage[] = [];
  for (const pack of packs) {
    if (visitor.isOfInterest?.(pack) === false) continue;
    const readings = unpack(pack, (damage) => damages.push(damage));
    if (readings) visitor.takePack(pack.channelId, readings);
    yield;
  }
  return damages;
}

interface Gathered extends ReadingsVisitor {
  /** By channel. Stops after each. */
  merge(): Generator<void, Map<number, Readings>>;
}

/** So many readings of a batch are looked at before others have their turn. */
export const LOOKED_AT_ONCE = 10_000;

function gather(channels: readonly StoredChannel[]): Gathered {
  const wanted = new Set(channels.map(({ channelId }) => channelId));
  /** Each in order of time. */
  const packed = new Map<number, Readings[]>();
  const waiting = new Map<number, Readings[]>();
  return {
    takePack: (channelId, readings) => addRun(packed, channelId, readings),
    *takeBatch({ channelIds, ats, values }) {
      const places = new Map<number, number[]>();
      for (let index = 0; index < channelIds.length; index += 1) {
        if (index % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) yield;
        const channelId = channelIds[index] as number;
        if (!wanted.has(channelId)) continue;
        const known = places.get(channelId);
        if (known) known.push(index);
        else places.set(channelId, [index]);
      }
      for (const [channelId, indexes] of places) {
        indexes.sort((one, other) => (ats[one] as number) - (ats[other] as number));
        addRun(waiting, channelId, {
          ats: Float64Array.from(indexes, (index) => ats[index] as number),
          values: Float64Array.from(indexes, (index) => values[index] as number),
        });
        yield;
      }
    },
    *merge() {
      const merged = new Map<number, Readings>();
      for (const channelId of new Set([...packed.keys(), ...waiting.keys()])) {
        // In the order they were stored.
        const runs = [...(packed.get(channelId) ?? []), ...(waiting.get(channelId) ?? [])];
        merged.set(channelId, mergeReadings(runs));
        yield;
      }
      return merged;
    },
  };
}

function addRun(runs: Map<number, Readings[]>, channelId: number, readings: Readings): void {
  const known = runs.get(channelId);
  if (known) known.push(readings);
  else runs.set(channelId, [readings]);
}

/** When its readings were taken nobody can tell: mostly within the minute before they came. */
async function findDamagedWaiting(
  db: ReadDatabase,
  channels: readonly StoredChannel[],
  ids: readonly string[],
): Promise<DamagedStretch[]> {
  if (ids.length === 0) return [];
  const origins = await db.query(selectInboxOrigins(ids));
  return origins.flatMap(({ serviceIds, receivedAt }) => {
    const to = receivedAt.getTime();
    return channels
      .filter(({ serviceId }) => serviceIds.includes(serviceId))
      .map(({ channelId }) => ({ channelId, from: to - MINUTE_MS, to }));
  });
}

export interface LastReading {
  at: Instant;
  value: number;
}

/** Looked for a few days back, then a few weeks, then all there is. */
const DAYS_BACK = [2, 45, Number.POSITIVE_INFINITY];

/** By channel, the newest reading before the given instant. */
export async function readLastBefore(
  db: ReadDatabase,
  channels: readonly StoredChannel[],
  before: Instant,
): Promise<Map<number, LastReading>> {
  const found = new Map<number, LastReading>();
  let open = channels;
  let last = dayOf(before - 1);
  for (const days of DAYS_BACK) {
    if (open.length === 0) break;
    const first = Math.max(last - days, FIRST_DAY);
    await byDays(db, () => findLast(db, open, { first, last }, before, found));
    open = open.filter(({ channelId }) => !found.has(channelId));
    last = first - 1;
  }
  return found;
}

/** No reading is as old as that. */
const FIRST_DAY = dayOf(Date.UTC(1970, 0, 1));

/** Within these days. */
async function findLast(
  db: ReadDatabase,
  channels: readonly StoredChannel[],
  days: { first: number; last: number },
  before: Instant,
  found: Map<number, LastReading>,
): Promise<void> {
  const ids = listIds(channels);
  const statement = selectLastDays({ ...ids, days }, new Date(before));
  const gathered = gather(channels);
  const { rows: lastDays } = await readBeside(db, ids, statement, gathered);
  const packs: PackRow[] = [];
  for (const [day, ofDay] of groupBy(lastDays, ({ day }) => day)) {
    const channelIds = ofDay.map(({ channelId }) => channelId);
    packs.push(...(await db.query(selectPacks({ ...ids, channelIds, days: [day] }))));
  }
  const damages = await inSlices(unpackAll(packs, gathered), 'history');
  for (const [channelId, { ats, values }] of await inSlices(gathered.merge(), 'history')) {
    const place = findPlace(ats, before) - 1;
    const at = ats[place];
    // What waits may be older than what is packed of days that were not looked at.
    if (at !== undefined && dayOf(at) >= days.first)
      found.set(channelId, { at, value: values[place] as number });
  }
  await noteDamages(db, damages);
  await findBehindDamages(db, channels, { days, before, damages }, found);
}

/** Where nothing of the last day can be read, the days before it count. */
async function findBehindDamages(
  db: ReadDatabase,
  channels: readonly StoredChannel[],
  { days, before, damages }: { days: { first: number }; before: Instant; damages: readonly Damage[] },
  found: Map<number, LastReading>,
): Promise<void> {
  const dayOfDamage = new Map(damages.map(({ row }) => [row.channelId, row.day]));
  const open = channels.filter(({ channelId }) => dayOfDamage.has(channelId) && !found.has(channelId));
  for (const [day = 0, some] of groupBy(open, ({ channelId }) => dayOfDamage.get(channelId)))
    if (day > days.first) await findLast(db, some, { first: days.first, last: day - 1 }, before, found);
}
