// What the stored readings make of channels whose limits are new. Read by days, so that neither a long sustained time
// nor a fast sensor fills the memory while the services are locked.

import { groupBy } from '../../domain/group-by.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { type ChannelState, replay } from '../../domain/judging/judge.ts';
import { joinMeasurements } from '../../domain/judging/measurement.ts';
import type { Readings } from '../../domain/readings/pack.ts';
import { DAY_MS, dayOf, type Span } from '../../domain/readings/span.ts';
import { cutOut } from '../../domain/readings/step-readings.ts';
import type { Tx } from '../../platform/db/database.ts';
import { byDays } from '../readings/by-days.ts';
import { type PackSummary, selectSummaries } from '../readings/packs.ts';
import { readLastBefore, readStored } from '../readings/read-stored.ts';
import type { ServiceConfig } from './service-config.ts';
import type { WatchedService } from './watched-service.ts';

export interface Replayed {
  watched: WatchedService;
  channels: ReadonlyMap<string, ChannelState>;
}

/** Readings of a channel looked at: a breach that runs through all of them counts from the first. */
const MOST_READINGS = 200_000;
const SERVICES_AT_ONCE = 100;
/** Of all their channels, unless a single day has more. */
const READINGS_AT_ONCE = 5_000;

export async function replayReadings(
  tx: Tx,
  services: readonly WatchedService[],
  now: Date,
  mostReadings = MOST_READINGS,
): Promise<Replayed[]> {
  const replayed: Replayed[] = [];
  for (let from = 0; from < services.length; from += SERVICES_AT_ONCE) {
    const some = services.slice(from, from + SERVICES_AT_ONCE);
    replayed.push(...(await replaySome(tx, some, now, mostReadings)));
  }
  return replayed;
}

async function replaySome(
  tx: Tx,
  services: readonly WatchedService[],
  now: Date,
  mostReadings: number,
): Promise<Replayed[]> {
  const replays = services.map((watched) => ({
    watched,
    judged: listJudged(watched),
    channels: new Map<string, ChannelState>() as ReadonlyMap<string, ChannelState>,
  }));
  const judged = replays.flatMap((one) => one.judged);
  const { starts, countsByDay } = await findStarts(tx, judged, now, mostReadings);
  const times = judged.map(({ at }) => at);
  const whole = { from: Math.min(...times, ...starts.values()), to: Math.max(...times) + 1 };
  for (const span of splitIntoDays(whole, countsByDay)) {
    const { byChannel } = await readStored(tx, judged, span);
    for (const one of replays) {
      const stored = one.judged.flatMap((channel) => listReadings(channel, byChannel, starts));
      // What was judged last counts with the value it was judged by.
      const last = one.judged.filter(({ at }) => at < span.to);
      one.judged = one.judged.filter(({ at }) => at >= span.to);
      one.channels = replay(one.watched.config.limits, one.channels, joinMeasurements([...stored, ...last]));
    }
  }
  return replays;
}

/** Whole days, as many as hold not too much. Those of which nothing is packed may be half a century: they come along. */
function* splitIntoDays({ from, to }: Span, countsByDay: ReadonlyMap<number, number>): Generator<Span> {
  let begin = from;
  let readings = 0;
  for (const [day, count] of [...countsByDay].sort(([one], [other]) => one - other)) {
    const end = day * DAY_MS;
    if (end > begin && end < to && readings > 0 && readings + count > READINGS_AT_ONCE) {
      yield { from: begin, to: end };
      begin = end;
      readings = 0;
    }
    readings += count;
  }
  yield { from: begin, to };
}

/** Those before the one that was judged last. */
function listReadings(
  { channelId, channel, at: judgedAt }: Judged,
  byChannel: ReadonlyMap<number, Readings>,
  starts: ReadonlyMap<number, Instant>,
): Reading[] {
  const stored = byChannel.get(channelId);
  if (!stored) return [];
  const { ats, values } = cutOut(stored, { from: starts.get(channelId) ?? judgedAt, to: judgedAt });
  return Array.from(ats, (at, index) => ({ channel, at, value: values[index] as number }));
}

interface Judged {
  serviceId: ServiceId;
  channelId: number;
  channel: string;
  at: Instant;
  value: number;
  longestSustainedMs: number;
}

const listJudged = ({ config, channels }: WatchedService): Judged[] =>
  [...channels].flatMap(([channel, { at, value }]) => {
    const channelId = config.channels.get(channel)?.id;
    if (at === null || value === null || channelId === undefined) return [];
    return [
      {
        serviceId: config.serviceId,
        channelId,
        channel,
        at,
        value,
        longestSustainedMs: findLongestSustained(config),
      },
    ];
  });

const findLongestSustained = ({ limits }: ServiceConfig): number =>
  Math.max(0, ...[...limits.values()].flatMap(({ bands }) => bands.map(({ sustainedMs }) => sustainedMs)));

/** By channel, where to begin: as far back as the longest sustained time, and with the one before that. */
async function findStarts(
  tx: Tx,
  judged: readonly Judged[],
  now: Date,
  mostReadings: number,
): Promise<{ starts: ReadonlyMap<number, Instant>; countsByDay: ReadonlyMap<number, number> }> {
  const starts = new Map<number, Instant>();
  const countsByDay = new Map<number, number>();
  for (const [begin, some] of groupBy(judged, ({ longestSustainedMs }) =>
    Math.max(0, +now - longestSustainedMs),
  )) {
    const packs = await findPacks(tx, some, begin);
    for (const { firstAt, count } of packs)
      countsByDay.set(dayOf(firstAt), (countsByDay.get(dayOf(firstAt)) ?? 0) + count);
    const enough = findEnough(packs, mostReadings);
    for (const channel of some)
      starts.set(channel.channelId, Math.max(begin, enough.get(channel.channelId) ?? begin));
    for (const [from, channels] of groupBy(some, ({ channelId, at }) =>
      Math.min(starts.get(channelId) ?? begin, at),
    ))
      for (const [channelId, { at }] of await readLastBefore(tx, channels, from)) starts.set(channelId, at);
  }
  return { starts, countsByDay };
}

function findPacks(tx: Tx, judged: readonly Judged[], from: Instant): Promise<PackSummary[]> {
  const summaries = selectSummaries({
    serviceIds: [...new Set(judged.map(({ serviceId }) => serviceId))],
    channelIds: judged.map(({ channelId }) => channelId),
    days: { first: dayOf(from), last: dayOf(Math.max(...judged.map(({ at }) => at))) },
  });
  return byDays(tx, () => tx.query(summaries));
}

/** By channel, from where on there are as many as are looked at; those that have fewer are left out. */
function findEnough(packs: readonly PackSummary[], mostReadings: number): Map<number, Instant> {
  const enough = new Map<number, Instant>();
  for (const [channelId, some] of groupBy(packs, (pack) => pack.channelId)) {
    let count = 0;
    for (const pack of some.reverse()) {
      count += pack.count;
      if (count < mostReadings) continue;
      enough.set(channelId, pack.firstAt);
      break;
    }
  }
  return enough;
}

interface Reading {
  channel: string;
  at: Instant;
  value: number;
}
