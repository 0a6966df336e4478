// Every entry of a batch finds its service, and every value its way: late ones are stored but change nothing, the others
// are judged.

import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { isAhead } from '../../domain/judging/clock-set-back.ts';
import type { Refused } from '../../domain/readings/refused.ts';
import { findOldestKept, type MostDays, sayRetention } from '../../domain/readings/retention.ts';
import type { Rejection, Target, TelemetryEntry, TelemetryPost } from '../../domain/readings/telemetry.ts';
import type { ServiceConfig } from '../alarm-state/service-config.ts';
import type { FindService } from '../alarm-state/service-shelf.ts';
import type { WatchedService } from '../alarm-state/watched-service.ts';
import { refuseOtherUnits } from './sent-units.ts';
import { type Claims, tellApart } from './tell-apart.ts';

export interface SentPost extends TelemetryPost {
  /** null: the command line, which needs no secret. */
  sourceId: number | null;
  organizationId: OrganizationId;
  /** A number that no probe can have measured is no reading. Our own JSON promises to take every number. */
  leavesOutFaults?: boolean;
}

export interface PostAnswer {
  accepted: number;
  duplicates: number;
  rejected: Rejection[];
  /** Readings of unknown devices, among the rejected; left out: none. */
  waiting?: number;
}

/** One value of a post, with its place. */
export interface SortedValue {
  post: number;
  channel: string;
  serviceId: ServiceId;
  channelId: number;
  at: Instant;
  value: number;
  /** Older than what was judged already: it changes nothing. */
  isLate: boolean;
  /** Only what is later than everything of its channel is surely new. */
  mayBeStored: boolean;
}

export interface PlacedEntry {
  /** -1: no post, so nobody is answered. */
  post: number;
  entry: TelemetryEntry;
  watched: WatchedService;
  leavesOutFaults: boolean;
}

/** What one service gets in this batch. */
export interface Parcel {
  watched: WatchedService;
  entries: PlacedEntry[];
  /** By the name of such a channel, the one whose probe it tells of. */
  faultsOf?: ReadonlyMap<string, string>;
  /** Channels that it gets with this batch: nothing can be stored of them. */
  joined?: ReadonlySet<string>;
}

/** With the place of the entry that names it. */
interface UnknownTarget {
  organizationId: OrganizationId;
  sourceId: number | null;
  target: Target;
  post: number;
  entry: TelemetryEntry;
}

export interface SortedPosts {
  /** In ascending order of services. */
  parcels: Parcel[];
  /** Not in the catalogue, or archived there. */
  unknown: UnknownTarget[];
  answers: PostAnswer[];
}

