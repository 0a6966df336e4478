// Posts of readings become stored readings, states and alarms in one transaction, with a fixed number of statements
// however many readings there are. Nearly always what is remembered of the services still holds: then they are judged
// first, and everything is written in one round trip that checks it. Otherwise it is done over under the lock.
import sql from 'sql-template-tag';
import type { ServiceId } from '../domain/ids.ts';
import type { Instant, Moment } from '../domain/judge.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import type { TakeEpisodes } from './alarm-events.ts';
import { isChanged, moveRowsOn, selectRowVersion, writeRows } from './alarm-store.ts';
import { assess } from './assess.ts';
import type { Assessment } from './assessment.ts';
import type { Catalogue } from './catalogue.ts';
import {
  insertNewReadings,
  insertReadings,
  type ReadingColumns,
  rememberDevices,
  selectSources,
} from './ingest-queries.ts';
import { giveEpisodes, noteEvents } from './judge-services.ts';
import { lockParcels, OutdatedCatalogue } from './lock-parcels.ts';
import { passCalmly, takeAll } from './pass-calmly.ts';
import { joinSeal, markDirty } from './rollup-marks.ts';
import {
  type Arrivals,
  count,
  joinMoments,
  type Parcel,
  type PostAnswer,
  type SentPost,
  type SortedPosts,
  sortArrivals,
  sortPosts,
  toColumns,
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
  const { db, catalogue } = deps;
  for (let attempt = 1; ; attempt += 1) {
    const sorted = await sortKnown(deps, posts, now);
    try {
      const { assessments, rowVersion, isLocked } = await db.transaction(
        (tx) => ingestInTransaction(tx, deps, posts, sorted, now, attempt > 1),
        'by_index',
      );
      catalogue.settle(assessments, rowVersion, isLocked);
      return sorted.answers;
    } catch (error) {
      if (error instanceof RevokedSources) return ingestKnownSources(deps, posts, error.stillKnown, now);
      // A reading that came ahead of the clock is met by its double: found out by the key, told apart with care.
      const isMet = (error as { code?: string }).code === '23505' && attempt === 1;
      if (!isMet && (!(error instanceof OutdatedCatalogue) || attempt >= TRIES)) throw error;
      await catalogue.learnAgain(
        db,
        sorted.parcels.map(({ watched }) => watched.config.serviceId),
      );
    }
  }
}

/**
 * What the catalogue does not know is learnt first; what others moved about meanwhile, after that. Refused as unknown is
 * only what was asked for here. An archived service may have been restored, so it is asked for each time.
 */
async function sortKnown(
  { db, catalogue, retentionDays }: IngestDeps,
  posts: readonly SentPost[],
  now: Date,
): Promise<SortedPosts> {
  const oldest = now.getTime() - retentionDays * DAY_MS;
  const asked = new Set<string>();
  for (;;) {
    const sorted = sortPosts(catalogue, posts, oldest, retentionDays);
    const unasked = sorted.unknown.filter((target) => !asked.has(JSON.stringify(target)));
    if (unasked.length === 0) return sorted;
    await catalogue.learn(db, unasked);
    for (const target of unasked) asked.add(JSON.stringify(target));
  }
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
  { catalogue, takeEpisodes }: IngestDeps,
  posts: readonly SentPost[],
  sorted: SortedPosts,
  now: Date,
  isRetry: boolean,
): Promise<{ assessments: Assessment[]; rowVersion: number; isLocked: boolean }> {
  const at = now.getTime();
  const { answers } = sorted;
  const calm = sorted.parcels.map((parcel) => (isRetry ? null : passCalmly(parcel, at)));
  const isCareful = isRetry || sorted.parcels.some((parcel, index) => !calm[index] && needsCare(parcel, at));
  const parcels = isCareful ? await lockParcels(tx, catalogue, sorted.parcels, now) : sorted.parcels;
  const arrivals: Arrivals = {
    fresh: { serviceIds: [], channelIds: [], ats: [], values: [] },
    doubtful: [],
  };
  const moments = parcels.map((parcel, index) => {
    if (isCareful || !calm[index]) return sortArrivals(parcel, arrivals, at, isCareful, answers);
    takeAll(parcel, arrivals.fresh, answers);
    return NOTHING_TO_JUDGE;
  });
  const doubtful = toColumns(arrivals.doubtful);
  const stored =
    isCareful && arrivals.doubtful.length > 0 ? await tx.query<Stored>(insertNewReadings(doubtful)) : [];
  const judged = isCareful ? findJudged(parcels, countStored(arrivals, stored, answers), at) : moments;

  const assessments = parcels.map(
    ({ watched }, index) => (isCareful ? null : calm[index]) ?? assess(watched, judged[index] ?? [], at),
  );
  await giveEpisodes(tx, assessments, takeEpisodes);
  const written = await write(tx, {
    assessments,
    isLocked: isCareful,
    fresh: arrivals.fresh,
    late: isCareful ? null : doubtful,
    sourceIds: new Set(posts.flatMap(({ sourceId }) => sourceId ?? [])),
  });
  if (!isCareful) countStored(arrivals, written.late, answers);
  noteEvents(tx, assessments, now);
  rememberDevices(tx, sorted.unknown, now);
  markDirty(tx, arrivals.fresh, written.sealedUntil, now);
  markDirty(tx, doubtful, written.sealedUntil, now);
  return { assessments, rowVersion: written.rowVersion, isLocked: isCareful };
}

