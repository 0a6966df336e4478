// The way of a reading from the post to the commit, from top to bottom. Posts become stored readings, states and alarms in
// one transaction, with a fixed number of statements however many readings there are. Nearly always what is remembered of
// the services still holds, and they are judged from memory; those that somebody has written since are judged anew. Where
// that is not enough all is done over under the lock, where only a device that was handed on asks for another round.

import type { Instant, Moment } from '../../domain/judging/judge.ts';
import type { MostDays } from '../../domain/readings/retention.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { isConflict } from '../../platform/db/passing-fault.ts';
import { NOTHING } from '../../platform/db/statement.ts';
import { moveRows, selectRowVersion } from '../alarm-state/alarm-rows.ts';
import { assess } from '../alarm-state/assess.ts';
import type { Catalogue } from '../alarm-state/catalogue.ts';
import { giveEpisodes, noteMoved, writeAssessments } from '../alarm-state/write-assessments.ts';
import type { TakeEpisodes } from '../outbox/episode-ids.ts';
import { findStored } from '../readings/find-stored.ts';
import { appendReadings } from '../readings/inbox.ts';
import { findServices } from './find-services.ts';
import { judgeFromMemory } from './judge-from-memory.ts';
import { holdOutdated, judgeOutdated, OutdatedMemory } from './judge-outdated.ts';
import { HandedOn, lockParcels } from './lock-parcels.ts';
import {
  count,
  joinMoments,
  type PostAnswer,
  type SentPost,
  type SortedPosts,
  type SortedValue,
  sortValues,
  toColumns,
} from './sort-readings.ts';
import { selectSources } from './sources.ts';
import { findTrueTimes, type NoteAhead } from './times-ahead.ts';
import { rememberUnknown } from './unknown-devices.ts';

/** The source was revoked between its look-up and the transaction. */
export type PostOutcome = PostAnswer | 'unknown_source';

interface IngestDeps {
  db: Database;
  catalogue: Catalogue;
  retentionDays: MostDays;
  takeEpisodes?: TakeEpisodes;
  noteAhead?: NoteAhead;
}

const MOST_ROUNDS = 10;

/** Takes all posts in one transaction and answers each. */
export async function ingestPosts(
  deps: IngestDeps,
  posts: readonly SentPost[],
  now: Date,
): Promise<PostOutcome[]> {
  for (let round = 1; ; round += 1) {
    const sorted = await findServices(deps, posts, now);
    const ingest = round === 1 ? ingestFromMemory : ingestUnderLock;
    try {
      await ingest(deps, sorted, now);
      return sorted.answers;
    } catch (error) {
      if (error instanceof RevokedSources) return ingestKnownSources(deps, posts, error.stillKnown, now);
      if (!mayPass(error) || round >= MOST_ROUNDS) throw error;
    }
  }
}

/** Judged first, then written in one round trip that finds out if anything remembered is outdated; the commit is another. */
async function ingestFromMemory(deps: IngestDeps, sorted: SortedPosts, now: Date): Promise<void> {
  const judged = judgeFromMemory(sorted, now.getTime());
  if (!judged) return ingestUnderLock(deps, sorted, now);
  const { fresh, late } = judged;

  const { written, rowVersion } = await deps.db.transaction(async (tx) => {
    const assessments = await giveEpisodes(tx, judged.assessments, deps.takeEpisodes);
    const {
      moved: [moved],
      sources,
      version: [{ rowVersion }],
    } = await tx.queryAll({
      ...moveRows(assessments),
      sources: selectSources(sorted.sourceIds),
      fresh: fresh.ats.length > 0 ? appendReadings(fresh, now) : NOTHING,
      version: selectRowVersion,
    });
    refuseRevoked(sorted.sourceIds, sources);
    const outdated = await holdOutdated(tx, deps.catalogue, sorted, moved.left);
    const isStored = await findStored(tx, late);
    appendNew(tx, late, isStored, sorted.answers, now);
    const anew = await judgeOutdated(tx, deps, outdated, { late, isStored }, now);
    const written = noteMoved(tx, assessments, moved, anew, now);
    await rememberUnknown(tx, sorted, now);
    return { written, rowVersion };
  }, 'by_index');

  deps.catalogue.settle(written, rowVersion);
}

/** The services are held and looked up anew before they are judged, and whether a reading is new is seen by storing it. */
async function ingestUnderLock(deps: IngestDeps, sorted: SortedPosts, now: Date): Promise<void> {
  const { written, rowVersion } = await deps.db.transaction(async (tx) => {
    const { held, parcels } = await lockParcels(tx, deps.catalogue, sorted, now);
    const trueTimes = await findTrueTimes(tx, parcels, now, deps.noteAhead);
    const values = parcels.map((parcel) => sortValues(parcel, now.getTime(), sorted.answers, trueTimes));
    const isStored = await findStored(tx, values.flat());
    appendNew(tx, values.flat(), isStored, sorted.answers, now);
    const assessments = parcels.map(({ watched }, index) => {
      const judged = (values[index] ?? []).filter((value) => !value.isLate && !isStored(value));
      const assessment = assess(watched, untilReceipt(joinMoments(judged), now), now.getTime());
      return { ...assessment, aheadUntil: findLatestAhead(values[index] ?? [], now) };
    });
    const written = await writeAssessments(tx, held, assessments, now, deps.takeEpisodes);
    const {
      sources,
      version: [{ rowVersion }],
    } = await tx.queryAll({
      sources: selectSources(sorted.sourceIds),
      version: selectRowVersion,
    });
    refuseRevoked(sorted.sourceIds, sources);
    await rememberUnknown(tx, sorted, now);
    return { written, rowVersion };
  }, 'by_index');

  deps.catalogue.settle(written, rowVersion);
}

/** Those that are not stored yet; each is counted as what it is. */
function appendNew(
  tx: Tx,
  values: readonly SortedValue[],
  isStored: (value: SortedValue) => boolean,
  answers: readonly PostAnswer[],
  now: Date,
): void {
  const fresh = values.filter((value) => !isStored(value));
  for (const value of values) count(answers[value.post], isStored(value) ? 'duplicates' : 'accepted');
  if (fresh.length > 0) tx.later(appendReadings(toColumns(fresh), now));
}

/** One ahead of the clock is judged at the time of receipt. */
const untilReceipt = (moments: readonly Moment[], now: Date): Moment[] =>
  moments.map(({ at, values }) => ({ at: Math.min(at, now.getTime()), values }));

function findLatestAhead(values: readonly SortedValue[], now: Date): Instant | undefined {
  const ahead = values.map(({ at }) => at).filter((at) => at > now.getTime());
  return ahead.length > 0 ? Math.max(...ahead) : undefined;
}

class RevokedSources extends Error {
  constructor(readonly stillKnown: ReadonlySet<number>) {
    super('A source was revoked');
  }
}

function refuseRevoked(sourceIds: ReadonlySet<number>, known: readonly { id: number }[]): void {
  if (known.length < sourceIds.size) throw new RevokedSources(new Set(known.map(({ id }) => id)));
}

const mayPass = (error: unknown): boolean =>
  error instanceof OutdatedMemory || error instanceof HandedOn || isConflict(error);

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
