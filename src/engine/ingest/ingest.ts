// The way of a reading from the post to the commit, from top to bottom. Posts of an organization become stored readings,
// states and alarms in one transaction, with a fixed number of statements however many readings there are. It begins with
// the organization's turn: from then on what is remembered of its services is all there is. A quiet service's readings are
// stored and nothing else; the rows of others are written.

import type { OrganizationId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { joinMeasurements, type Measurement } from '../../domain/judging/measurement.ts';
import type { MostDays } from '../../domain/readings/retention.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { isConflict, isWorkerAway } from '../../platform/db/passing-fault.ts';
import { assess } from '../alarm-state/assess.ts';
import { type Assessment, isChanged } from '../alarm-state/assessment.ts';
import type { Catalogue } from '../alarm-state/catalogue.ts';
import { writeAssessments } from '../alarm-state/write-assessments.ts';
import { appendEntry, type ReadingColumns } from '../journal/inbox.ts';
import { selectNews, selectPackedUntil } from '../journal/news.ts';
import { type Turn, takeTurn } from '../journal/take-turn.ts';
import type { TakeEpisodes } from '../outbox/episode-ids.ts';
import { findStored } from '../readings/find-stored.ts';
import { selectSources } from '../sources/source-rows.ts';
import { enterQuietly } from './enter-quietly.ts';
import { findServices } from './find-services.ts';
import { hearProbes } from './hear-probes.ts';
import { joinNewChannels } from './join-channels.ts';
import { passCalmly, takeAll } from './pass-calmly.ts';
import {
  count,
  mayBeStored,
  type Parcel,
  type PostAnswer,
  type SentPost,
  type SortedPosts,
  type SortedValue,
  sortValues,
} from './sort-readings.ts';
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
  sight?: Sight;
}

/** Whether packs can be looked at: one of the machines that hold them may be away. */
interface Sight {
  /** Not again before. */
  blindUntil: number;
}

const BLIND_MS = 5_000;
const MOST_ROUNDS = 10;

/** Takes all posts, which are of one organization, in one transaction and answers each. */
export async function ingestPosts(
  deps: IngestDeps,
  posts: readonly SentPost[],
  now: Date,
): Promise<PostOutcome[]> {
  const organizationId = posts[0]?.organizationId;
  if (organizationId === undefined) return [];
  const entered = await enterQuietly(deps, organizationId, posts, now);
  if (entered) return entered;
  const { sight = { blindUntil: 0 } } = deps;
  for (let round = 1; ; round += 1) {
    const isBlind = performance.now() < sight.blindUntil;
    try {
      return await ingestInTurn({ ...deps, isBlind }, organizationId, posts, now);
    } catch (error) {
      // Readings that may be stored already are rather stored twice than that alarms wait for that machine.
      if (!isBlind && isWorkerAway(error)) sight.blindUntil = performance.now() + BLIND_MS;
      else if (!isConflict(error) || round >= MOST_ROUNDS) throw error;
    }
  }
}

async function ingestInTurn(
  deps: IngestDeps & { isBlind: boolean },
  organizationId: OrganizationId,
  posts: readonly SentPost[],
  now: Date,
): Promise<PostOutcome[]> {
  const { catalogue } = deps;
  const { turn, written, isKnown, answers } = await deps.db.transaction(async (tx) => {
    const sourceIds = new Set(posts.flatMap(({ sourceId }) => sourceId ?? []));
    const {
      turn: [turn],
      news,
      packed: [{ packedUntil }],
      sources,
    } = await tx.queryAll({
      turn: takeTurn(organizationId),
      news: selectNews(organizationId, catalogue.knownUntil(organizationId)),
      packed: selectPackedUntil(organizationId),
      sources: selectSources(sourceIds),
    });
    catalogue.hear(organizationId, turn, news, packedUntil);
    const known = new Set(sources.map(({ id }) => id));
    const isKnown = ({ sourceId }: SentPost) => sourceId === null || known.has(sourceId);
    const sorted = await findServices(tx, deps, posts.filter(isKnown), now);
    const { assessments, fresh } = await judge(tx, deps, turn, sorted, now);
    const changed = assessments.filter(isChanged).map(({ watched }) => watched.config.serviceId);
    if (fresh.ats.length + changed.length > 0) tx.later(appendEntry(organizationId, fresh, changed, now));
    const written = await writeAssessments(tx, turn, assessments, now, deps.takeEpisodes);
    await rememberUnknown(tx, sorted, now);
    return { turn, written, isKnown, answers: sorted.answers };
  }, 'by_index');
  catalogue.settle(organizationId, turn, written);
  return posts.map((post) => (isKnown(post) ? (answers.shift() ?? 'unknown_source') : 'unknown_source'));
}

interface JudgedReadings {
  assessments: Assessment[];
  /** Not stored yet, and counted. */
  fresh: ReadingColumns;
}

async function judge(
  tx: Tx,
  deps: IngestDeps & { isBlind: boolean },
  turn: Turn,
  sorted: SortedPosts,
  now: Date,
): Promise<JudgedReadings> {
  const { answers } = sorted;
  const fresh: ReadingColumns = { serviceIds: [], channelIds: [], ats: [], values: [] };
  const assessments: Assessment[] = [];
  const others: Parcel[] = [];
  for (const parcel of sorted.parcels) {
    const passed = passCalmly(parcel, now.getTime());
    if (!passed) others.push(parcel);
    else {
      takeAll(parcel, fresh, answers);
      assessments.push(passed);
    }
  }
  if (others.length === 0) return { assessments, fresh };
  const heard = others.map((parcel) => hearProbes(parcel, now.getTime()));
  const parcels = await joinNewChannels(tx, turn, heard, answers, now);
  const trueTimes = deps.isBlind ? NONE : await findTrueTimes(tx, parcels, now, deps.noteAhead);
  const values = parcels.map((parcel) => sortValues(parcel, now.getTime(), answers, trueTimes));
  const isStored = await findStored(tx, values.flat().filter(mayBeStored), deps.isBlind);
  takeNew(values.flat(), isStored, fresh, answers);
  for (const [index, { watched }] of parcels.entries()) {
    const judged = (values[index] ?? []).filter((value) => !value.isLate && !isStored(value));
    const assessment = assess(watched, untilReceipt(joinMeasurements(judged), now), now.getTime());
    assessments.push({ ...assessment, aheadUntil: findLatestAhead(values[index] ?? [], now) });
  }
  return { assessments, fresh };
}

const NONE: ReadonlyMap<number, Instant> = new Map();

/** Those that are not stored yet; each is counted as what it is. */
function takeNew(
  values: readonly SortedValue[],
  isStored: (value: SortedValue) => boolean,
  fresh: ReadingColumns,
  answers: readonly PostAnswer[],
): void {
  for (const value of values) {
    const isKnown = isStored(value);
    count(answers[value.post], isKnown ? 'duplicates' : 'accepted');
    if (isKnown) continue;
    fresh.serviceIds.push(value.serviceId);
    fresh.channelIds.push(value.channelId);
    fresh.ats.push(value.at);
    fresh.values.push(value.value);
  }
}

/** One ahead of the clock is judged at the time of receipt. */
const untilReceipt = (measurements: readonly Measurement[], now: Date): Measurement[] =>
  measurements.map(({ at, values }) => ({ at: Math.min(at, now.getTime()), values }));

function findLatestAhead(values: readonly SortedValue[], now: Date): Instant | undefined {
  const ahead = values.map(({ at }) => at).filter((at) => at > now.getTime());
  return ahead.length > 0 ? Math.max(...ahead) : undefined;
}
