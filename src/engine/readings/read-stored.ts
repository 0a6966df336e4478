// Readings as they are stored: packs of their days, and what the packer has not taken yet. The latter is read first, so
// that what is packed meanwhile is met twice rather than not at all.
import { groupBy } from '../../domain/group-by.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/judging/judge.ts';
import { decodeBatch } from '../../domain/readings/batch.ts';
import { mergeReadings } from '../../domain/readings/merge-readings.ts';
import { DamagedPack, type Readings } from '../../domain/readings/pack.ts';
import { dayOf, type Span } from '../../domain/readings/span.ts';
import { cutOut, findPlace } from '../../domain/readings/step-readings.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { selectInbox } from './inbox.ts';
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
  if (channels.length === 0) return NOTHING;
  const ids = listIds(channels);
  const { inbox, packs } = await db.queryAll({
    inbox: selectInbox(ids.serviceIds),
    packs: selectPacks({ ...ids, days }),
  });
  const { byChannel, damages } = unpackAll(inbox, packs, ids.channelIds);
  await noteDamages(db, damages);
  const damaged = damages.map(({ row }) => ({ channelId: row.channelId, from: row.firstAt, to: row.lastAt }));
  return { byChannel, damaged };
}

const listIds = (channels: readonly StoredChannel[]) => ({
  serviceIds: [...new Set(channels.map(({ serviceId }) => serviceId))],
  channelIds: channels.map(({ channelId }) => channelId),
});

type Runs = Map<number, Readings[]>;

function unpackAll(inbox: readonly { data: Buffer }[], packs: readonly PackRow[], channelIds: number[]) {
  const runs: Runs = new Map();
  const damages: Damage[] = [];
  for (const pack of packs) {
    const readings = unpack(pack, (damage) => damages.push(damage));
    if (readings) addRun(runs, pack.channelId, readings);
  }
  const wanted = new Set(channelIds);
  for (const { data } of inbox) gatherBatch(runs, data, wanted);
  const byChannel = new Map([...runs].map(([channelId, some]) => [channelId, mergeReadings(some)]));
  return { byChannel, damages };
}

function addRun(runs: Runs, channelId: number, readings: Readings): void {
  const known = runs.get(channelId);
  if (known) known.push(readings);
  else runs.set(channelId, [readings]);
}

/** One that is damaged is found and set aside by the packer. */
function gatherBatch(runs: Runs, data: Buffer, wanted: ReadonlySet<number>): void {
  try {
    const { channelIds, ats, values } = decodeBatch(data);
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
  } catch (error) {
    if (!(error instanceof DamagedPack)) throw error;
  }
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
  let lastDay = dayOf(before - 1);
  for (const days of DAYS_BACK) {
    if (open.length === 0) break;
    const firstDay = Math.max(lastDay - days, FIRST_DAY);
    const stored = await readLastDays(db, open, { first: firstDay, last: lastDay }, before);
    for (const [channelId, { ats, values }] of stored) {
      const place = findPlace(ats, before) - 1;
      if (place >= 0) found.set(channelId, { at: ats[place] as number, value: values[place] as number });
    }
    open = open.filter(({ channelId }) => !found.has(channelId));
    lastDay = firstDay - 1;
  }
  return found;
}

/** No reading is as old as that. */
const FIRST_DAY = dayOf(Date.UTC(1970, 0, 1));

async function readLastDays(
  db: ReadDatabase,
  channels: readonly StoredChannel[],
  days: { first: number; last: number },
  before: Instant,
): Promise<ReadonlyMap<number, Readings>> {
  const { serviceIds, channelIds } = listIds(channels);
  const { inbox, last } = await db.queryAll({
    inbox: selectInbox(serviceIds),
    last: selectLastDays({ serviceIds, channelIds, days }, new Date(before)),
  });
  const packs: PackRow[] = [];
  for (const [day, ofDay] of groupBy(last, ({ day }) => day)) {
    const channelIds = ofDay.map(({ channelId }) => channelId);
    packs.push(...(await db.query(selectPacks({ serviceIds, channelIds, days: [day] }))));
  }
  return unpackAll(inbox, packs, channelIds).byChannel;
}
