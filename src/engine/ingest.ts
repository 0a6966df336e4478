// Posts of readings become stored readings, states and alarms in one transaction, with a fixed number of statements
// however many readings there are.
import type { OrganizationId, ServiceId } from '../domain/ids.ts';
import type { ChannelState, Instant } from '../domain/judge.ts';
import type { Target } from '../domain/telemetry.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import {
  type ChannelRow,
  lockAlarms,
  readChannelRows,
  type StoredAlarm,
  selectChannelStates,
  type TakeEpisodes,
} from './alarm-store.ts';
import { assess } from './assess.ts';
import { type Catalogue, findOutdated } from './catalogue.ts';
import {
  insertChannels,
  insertFreshReadings,
  insertOtherReadings,
  type NewChannel,
  nameReading,
  rememberDevices,
  selectSources,
} from './ingest-queries.ts';
import { gatherStates, writeAssessments } from './judge-services.ts';
import { joinSeal, markDirty } from './rollup-marks.ts';
import { joinCatalogue } from './service-config.ts';
import { raiseConfigVersions } from './services.ts';
import {
  type Arrival,
  arrange,
  count,
  type PostAnswer,
  type PostedEntry,
  type SentPost,
  sortArrivals,
  sortEntries,
} from './sort-readings.ts';

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

/** An archived service is not locked, so that whether it was restored has to be looked up each time. */
function findUnknownTargets(catalogue: Catalogue, posts: readonly SentPost[]) {
  const unknown: { organizationId: OrganizationId; target: Target }[] = [];
  for (const { organizationId, entries } of posts) {
    for (const { target } of entries) {
      const config = catalogue.find(organizationId, target);
      if (config?.isArchived) catalogue.forget([config.serviceId]);
      if (!config || config.isArchived) unknown.push({ organizationId, target });
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

  const arrivals: Arrival[] = [];
  for (const { serviceId } of alarms) {
    const config = catalogue.get(serviceId);
    const entries = sorted.byService.get(serviceId);
    const channels = states.get(serviceId);
    if (config && entries)
      sortArrivals(arrivals, config, entries, channels, now.getTime(), isCautious, outcomes);
  }
  const fresh = arrivals.filter(({ way }) => way === 'fresh');
  const others = arrivals.filter(({ way }) => way !== 'fresh');
  if (fresh.length > 0) insertFreshReadings(tx, fresh);
  // Those that are there already are not judged again: a retry changes nothing.
  const stored = others.length > 0 ? await insertOtherReadings(tx, others) : new Set<string>();
  const isStored = (arrival: Arrival) => arrival.way === 'fresh' || stored.has(nameReading(arrival));
  for (const arrival of arrivals)
    count(outcomes[arrival.post], isStored(arrival) ? 'accepted' : 'duplicates');

  const judged = new Map<ServiceId, Arrival[]>();
  for (const arrival of arrivals) {
    if (arrival.way === 'late' || !isStored(arrival)) continue;
    const gathered = judged.get(arrival.serviceId);
    if (gathered) gathered.push(arrival);
    else judged.set(arrival.serviceId, [arrival]);
  }
  const assessed = alarms.flatMap((alarm) => {
    const config = catalogue.get(alarm.serviceId);
    if (!config) return [];
    const moments = arrange(judged.get(alarm.serviceId) ?? [], now.getTime());
    const channels = states.get(alarm.serviceId) ?? new Map<string, ChannelState>();
    return [{ stored: alarm, assessment: assess(config, alarm, channels, moments, now.getTime()) }];
  });
  await writeAssessments(tx, assessed, now, takeEpisodes);
  markDirty(tx, arrivals, sealedUntil, now);
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
  // Other programs have to know them too, to judge the service as a whole.
  const serviceIds = [...new Set([...unknown.values()].map(({ serviceId }) => serviceId))];
  raiseConfigVersions(tx, serviceIds);
  for (const serviceId of serviceIds) {
    const config = catalogue.get(serviceId);
    if (config) config.configVersion += 1;
  }
}
