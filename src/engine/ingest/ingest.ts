// The way of a reading from the post to the commit, from top to bottom. Posts become stored readings, states and alarms in
// one transaction, with a fixed number of statements however many readings there are. Nearly always what is remembered of
// the services still holds, and they are judged from memory; those that somebody has written since are judged anew. Where
// that is not enough all is done over under the lock, where only a device that was handed on asks for another round.
import type { Moment } from '../../domain/judging/judge.ts';
import type { Database } from '../../platform/db/database.ts';
import { isConflict } from '../../platform/db/passing-fault.ts';
import { NOTHING } from '../../platform/db/statement.ts';
import { moveRows, selectRowVersion } from '../alarm-state/alarm-rows.ts';
import { assess } from '../alarm-state/assess.ts';
import type { Catalogue } from '../alarm-state/catalogue.ts';
import { giveEpisodes, noteMoved, writeAssessments } from '../alarm-state/write-assessments.ts';
import type { TakeEpisodes } from '../outbox/episode-ids.ts';
import { joinSeal, markDirty } from '../readings/rollup-marks.ts';
import { insertNewReadings, insertReadings } from '../readings/write-readings.ts';
import { findServices } from './find-services.ts';
import { judgeFromMemory } from './judge-from-memory.ts';
import { judgeOutdated, OutdatedMemory } from './judge-outdated.ts';
import { HandedOn, lockParcels } from './lock-parcels.ts';
import {
  countStored,
  joinMoments,
  type PostAnswer,
  type SentPost,
  type SortedPosts,
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
  retentionDays: number;
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
  const lateColumns = toColumns(late);

  const { written, rowVersion } = await deps.db.transaction(async (tx) => {
    const assessments = await giveEpisodes(tx, judged.assessments, deps.takeEpisodes);
    const {
      moved: [moved],
      sources,
      stored,
      version: [{ rowVersion }],
      seal: [{ sealedUntil }],
    } = await tx.queryAll({
      ...moveRows(assessments),
      sources: selectSources(sorted.sourceIds),
      stored: late.length > 0 ? insertNewReadings(lateColumns) : NOTHING,
      fresh: fresh.ats.length > 0 ? insertReadings(fresh) : NOTHING,
      version: selectRowVersion,
      seal: joinSeal(),
    });
    refuseRevoked(sorted.sourceIds, sources);
    const isNew = countStored(late, stored, sorted.answers);
    const anew = await judgeOutdated(tx, deps, sorted, { left: moved.left, late, isNew }, now);
    const written = noteMoved(tx, assessments, moved, anew, now);
    markDirty(tx, fresh, sealedUntil, now);
    markDirty(tx, lateColumns, sealedUntil, now);
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
    const readings = toColumns(values.flat());
    const stored = await tx.query(insertNewReadings(readings));
    const isNew = countStored(values.flat(), stored, sorted.answers);
    const assessments = parcels.map(({ watched }, index) => {
      const judged = (values[index] ?? []).filter((value) => !value.isLate && isNew(value));
      return assess(watched, untilReceipt(joinMoments(judged), now), now.getTime());
    });
    const written = await writeAssessments(tx, held, assessments, now, deps.takeEpisodes);
    const {
      sources,
      version: [{ rowVersion }],
      seal: [{ sealedUntil }],
    } = await tx.queryAll({
      sources: selectSources(sorted.sourceIds),
      version: selectRowVersion,
      seal: joinSeal(),
    });
    refuseRevoked(sorted.sourceIds, sources);
    markDirty(tx, readings, sealedUntil, now);
    await rememberUnknown(tx, sorted, now);
    return { written, rowVersion };
  }, 'by_index');

  deps.catalogue.settle(written, rowVersion);
}

/** One ahead of the clock is judged at the time of receipt. */
const untilReceipt = (moments: readonly Moment[], now: Date): Moment[] =>
  moments.map(({ at, values }) => ({ at: Math.min(at, now.getTime()), values }));

class RevokedSources extends Error {
  constructor(readonly stillKnown: ReadonlySet<number>) {
    super('A source was revoked');
  }
}

function refuseRevoked(sourceIds: ReadonlySet<number>, known: readonly { id: number }[]): void {
  if (known.length < sourceIds.size) throw new RevokedSources(new Set(known.map(({ id }) => id)));
}

const mayPass = (error: unknown): boolean =>
  error instanceof OutdatedMemory ||
  error instanceof HandedOn ||
  isConflict(error) ||
  // A reading that came ahead of the clock is met by its double: found out by the key, told apart under the lock.
  (error as { code?: string }).code === '23505';

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
