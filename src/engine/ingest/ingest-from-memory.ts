// What is remembered of the services is taken for true: they are judged first, and everything is written in one round
// trip that finds out if it was not.
import sql from 'sql-template-tag';
import { isAhead } from '../../domain/judging/clock-set-back.ts';
import type { Instant } from '../../domain/judging/judge.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { isChanged, moveRowsOn, selectRowVersion, writeRows } from '../alarm-state/alarm-rows.ts';
import { assess } from '../alarm-state/assess.ts';
import type { Assessment } from '../alarm-state/assessment.ts';
import { giveEpisodes } from '../alarm-state/write-assessments.ts';
import { joinSeal } from '../readings/rollup-marks.ts';
import { insertNewReadings, insertReadings, type ReadingColumns } from '../readings/write-readings.ts';
import { ingestUnderLock } from './ingest-under-lock.ts';
import { type Batch, type IngestedBatch, noteBatch } from './note-batch.ts';
import { passCalmly, takeAll } from './pass-calmly.ts';
import { selectSources } from './queries.ts';
import {
  count,
  countStored,
  joinMoments,
  type Parcel,
  type SortedValue,
  sortValues,
  toColumns,
} from './sort-readings.ts';

/** Somebody has written a row since it was remembered. */
export class OutdatedMemory extends Error {}

export async function ingestFromMemory(tx: Tx, batch: Batch): Promise<IngestedBatch> {
  const { parcels, answers } = batch.sorted;
  const now = batch.now.getTime();
  const calm = parcels.map((parcel) => passCalmly(parcel, now));
  if (parcels.some((parcel, index) => !calm[index] && needsLock(parcel, now)))
    return ingestUnderLock(tx, batch);

  const fresh: ReadingColumns = { serviceIds: [], channelIds: [], ats: [], values: [] };
  const late: SortedValue[] = [];
  const assessments = parcels.map((parcel, index): Assessment => {
    const passed = calm[index];
    if (passed) {
      takeAll(parcel, fresh, answers);
      return passed;
    }
    const values = sortValues(parcel, now, answers);
    const judged = values.filter(({ isLate }) => !isLate);
    for (const value of values) if (value.isLate) late.push(value);
    for (const { post, serviceId, channelId, at, value } of judged) {
      fresh.serviceIds.push(serviceId);
      fresh.channelIds.push(channelId);
      fresh.ats.push(at);
      fresh.values.push(value);
      count(answers[post], 'accepted');
    }
    return assess(parcel.watched, joinMoments(judged), now);
  });
  await giveEpisodes(tx, assessments, batch.takeEpisodes);
  const lateColumns = toColumns(late);
  const written = await write(tx, assessments, fresh, lateColumns, batch.sourceIds);
  countStored(late, written.late, answers);
  await noteBatch(tx, batch, { assessments, readings: [fresh, lateColumns], ...written });
  return { assessments, rowVersion: written.rowVersion, isLocked: false };
}

/** Channels that are new or were dated by a clock that was ahead, and times that may meet their double. */
const needsLock = ({ watched: { config, channels }, entries }: Parcel, now: Instant): boolean =>
  entries.some(
    ({ entry }) =>
      entry.at > now ||
      entry.values.some(
        ([name]) => !config.channels.has(name) || isAhead(channels.get(name)?.at ?? null, now),
      ),
  );

const NOTHING: Statement<never> = sql`select where false`;

async function write(
  tx: Tx,
  assessments: readonly Assessment[],
  fresh: ReadingColumns,
  late: ReadingColumns,
  sourceIds: ReadonlySet<number>,
) {
  const changed = assessments.filter(isChanged);
  const {
    moved: [moved],
    sources,
    stored,
    version: [version],
    seal: [seal],
  } = await tx.queryAll({
    moved: moveRowsOn(assessments),
    changed: changed.length > 0 ? writeRows(changed, false) : NOTHING,
    sources: selectSources([...sourceIds]),
    stored: late.ats.length > 0 ? insertNewReadings(late) : NOTHING,
    fresh: fresh.ats.length > 0 ? insertReadings(fresh) : NOTHING,
    version: selectRowVersion,
    seal: joinSeal(),
  });
  if (moved.count !== assessments.length) throw new OutdatedMemory();
  return { sources, late: stored, ...version, ...seal };
}
