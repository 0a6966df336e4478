// Posts of readings become stored readings, states and alarms in one transaction, with a fixed number of statements
// however many readings there are.
import type { OrganizationId, ServiceId } from '../domain/ids.ts';
import type { ChannelState, Instant, Moment } from '../domain/judge.ts';
import type { Rejection, TelemetryEntry, TelemetryPost } from '../domain/telemetry.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { lockAlarms, type StoredAlarm, selectChannelStates } from './alarm-store.ts';
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
}

const DAY_MS = 24 * 60 * 60 * 1000;
const TRIES = 5;

class OutdatedCatalogue extends Error {}

/** Takes all posts in one transaction and answers each. */
export async function ingestPosts(
  deps: IngestDeps,
  posts: readonly SentPost[],
  now: Date,
): Promise<PostOutcome[]> {
  let isCautious = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const targets = posts.flatMap(({ organizationId, entries }) =>
        entries.map(({ target }) => ({ organizationId, target })),
      );
      await deps.catalogue.learn(deps.db, targets);
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
      // A reading that came ahead of the clock is met by its double: found out by the key, told apart on the second try.
      const isDouble = (error as { code?: string }).code === '23505' && !isCautious;
      if (isDouble) isCautious = true;
      else if (!(error instanceof OutdatedCatalogue) || attempt >= TRIES) throw error;
    }
  }
}

/** One value on its way: where it goes, and whose post counts it. */
interface Arrival extends ReadingRow {
  post: number;
  channel: string;
}

async function ingestInTransaction(
  tx: Tx,
  { catalogue, retentionDays }: IngestDeps,
  posts: readonly SentPost[],
  now: Date,
  isCautious: boolean,
): Promise<PostOutcome[]> {
  const sources = await selectSources(
    tx,
    posts.flatMap(({ sourceId }) => sourceId ?? []),
  );
  const outcomes = posts.map(
    ({ sourceId, rejected }): PostOutcome =>
      sourceId === null || sources.has(sourceId)
        ? { accepted: 0, duplicates: 0, rejected: [...rejected] }
        : 'unknown_source',
  );
  const oldest = now.getTime() - retentionDays * DAY_MS;
  const sorted = sortEntries(catalogue, posts, outcomes, oldest, retentionDays);
  if (sorted.unknownDevices.length > 0) await rememberDevices(tx, sorted.unknownDevices, now);
  if (sorted.byService.size === 0) return outcomes;

  const serviceIds = [...sorted.byService.keys()];
  const alarms = await lockAlarms(tx, serviceIds);
  // Devices may have moved between services, so that these are not the right ones to hold.
  if (findOutdated(catalogue, alarms).length > 0) throw new OutdatedCatalogue();
  await addNewChannels(tx, catalogue, sorted.byService, now);
  const states = gatherStates(catalogue, await selectChannelStates(tx, serviceIds));

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
  if (fresh.length > 0) await insertFreshReadings(tx, fresh);
  if (others.length > 0) countDuplicates(outcomes, others, await insertOtherReadings(tx, others));
  for (const { post } of [...fresh, ...others]) count(outcomes[post], 'accepted');
  await writeAssessments(tx, assessed, now);
  return outcomes;
}

interface PostedEntry {
  post: number;
  entry: TelemetryEntry;
}

function sortEntries(
  catalogue: Catalogue,
  posts: readonly SentPost[],
  outcomes: PostOutcome[],
  oldest: Instant,
  retentionDays: number,
) {
  const byService = new Map<ServiceId, PostedEntry[]>();
  const unknownDevices: { organizationId: OrganizationId; key: string }[] = [];
  for (const [post, { organizationId, entries }] of posts.entries()) {
    const outcome = outcomes[post];
    if (!outcome || outcome === 'unknown_source') continue;
    for (const entry of entries) {
      const config = catalogue.find(organizationId, entry.target);
      const refusal = findRefusal(config, entry, oldest, retentionDays);
      if (refusal) outcome.rejected.push({ index: entry.index, reason: refusal });
      if (!config && 'device' in entry.target)
        unknownDevices.push({ organizationId, key: entry.target.device });
      if (!config || refusal) continue;
      const gathered = byService.get(config.serviceId);
      if (gathered) gathered.push({ post, entry });
      else byService.set(config.serviceId, [{ post, entry }]);
    }
    outcome.rejected.sort((one, other) => one.index - other.index);
  }
  return { byService, unknownDevices };
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
  outcomes: readonly PostOutcome[],
): Moment[] {
  const moments = new Map<Instant, [string, number][]>();
  const seen = new Set<string>();
  for (const { post, entry } of entries) {
    for (const [name, value] of entry.values) {
      const channel = config.channels.get(name);
      if (!channel) continue;
      const double = `${channel.id} ${entry.at}`;
      if (seen.has(double)) {
        count(outcomes[post], 'duplicates');
        continue;
      }
      seen.add(double);
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

function countDuplicates(
  outcomes: readonly PostOutcome[],
  sent: Arrival[],
  stored: ReadonlySet<string>,
): void {
  for (const { post, serviceId, channelId, at } of sent) {
    if (stored.has(`${serviceId} ${channelId} ${at}`)) continue;
    const outcome = outcomes[post];
    if (!outcome || outcome === 'unknown_source') continue;
    outcome.duplicates += 1;
    outcome.accepted -= 1;
  }
}

function count(outcome: PostOutcome | undefined, what: 'accepted' | 'duplicates'): void {
  if (outcome && outcome !== 'unknown_source') outcome[what] += 1;
}
