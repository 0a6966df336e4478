// Posts of readings become stored readings, states and alarms in one transaction, with a fixed number of statements
// however many readings there are.
import type { OrganizationId, ServiceId } from '../domain/ids.ts';
import type { ChannelState, Instant, Moment } from '../domain/judge.ts';
import type { Rejection, Target, TelemetryEntry, TelemetryPost } from '../domain/telemetry.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import {
  type ChannelRow,
  lockAlarms,
  readChannelRows,
  type StoredAlarm,
  selectChannelStates,
  type TakeEpisodes,
} from './alarm-store.ts';
import { type Assessment, assess } from './assess.ts';
import { type Catalogue, findOutdated } from './catalogue.ts';
import {
  insertChannels,
  insertFreshReadings,
  insertOtherReadings,
  type NewChannel,
  type ReadingRow,
  rememberDevices,
  selectSources,
} from './ingest-queries.ts';
import { gatherStates, writeAssessments } from './judge-services.ts';
import { joinSeal, markDirty } from './rollup-marks.ts';
import { joinCatalogue, type ServiceConfig } from './service-config.ts';

export interface SentPost extends TelemetryPost {
  /** null: the command line, which needs no secret. */
  sourceId: number | null;
  organizationId: OrganizationId;
}

interface PostAnswer {
  accepted: number;
  duplicates: number;
  rejected: Rejection[];
}

/** The source was revoked between its look-up and the transaction. */
export type PostOutcome = PostAnswer | 'unknown_source';

interface IngestDeps {
  db: Database;
  catalogue: Catalogue;
  retentionDays: number;
  takeEpisodes?: TakeEpisodes;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const TRIES = 5;

class OutdatedCatalogue extends Error {}

class RevokedSources extends Error {
  constructor(readonly stillKnown: ReadonlySet<number>) {
    super('A source was revoked');
  }
}

/** Takes all posts in one transaction and answers each. */
export async function ingestPosts(
  deps: IngestDeps,
  posts: readonly SentPost[],
  now: Date,
): Promise<PostOutcome[]> {
  let isCautious = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await deps.catalogue.learn(deps.db, findUnknownTargets(deps.catalogue, posts));
      return await deps.db.transaction(
        (tx) => ingestInTransaction(tx, deps, posts, now, isCautious),
        'by_index',
      );
    } catch (error) {
      // What was learnt inside a transaction that failed, new channels above all, may not be true.
      deps.catalogue.forget(
        posts.flatMap(({ organizationId, entries }) =>
          entries.flatMap(({ target }) => deps.catalogue.find(organizationId, target)?.serviceId ?? []),
        ),
      );
      if (error instanceof RevokedSources) return ingestKnownSources(deps, posts, error.stillKnown, now);
      // A reading that came ahead of the clock is met by its double: found out by the key, told apart on the second try.
      const isMet = (error as { code?: string }).code === '23505' && !isCautious;
      if (isMet) isCautious = true;
      else if (!(error instanceof OutdatedCatalogue) || attempt >= TRIES) throw error;
    }
  }
}

function findUnknownTargets(catalogue: Catalogue, posts: readonly SentPost[]) {
  const unknown: { organizationId: OrganizationId; target: Target }[] = [];
  for (const { organizationId, entries } of posts) {
    for (const { target } of entries) {
      if (!catalogue.find(organizationId, target)) unknown.push({ organizationId, target });
    }
  }
  return unknown;
}

/** The posts of a source that is gone are refused; the others go their way. */
async function ingestKnownSources(
  deps: IngestDeps,
  posts: readonly SentPost[],
  known: ReadonlySet<number>,
  now: Date,
): Promise<PostOutcome[]> {
  const isKnown = ({ sourceId }: SentPost) => sourceId === null || known.has(sourceId);
  const outcomes = await ingestPosts(deps, posts.filter(isKnown), now);
  return posts.map((post) => (isKnown(post) ? (outcomes.shift() ?? 'unknown_source') : 'unknown_source'));
}

/** One value on its way: where it goes, and whose post counts it. */
interface Arrival extends ReadingRow {
  post: number;
  channel: string;
}

