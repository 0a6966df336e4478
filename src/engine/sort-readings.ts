// Every value of a batch finds its service and its way: fresh ones are new for certain, uncertain ones may be there
// already, late ones are stored but change nothing.
import type { OrganizationId, ServiceId } from '../domain/ids.ts';
import type { ChannelState, Instant, Moment } from '../domain/judge.ts';
import type { Rejection, TelemetryEntry, TelemetryPost } from '../domain/telemetry.ts';
import type { Catalogue } from './catalogue.ts';
import type { ReadingRow } from './ingest-queries.ts';
import type { ServiceConfig } from './service-config.ts';

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

/** One value on its way: where it goes, and whose post counts it. */
export interface Arrival extends ReadingRow {
  post: number;
  channel: string;
  way: 'fresh' | 'uncertain' | 'late';
}

export interface PostedEntry {
  post: number;
  entry: TelemetryEntry;
}

/** Entries by service, and why the others are refused. */
export function sortEntries(
  catalogue: Catalogue,
  posts: readonly SentPost[],
  oldest: Instant,
  retentionDays: number,
) {
  const byService = new Map<ServiceId, PostedEntry[]>();
  const unknownDevices: { organizationId: OrganizationId; key: string }[] = [];
  const rejected = posts.map((post) => [...post.rejected]);
  for (const [post, { organizationId, entries }] of posts.entries()) {
    for (const entry of entries) {
      const config = catalogue.find(organizationId, entry.target);
      const refusal = findRefusal(config, entry, oldest, retentionDays);
      if (refusal) rejected[post]?.push({ index: entry.index, reason: refusal });
      if (!config && 'device' in entry.target)
        unknownDevices.push({ organizationId, key: entry.target.device });
      if (!config || refusal) continue;
      const gathered = byService.get(config.serviceId);
      if (gathered) gathered.push({ post, entry });
      else byService.set(config.serviceId, [{ post, entry }]);
    }
    rejected[post]?.sort((one, other) => one.index - other.index);
  }
  return { byService, unknownDevices, rejected };
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

/** Gives each value its way, and leaves out what comes twice in this batch. */
export function sortArrivals(
  arrivals: Arrival[],
  config: ServiceConfig,
  entries: readonly PostedEntry[],
  channels: ReadonlyMap<string, ChannelState> | undefined,
  now: Instant,
  isCautious: boolean,
  outcomes: readonly PostAnswer[],
): void {
  const seen = new Set<string>();
  for (const { post, entry } of entries) {
    const { at } = entry;
    for (const [name, value] of entry.values) {
      const channel = config.channels.get(name);
      if (!channel) continue;
      if (entries.length > 1 && isDouble(seen, channel.id, at)) {
        count(outcomes[post], 'duplicates');
        continue;
      }
      const way = findWay(at, channels?.get(name)?.at ?? null, now, isCautious);
      arrivals.push({
        post,
        way,
        channel: name,
        serviceId: config.serviceId,
        channelId: channel.id,
        at,
        value,
      });
    }
  }
}

/** Late: older than what was judged already. Uncertain: newer, but it may be there already. */
function findWay(at: Instant, lastAt: Instant | null, now: Instant, isCautious: boolean): Arrival['way'] {
  const isAhead = at > now;
  if (lastAt !== null && ((isAhead ? now : at) < lastAt || at === lastAt)) return 'late';
  return isAhead || isCautious ? 'uncertain' : 'fresh';
}

/** A service's values in order of time; one ahead of the clock is judged at the time of receipt. */
export function arrange(arrivals: readonly Arrival[], now: Instant): Moment[] {
  const moments = new Map<Instant, [string, number][]>();
  for (const { at, channel, value } of arrivals) {
    const values = moments.get(at);
    if (values) values.push([channel, value]);
    else moments.set(at, [[channel, value]]);
  }
  return [...moments]
    .sort(([one], [other]) => one - other)
    .map(([at, values]) => ({ at: Math.min(at, now), values }));
}

/** The same channel and time twice in one batch: the first is kept. */
function isDouble(seen: Set<string>, channelId: number, at: Instant): boolean {
  const name = `${channelId} ${at}`;
  const isKnown = seen.has(name);
  seen.add(name);
  return isKnown;
}

export function count(outcome: PostAnswer | undefined, what: 'accepted' | 'duplicates'): void {
  if (outcome) outcome[what] += 1;
}
