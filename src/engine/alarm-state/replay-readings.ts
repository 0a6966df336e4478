// What the stored readings make of channels whose limits are new. Read by pages, so that neither a long sustained time
// nor a fast sensor fills the memory while the services are locked.
import sql from 'sql-template-tag';
import type { ServiceId } from '../../domain/ids.ts';
import { type ChannelState, type Instant, type Moment, replay } from '../../domain/judging/judge.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { ServiceConfig } from './service-config.ts';
import type { WatchedService } from './watched-service.ts';

export interface Replayed {
  watched: WatchedService;
  channels: ReadonlyMap<string, ChannelState>;
}

export interface Pages {
  /** Readings of a channel in hand at the same time. */
  size: number;
  /** Readings of a channel looked at: a breach that runs through all of them counts from the first. */
  most: number;
}

const PAGES: Pages = { size: 1_000, most: 200_000 };
const SERVICES_AT_ONCE = 100;

export async function replayReadings(
  tx: Tx,
  services: readonly WatchedService[],
  now: Date,
  pages: Pages = PAGES,
): Promise<Replayed[]> {
  const replayed: Replayed[] = [];
  for (let from = 0; from < services.length; from += SERVICES_AT_ONCE) {
    const some = services.slice(from, from + SERVICES_AT_ONCE);
    replayed.push(...(await replaySome(tx, some, now, pages)));
  }
  return replayed;
}

async function replaySome(
  tx: Tx,
  services: readonly WatchedService[],
  now: Date,
  { size, most }: Pages,
): Promise<Replayed[]> {
  const starts = await selectStarts(tx, services.flatMap(listJudged), now, most);
  const replays = services.map((watched) => ({
    watched,
    channels: new Map<string, ChannelState>(),
    /** What is still to be read, and what was judged last. */
    rest: listJudged(watched).map((judged) => ({
      ...judged,
      from: starts.get(judged.channelId) ?? judged.at,
    })),
  }));
  for (let open = replays; open.length > 0; open = open.filter(({ rest }) => rest.length > 0)) {
    const page = await selectPage(
      tx,
      open.flatMap(({ rest }) => rest),
      size,
    );
    for (const one of open) {
      const stored = one.rest.flatMap(({ channelId }) => page.get(channelId) ?? []);
      const horizon = Math.min(
        ...one.rest.flatMap(({ channelId }) => page.get(channelId)?.at(size - 1)?.at ?? []),
      );
      const isReached = ({ at }: { at: Instant }) => at <= horizon;
      const moments = gatherMoments([...stored, ...one.rest].filter(isReached));
      one.channels = replay(one.watched.config.limits, one.channels, moments);
      one.rest = one.rest
        .filter((judged) => !isReached(judged))
        .map((judged) => ({ ...judged, from: Math.max(judged.from, horizon + 1) }));
    }
  }
  return replays;
}

interface Judged {
  serviceId: ServiceId;
  channelId: number;
  name: string;
  at: Instant;
  value: number;
  longestSustainedMs: number;
}

const listJudged = ({ config, channels }: WatchedService): Judged[] =>
  [...channels].flatMap(([name, { at, value }]) => {
    const channelId = config.channels.get(name)?.id;
    if (at === null || value === null || channelId === undefined) return [];
    return [
      {
        serviceId: config.serviceId,
        channelId,
        name,
        at,
        value,
        longestSustainedMs: findLongestSustained(config),
      },
    ];
  });

const findLongestSustained = ({ limits }: ServiceConfig): number =>
  Math.max(0, ...[...limits.values()].flatMap(({ bands }) => bands.map(({ sustainedMs }) => sustainedMs)));

const listKeys = (judged: readonly Judged[]) => sql`
  ${judged.map(({ serviceId }) => serviceId)}::int[], ${judged.map(({ channelId }) => channelId)}::int[],
  ${judged.map(({ at }) => new Date(at))}::timestamptz[]`;

/**
 * By channel, where to begin: as far back as the longest sustained time, and with the one before that. The newest is the
 * one judged last, which is not always the one with the latest time.
 */
async function selectStarts(tx: Tx, judged: readonly Judged[], now: Date, most: number) {
  const from = judged.map(({ longestSustainedMs }) => new Date(Math.max(0, +now - longestSustainedMs)));
  const rows = await tx.query<{ channelId: number; at: Date }>(sql`
    select given.channel_id as "channelId", coalesce(earlier.taken_at, begins.at) as "at"
    from unnest(${listKeys(judged)}, ${from}::timestamptz[]) as given (service_id, channel_id, judged_at, begins_at)
    cross join lateral (
      select coalesce((select taken_at from reading
        where service_id = given.service_id and channel_id = given.channel_id
          and taken_at >= given.begins_at and taken_at < given.judged_at
        order by taken_at desc offset ${most - 1} limit 1), given.begins_at) as at) as begins
    left join lateral (
      select taken_at from reading
      where service_id = given.service_id and channel_id = given.channel_id
        and taken_at < least(begins.at, given.judged_at)
      order by taken_at desc limit 1) as earlier on true`);
  return new Map(rows.map(({ channelId, at }) => [channelId, at.getTime()]));
}

interface Reading {
  name: string;
  at: Instant;
  value: number;
}

/** By channel, in order. */
async function selectPage(tx: Tx, judged: readonly (Judged & { from: Instant })[], size: number) {
  const pages = new Map<number, Reading[]>(judged.map(({ channelId }) => [channelId, []]));
  const names = new Map(judged.map(({ channelId, name }) => [channelId, name]));
  const rows = await tx.query<{ channelId: number; at: Date; value: number }>(sql`
    select given.channel_id as "channelId", taken_at as "at", value
    from unnest(${listKeys(judged)}, ${judged.map(({ from }) => new Date(from))}::timestamptz[])
      as given (service_id, channel_id, judged_at, begins_at)
    cross join lateral (
      select taken_at, value from reading
      where service_id = given.service_id and channel_id = given.channel_id
        and taken_at >= given.begins_at and taken_at < given.judged_at
      order by taken_at limit ${size}) as page`);
  for (const { channelId, at, value } of rows)
    pages.get(channelId)?.push({ name: names.get(channelId) ?? '', at: at.getTime(), value });
  return pages;
}

function gatherMoments(readings: readonly Reading[]): Moment[] {
  const byTime = new Map<Instant, [string, number][]>();
  for (const { name, at, value } of readings) {
    const values = byTime.get(at);
    if (values) values.push([name, value]);
    else byTime.set(at, [[name, value]]);
  }
  return [...byTime].sort(([one], [other]) => one - other).map(([at, values]) => ({ at, values }));
}