async function ingestInTransaction(
  tx: Tx,
  { catalogue, retentionDays, takeEpisodes }: IngestDeps,
  posts: readonly SentPost[],
  now: Date,
  isCautious: boolean,
): Promise<PostAnswer[]> {
  const sorted = sortEntries(catalogue, posts, now.getTime() - retentionDays * DAY_MS, retentionDays);
  const serviceIds = [...sorted.byService.keys()];
  const sourceIds = new Set(posts.flatMap(({ sourceId }) => sourceId ?? []));
  const { sources, alarms, channelStates, sealedUntil } = await lockForIngest(tx, [...sourceIds], serviceIds);
  if (sources.size < sourceIds.size) throw new RevokedSources(sources);
  const outcomes = sorted.rejected.map((rejected): PostAnswer => ({ accepted: 0, duplicates: 0, rejected }));
  if (sorted.unknownDevices.length > 0) rememberDevices(tx, sorted.unknownDevices, now);
  // Devices may have moved between services, so that these are not the right ones to hold.
  if (findOutdated(catalogue, alarms).length > 0) throw new OutdatedCatalogue();
  await addNewChannels(tx, catalogue, sorted.byService, now);
  const states = gatherStates(catalogue, channelStates);

  const fresh: Arrival[] = [];
  const others: Arrival[] = [];
  const assessed: { stored: StoredAlarm; assessment: Assessment }[] = [];
  for (const stored of alarms) {
    const config = catalogue.get(stored.serviceId);
    const entries = sorted.byService.get(stored.serviceId);
    if (!config || !entries) continue;
    const channels = states.get(stored.serviceId) ?? new Map();
    const moments = arrange(config, entries, channels, now.getTime(), isCautious, fresh, others, outcomes);
    assessed.push({ stored, assessment: assess(config, stored, channels, moments, now.getTime()) });
  }
  for (const { post } of fresh) count(outcomes[post], 'accepted');
  if (fresh.length > 0) insertFreshReadings(tx, fresh);
  if (others.length > 0) countStored(outcomes, others, await insertOtherReadings(tx, others));
  await writeAssessments(tx, assessed, now, takeEpisodes);
  markDirty(tx, [...fresh, ...others], sealedUntil, now);
  return outcomes;
}

/** Everything this needs to know, in one round trip. The seal comes last: who has joined it waits for no row any more. */
async function lockForIngest(tx: Tx, sourceIds: number[], serviceIds: ServiceId[]) {
  const [sources, alarms, channels, seal] = (await tx.queryAll([
    selectSources(sourceIds),
    lockAlarms(serviceIds),
    selectChannelStates(serviceIds),
    joinSeal(),
  ])) as [{ id: number }[], StoredAlarm[], ChannelRow[], { sealedUntil: Instant }[]];
  return {
    sources: new Set(sources.map(({ id }) => id)),
    alarms,
    channelStates: readChannelRows(channels),
    sealedUntil: seal[0]?.sealedUntil ?? Number.POSITIVE_INFINITY,
  };
}

interface PostedEntry {
  post: number;
  entry: TelemetryEntry;
}

function sortEntries(
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

async function addNewChannels(
  tx: Tx,
  catalogue: Catalogue,
  byService: ReadonlyMap<ServiceId, PostedEntry[]>,
  now: Date,
) {
  const unknown = new Map<string, NewChannel>();
  for (const [serviceId, entries] of byService) {
    const known = catalogue.get(serviceId)?.channels;
    for (const { entry } of entries) {
      for (const [name, , isBoolean] of entry.values) {
        if (!known?.has(name)) unknown.set(`${serviceId} ${name}`, { serviceId, name, isBoolean });
      }
    }
  }
  if (unknown.size === 0) return;
  for (const { serviceId, ...channel } of await insertChannels(tx, [...unknown.values()], now)) {
    const config = catalogue.get(serviceId);
    if (config) joinCatalogue(config, channel);
  }
}

/** Puts a service's values in order of time: all are stored, those newer than what was judged already are judged. */
function arrange(
  config: ServiceConfig,
  entries: readonly PostedEntry[],
  channels: ReadonlyMap<string, ChannelState>,
  now: Instant,
  isCautious: boolean,
  fresh: Arrival[],
  others: Arrival[],
  outcomes: readonly PostAnswer[],
): Moment[] {
  const moments = new Map<Instant, [string, number][]>();
  const seen = new Set<string>();
  for (const { post, entry } of entries) {
    for (const [name, value] of entry.values) {
      const channel = config.channels.get(name);
      if (!channel) continue;
      if (entries.length > 1 && isDouble(seen, channel.id, entry.at)) {
        count(outcomes[post], 'duplicates');
        continue;
      }
      const arrival = {
        post,
        channel: name,
        serviceId: config.serviceId,
        channelId: channel.id,
        at: entry.at,
        value,
      };
      const lastAt = channels.get(name)?.at ?? Number.NEGATIVE_INFINITY;
      const isAhead = entry.at > now;
      const isLate = (isAhead ? now : entry.at) < lastAt || entry.at === lastAt;
      if (isLate || isAhead || isCautious) others.push(arrival);
      else fresh.push(arrival);
      if (isLate) continue;
      const values = moments.get(entry.at);
      if (values) values.push([name, value]);
      else moments.set(entry.at, [[name, value]]);
    }
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

function countStored(outcomes: readonly PostAnswer[], sent: Arrival[], stored: ReadonlySet<string>): void {
  for (const { post, serviceId, channelId, at } of sent) {
    count(outcomes[post], stored.has(`${serviceId} ${channelId} ${at}`) ? 'accepted' : 'duplicates');
  }
}

function count(outcome: PostAnswer | undefined, what: 'accepted' | 'duplicates'): void {
  if (outcome) outcome[what] += 1;
}