const NOTHING_TO_JUDGE: Moment[] = [];

/** Channels that are new, and times that may meet their double. */
const needsCare = ({ watched: { config }, entries }: Parcel, now: Instant): boolean =>
  entries.some(({ entry }) => entry.at > now || entry.values.some(([name]) => !config.channels.has(name)));

interface Stored {
  channelId: number;
  at: Instant;
}

/** Counts the doubtful ones, and answers with those that were not there yet. */
function countStored(
  { doubtful }: Arrivals,
  stored: readonly Stored[],
  answers: readonly PostAnswer[],
): Arrivals['doubtful'] {
  const nameOf = ({ channelId, at }: Stored) => `${channelId} ${at}`;
  const names = new Set(stored.map(nameOf));
  for (const reading of doubtful)
    count(answers[reading.post], names.has(nameOf(reading)) ? 'accepted' : 'duplicates');
  return doubtful.filter((reading) => names.has(nameOf(reading)));
}

/** Under the lock every reading is doubtful until it is stored. One ahead of the clock is judged at the time of receipt. */
function findJudged(parcels: readonly Parcel[], stored: Arrivals['doubtful'], now: Instant): Moment[][] {
  const byService = new Map<ServiceId, Moment[]>();
  for (const { serviceId, way, at, channel, value } of stored) {
    if (way === 'late') continue;
    const moment: Moment = { at, values: [[channel, value]] };
    byService.set(serviceId, [...(byService.get(serviceId) ?? []), moment]);
  }
  return parcels.map(({ watched }) =>
    joinMoments(byService.get(watched.config.serviceId) ?? []).map(({ at, values }) => ({
      at: Math.min(at, now),
      values,
    })),
  );
}

interface Writing {
  assessments: Assessment[];
  isLocked: boolean;
  fresh: ReadingColumns;
  /** null: stored already. */
  late: ReadingColumns | null;
  sourceIds: ReadonlySet<number>;
}

const NOTHING = sql`select where false`;

/** Everything in one round trip. The seal comes last: who has joined it waits for no row any more. */
async function write(tx: Tx, { assessments, isLocked, fresh, late, sourceIds }: Writing) {
  const changed = isLocked ? assessments : assessments.filter(isChanged);
  const [moved, , sources, stored, , [version], [seal]] = (await tx.queryAll([
    isLocked ? NOTHING : moveRowsOn(assessments),
    changed.length > 0 ? writeRows(changed, isLocked) : NOTHING,
    selectSources([...sourceIds]),
    late && late.ats.length > 0 ? insertNewReadings(late) : NOTHING,
    fresh.ats.length > 0 ? insertReadings(fresh) : NOTHING,
    selectRowVersion,
    joinSeal(),
  ])) as [
    { count: number }[],
    unknown,
    { id: number }[],
    Stored[],
    unknown,
    { rowVersion: number }[],
    { sealedUntil: Instant }[],
  ];
  if (sources.length < sourceIds.size) throw new RevokedSources(new Set(sources.map(({ id }) => id)));
  if (!isLocked && moved[0]?.count !== assessments.length) throw new OutdatedCatalogue();
  return {
    late: stored,
    rowVersion: version?.rowVersion ?? 0,
    sealedUntil: seal?.sealedUntil ?? Number.POSITIVE_INFINITY,
  };
}