export function sortPosts(
  find: FindService,
  posts: readonly SentPost[],
  now: Instant,
  mostDays: MostDays,
): SortedPosts {
  const placed: PlacedEntry[] = [];
  const unknown: SortedPosts['unknown'] = [];
  const claims: Claims = new Map();
  const findEdge = rememberEdges(now, mostDays);
  const answers: PostAnswer[] = posts.map(({ rejected }) => ({
    accepted: 0,
    duplicates: 0,
    rejected: [...rejected],
  }));
  for (const [post, { organizationId, sourceId, entries, leavesOutFaults = false }] of posts.entries()) {
    const answer = answers[post] as PostAnswer;
    const { rejected } = answer;
    for (const entry of entries) {
      const watched = find(organizationId, entry.target);
      const refusal = findRefusal(watched?.config, entry) ?? findAge(watched?.config, entry, findEdge);
      if (!refusal && watched) {
        const { config } = watched;
        const named = refuseOtherUnits(config, tellApart(config, entry, claims), rejected);
        placed.push({ post, entry: named, watched, leavesOutFaults });
      }
      // Of one that holds faults alone, what it holds was refused already.
      else if (refusal && entry.values.length > 0) {
        rejected.push({ index: entry.index, why: refusal });
        if (refusal.code === 'unknown_device') answer.waiting = (answer.waiting ?? 0) + entry.values.length;
      }
      if (!watched || watched.config.isArchived)
        unknown.push({ organizationId, sourceId, target: entry.target, post, entry });
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
    if (last?.watched.config.serviceId === entry.watched.config.serviceId) last.entries.push(entry);
    else parcels.push({ watched: entry.watched, entries: [entry] });
  }
  return parcels;
}

function findRefusal(config: ServiceConfig | undefined, { target }: TelemetryEntry): Refused | null {
  if (!config) return { code: 'device' in target ? 'unknown_device' : 'unknown_service' };
  return config.isArchived ? { code: 'archived' } : null;
}

interface Edge {
  years: number;
  oldest: Instant;
  refusal: Refused;
}

/** Nearly always that of the entry before. */
function rememberEdges(now: Instant, mostDays: MostDays): (years: number) => Edge {
  let last: Edge | null = null;
  return (years) => {
    if (last?.years === years) return last;
    const oldest = findOldestKept(now, years, mostDays);
    last = { years, oldest, refusal: { code: 'too_old', limit: sayRetention(now, years, mostDays) } };
    return last;
  };
}

function findAge(
  config: ServiceConfig | undefined,
  { at }: TelemetryEntry,
  findEdge: (years: number) => Edge,
): Refused | null {
  if (!config) return null;
  const { oldest, refusal } = findEdge(config.retentionYears);
  return at < oldest ? refusal : null;
}

/**
 * Each value of a parcel once: what comes twice is counted here and left out. Channels have to be known. `newestAt`: of
 * those that were dated by a clock that was ahead, the newest reading that was not.
 */
export function sortValues(
  { watched: { config, alarm, channels }, entries, joined }: Parcel,
  now: Instant,
  answers: readonly PostAnswer[],
  newestAt: ReadonlyMap<number, Instant> = NONE,
): SortedValue[] {
  const { serviceId } = config;
  const seen = entries.length > 1 ? new Set<string>() : null;
  const sorted: SortedValue[] = [];
  for (const { post, entry } of entries) {
    const { at } = entry;
    for (const [channel, value] of entry.values) {
      const channelId = config.channels.get(channel)?.id;
      if (channelId === undefined) throw new Error(`Service ${serviceId} has no channel ${channel}`);
      if (seen && isDouble(seen, channelId, at)) {
        count(answers[post], 'duplicates');
        continue;
      }
      const lastAt = channels.get(channel)?.at ?? null;
      const isLate =
        entry.isPast === true ||
        isOlder(at, isAhead(lastAt, now) ? (newestAt.get(channelId) ?? null) : lastAt, now);
      // Of an archived service that is back, the row says nothing.
      const isUnsure = lastAt === null || at <= Math.max(lastAt, alarm.aheadUntil ?? NEVER);
      const mayBeStored = isUnsure && joined?.has(channel) !== true;
      sorted.push({ post, channel, serviceId, channelId, at, value, isLate, mayBeStored });
    }
  }
  return sorted;
}

const NONE: ReadonlyMap<number, Instant> = new Map();
const NEVER = Number.NEGATIVE_INFINITY;

export const mayBeStored = (value: SortedValue): boolean => value.mayBeStored;

/** One ahead of the clock counts as taken now. */
const isOlder = (at: Instant, lastAt: Instant | null, now: Instant): boolean =>
  lastAt !== null && (Math.min(at, now) < lastAt || at === lastAt);

/** The same channel and time twice in one batch: the first is kept. */
function isDouble(seen: Set<string>, channelId: number, at: Instant): boolean {
  const name = nameReading({ channelId, at });
  const isKnown = seen.has(name);
  seen.add(name);
  return isKnown;
}

export function count(answer: PostAnswer | undefined, what: 'accepted' | 'duplicates'): void {
  if (answer) answer[what] += 1;
}

/** A channel has one reading at a time. */
const nameReading = ({ channelId, at }: { channelId: number; at: Instant }) => `${channelId} ${at}`;
