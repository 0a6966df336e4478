// Every entry of a batch finds its service, and every value its way: fresh ones are new for certain, uncertain ones may
// be there already, late ones are stored but change nothing.
import type { OrganizationId, ServiceId } from '../domain/ids.ts';
import type { ChannelState, Instant, Moment } from '../domain/judge.ts';
import type { Rejection, Target, TelemetryEntry, TelemetryPost } from '../domain/telemetry.ts';
import type { Catalogue } from './catalogue.ts';
import type { ReadingColumns } from './ingest-queries.ts';
import type { ServiceConfig } from './service-config.ts';
import type { WatchedService } from './watched-service.ts';

export interface SentPost extends TelemetryPost {
  /** null: the command line, which needs no secret. */
  sourceId: number | null;
  organizationId: OrganizationId;
}

export interface PostAnswer {
  accepted: number;
  duplicates: number;
  rejected: Rejection[];
}

/** A value that may be there already, or comes too late to be judged. */
interface Doubtful {
  post: number;
  channel: string;
  serviceId: ServiceId;
  channelId: number;
  at: Instant;
  value: number;
  way: 'uncertain' | 'late';
}

/** The values of a batch on their way. */
export interface Arrivals {
  /** Counted as accepted already. */
  fresh: ReadingColumns;
  doubtful: Doubtful[];
}

interface PlacedEntry {
  post: number;
  entry: TelemetryEntry;
  watched: WatchedService;
}

/** What one service gets in this batch. */
export interface Parcel {
  watched: WatchedService;
  entries: PlacedEntry[];
}

export interface SortedPosts {
  /** In ascending order of services. */
  parcels: Parcel[];
  /** Not in the catalogue, or archived there. */
  unknown: { organizationId: OrganizationId; target: Target }[];
  answers: PostAnswer[];
}

export function sortPosts(
  catalogue: Catalogue,
  posts: readonly SentPost[],
  oldest: Instant,
  retentionDays: number,
): SortedPosts {
  const placed: PlacedEntry[] = [];
  const unknown: SortedPosts['unknown'] = [];
  const answers = posts.map(({ rejected }) => ({ accepted: 0, duplicates: 0, rejected: [...rejected] }));
  for (const [post, { organizationId, entries }] of posts.entries()) {
    const rejected = answers[post]?.rejected ?? [];
    for (const entry of entries) {
      const watched = catalogue.find(organizationId, entry.target);
      const refusal = findRefusal(watched?.config, entry, oldest, retentionDays);
      if (refusal) rejected.push({ index: entry.index, reason: refusal });
      else if (watched) placed.push({ post, entry, watched });
      if (!watched || watched.config.isArchived) unknown.push({ organizationId, target: entry.target });
    }
    rejected.sort((one, other) => one.index - other.index);
  }
  return { parcels: gatherParcels(placed), unknown, answers };
}

/** Entries of one service keep their order. */
function gatherParcels(placed: PlacedEntry[]): Parcel[] {
  placed.sort((one, other) => one.watched.config.serviceId - other.watched.config.serviceId);
  const parcels: Parcel[] = [];
  for (const entry of placed) {
    const last = parcels.at(-1);
    if (last?.watched === entry.watched) last.entries.push(entry);
    else parcels.push({ watched: entry.watched, entries: [entry] });
  }
  return parcels;
}

function findRefusal(
  config: ServiceConfig | undefined,
  { target, at }: TelemetryEntry,
  oldest: Instant,
  retentionDays: number,
): string | null {
  if (!config) return 'device' in target ? 'Unknown device' : 'Unknown service';
  if (config.isArchived) return 'The service is archived';
  return at < oldest ? `Older than ${retentionDays} days` : null;
}

/**
 * Gives each value of a service its way, leaves out what comes twice in this batch, and answers with the fresh ones as
 * moments to be judged.
 */
export function sortArrivals(
  { watched: { config, channels }, entries }: Parcel,
  { fresh, doubtful }: Arrivals,
  now: Instant,
  isCareful: boolean,
  answers: readonly PostAnswer[],
): Moment[] {
  const seen = entries.length > 1 ? new Set<string>() : null;
  const moments: Moment[] = [];
  for (const { post, entry } of entries) {
    const { at } = entry;
    const values: TelemetryEntry['values'] = [];
    for (const value of entry.values) {
      const [name, number] = value;
      const channelId = config.channels.get(name)?.id;
      if (channelId === undefined) continue;
      if (seen && isDouble(seen, channelId, at)) {
        count(answers[post], 'duplicates');
        continue;
      }
      const { serviceId } = config;
      const way = findWay(at, channels.get(name), now, isCareful);
      if (way === 'fresh') {
        fresh.serviceIds.push(serviceId);
        fresh.channelIds.push(channelId);
        fresh.ats.push(at);
        fresh.values.push(number);
        count(answers[post], 'accepted');
        values.push(value);
      } else doubtful.push({ post, channel: name, serviceId, channelId, at, value: number, way });
    }
    if (values.length > 0) moments.push({ at, values });
  }
  return moments.length > 1 ? joinMoments(moments) : moments;
}

/** Late: older than what was judged already. Uncertain: newer, but it may be there already. */
function findWay(
  at: Instant,
  known: ChannelState | undefined,
  now: Instant,
  isCareful: boolean,
): 'fresh' | Doubtful['way'] {
  const isAhead = at > now;
  const lastAt = known?.at ?? null;
  if (lastAt !== null && ((isAhead ? now : at) < lastAt || at === lastAt)) return 'late';
  return isAhead || isCareful ? 'uncertain' : 'fresh';
}

/** In order of time; what was measured at the same time belongs together. */
export function joinMoments(moments: readonly Moment[]): Moment[] {
  const byTime = new Map<Instant, Moment['values'][number][]>();
  for (const { at, values } of moments) byTime.set(at, [...(byTime.get(at) ?? []), ...values]);
  return [...byTime].sort(([one], [other]) => one - other).map(([at, values]) => ({ at, values }));
}

/** The same channel and time twice in one batch: the first is kept. */
function isDouble(seen: Set<string>, channelId: number, at: Instant): boolean {
  const name = `${channelId} ${at}`;
  const isKnown = seen.has(name);
  seen.add(name);
  return isKnown;
}

export function count(answer: PostAnswer | undefined, what: 'accepted' | 'duplicates'): void {
  if (answer) answer[what] += 1;
}

export function toColumns(readings: readonly Doubtful[]): ReadingColumns {
  return {
    serviceIds: readings.map(({ serviceId }) => serviceId),
    channelIds: readings.map(({ channelId }) => channelId),
    ats: readings.map(({ at }) => at),
    values: readings.map(({ value }) => value),
  };
}
