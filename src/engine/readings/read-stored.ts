// Readings as they are stored: packs of their days, and what the packer has not taken yet. The latter is read first, so
// that what is packed meanwhile is met twice rather than not at all.
import sql from 'sql-template-tag';
import { groupBy } from '../../domain/group-by.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/judging/judge.ts';
import type { Batch } from '../../domain/readings/batch.ts';
import { mergeReadings } from '../../domain/readings/merge-readings.ts';
import { DamagedPack, type Readings } from '../../domain/readings/pack.ts';
import { dayOf, MINUTE_MS, type Span } from '../../domain/readings/span.ts';
import { cutOut, findPlace } from '../../domain/readings/step-readings.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
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

/** Everything of these days, and what is waiting to be packed of other days too. `waiting`: nothing but that. */
export async function readDays(
  db: ReadDatabase,
  channels: readonly StoredChannel[],
  days: PackRange['days'] | 'waiting',
): Promise<StoredReadings> {
  if (channels.length === 0) return NOTHING;
  const ids = listIds(channels);
  const packs = days === 'waiting' ? NO_PACKS : selectPacks({ ...ids, days });
  const { waiting, rows } = await byDays(db, () => readBeside(db, ids, packs));
  const { byChannel, damages } = unpackAll(waiting, rows);
  await noteDamages(db, damages);
  const packed = damages.map(({ row }) => ({ channelId: row.channelId, from: row.firstAt, to: row.lastAt }));
  return { byChannel, damaged: [...packed, ...(await findDamagedWaiting(db, channels, waiting.damaged))] };
}

const NO_PACKS: Statement<PackRow> = sql`select where false`;

const listIds = (channels: readonly StoredChannel[]) => ({
  serviceIds: [...new Set(channels.map(({ serviceId }) => serviceId))],
  channelIds: channels.map(({ channelId }) => channelId),
});

/** By channel, readings in order of time each, in the order they were stored. */
type Runs = Map<number, Readings[]>;

interface Waiting {
  runs: Runs;
  /** Rows that cannot be unpacked. */
  damaged: string[];
}

/** What waits and then what is stored, in one round trip unless there is very much. */
async function readBeside<Row>(
  db: ReadDatabase,
  { serviceIds, channelIds }: ReturnType<typeof listIds>,
  stored: Statement<Row>,
): Promise<{ waiting: Waiting; rows: Row[] }> {
  const wanted = new Set(channelIds);
  const waiting: Waiting = { runs: new Map(), damaged: [] };
  const { inbox, rows } = await db.queryAll({ inbox: selectInbox(serviceIds), rows: stored });
  gatherWaiting(waiting, inbox, wanted);
  if (inbox.length < INBOX_PAGE) return { waiting, rows: rows as Row[] };
  for (let page = inbox; page.length === INBOX_PAGE; ) {
    page = await db.query(selectInbox(serviceIds, page.at(-1)?.id));
    gatherWaiting(waiting, page, wanted);
  }
  return { waiting, rows: await db.query(stored) };
}

function unpackAll({ runs: waiting }: Waiting, packs: readonly PackRow[]) {
  const runs: Runs = new Map();
  const damages: Damage[] = [];
  for (const pack of packs) {
    const readings = unpack(pack, (damage) => damages.push(damage));
    if (readings) addRun(runs, pack.channelId, readings);
  }
  for (const [channelId, some] of waiting) for (const readings of some) addRun(runs, channelId, readings);
  const byChannel = new Map([...runs].map(([channelId, some]) => [channelId, mergeReadings(some)]));
  return { byChannel, damages };
}

function addRun(runs: Runs, channelId: number, readings: Readings): void {
  const known = runs.get(channelId);
  if (known) known.push(readings);
  else runs.set(channelId, [readings]);
}

function gatherWaiting(waiting: Waiting, inbox: readonly InboxRow[], wanted: ReadonlySet<number>): void {
  for (const row of inbox) {
    try {
      gatherBatch(waiting.runs, openInboxRow(row), wanted);
    } catch (error) {
      if (!(error instanceof DamagedPack)) throw error;
      waiting.damaged.push(row.id);
    }
  }
}

function gatherBatch(runs: Runs, { channelIds, ats, values }: Batch, wanted: ReadonlySet<number>): void {
  const places = new Map<number, number[]>();
  for (let index = 0; index < channelIds.length; index += 1) {
    const channelId = channelIds[index] as number;
    if (!wanted.has(channelId)) continue;
    const known = places.get(channelId);
    if (known) known.push(index);
    else places.set(channelId, [index]);
  }
  for (const [channelId, indexes] of places) {
    indexes.sort((one, other) => (ats[one] as number) - (ats[other] as number));
    addRun(runs, channelId, {
      ats: Float64Array.from(indexes, (index) => ats[index] as number),
      values: Float64Array.from(indexes, (index) => values[index] as number),
    });
  }
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
  const { waiting, rows: lastDays } = await readBeside(db, ids, statement);
  const packs: PackRow[] = [];
  for (const [day, ofDay] of groupBy(lastDays, ({ day }) => day)) {
    const channelIds = ofDay.map(({ channelId }) => channelId);
    packs.push(...(await db.query(selectPacks({ ...ids, channelIds, days: [day] }))));
  }
  const { byChannel, damages } = unpackAll(waiting, packs);
  for (const [channelId, { ats, values }] of byChannel) {
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
