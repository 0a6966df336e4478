// The services are held and looked up anew before they are judged, and whether a reading is new is seen by storing it.

import type { ServiceId } from '../../domain/ids.ts';
import { isAhead } from '../../domain/judging/clock-set-back.ts';
import type { Instant } from '../../domain/judging/judge.ts';
import type { Tx } from '../../platform/db/database.ts';
import { selectRowVersion, writeRows } from '../alarm-state/alarm-rows.ts';
import { assess } from '../alarm-state/assess.ts';
import type { WatchedService } from '../alarm-state/watched-service.ts';
import { giveEpisodes } from '../alarm-state/write-assessments.ts';
import { lookAgain } from '../outbox/look-again.ts';
import { joinSeal } from '../readings/rollup-marks.ts';
import { insertNewReadings, selectNewestUntil } from '../readings/write-readings.ts';
import { lockParcels } from './lock-parcels.ts';
import { type Batch, type IngestedBatch, noteBatch } from './note-batch.ts';
import { selectSources } from './queries.ts';
import { countStored, joinMoments, type SortedValue, sortValues, toColumns } from './sort-readings.ts';

export async function ingestUnderLock(tx: Tx, batch: Batch): Promise<IngestedBatch> {
  const { sorted, sourceIds, catalogue, takeEpisodes } = batch;
  const now = batch.now.getTime();
  const parcels = await lockParcels(tx, catalogue, sorted, batch.now);
  const ahead = parcels.flatMap(({ watched }) => listAhead(watched, now));
  const newestAt = ahead.length > 0 ? await selectNewestUntil(tx, ahead, batch.now) : undefined;
  if (ahead.length > 0) noteAhead(tx, batch, ahead);
  const sent = parcels.map((parcel) => sortValues(parcel, now, sorted.answers, newestAt));
  const readings = toColumns(sent.flat());
  const stored = await tx.query(insertNewReadings(readings));
  const isNew = countStored(sent.flat(), stored, sorted.answers);
  const assessments = parcels.map(({ watched }, index) => {
    const judged = (sent[index] ?? []).filter((value) => !value.isLate && isNew(value));
    return assess(watched, momentsUntil(now, judged), now);
  });
  await giveEpisodes(tx, assessments, takeEpisodes);
  tx.later(writeRows(assessments, true));
  const [sources, [version], [seal]] = await tx.queryAll([
    selectSources([...sourceIds]),
    selectRowVersion,
    joinSeal(),
  ]);
  await noteBatch(tx, batch, { assessments, readings: [readings], sources, ...seal });
  return { assessments, ...version, isLocked: true };
}

/** Channels whose newest reading was dated by a clock that was ahead of this one. */
const listAhead = ({ config, channels }: WatchedService, now: Instant) =>
  [...channels].flatMap(([name, { at }]) => {
    const channelId = config.channels.get(name)?.id;
    if (channelId === undefined || at === null || !isAhead(at, now)) return [];
    return [{ serviceId: config.serviceId, channelId, aheadMs: at - now }];
  });

/** What was planned to be told of them was planned by the wrong clock. */
function noteAhead(tx: Tx, batch: Batch, ahead: readonly { serviceId: ServiceId; aheadMs: number }[]): void {
  const serviceIds = [...new Set(ahead.map(({ serviceId }) => serviceId))];
  lookAgain(tx, serviceIds, batch.now);
  batch.noteAhead?.(serviceIds.length, Math.max(...ahead.map(({ aheadMs }) => aheadMs)));
}

/** One ahead of the clock is judged at the time of receipt. */
const momentsUntil = (now: Instant, values: readonly SortedValue[]) =>
  joinMoments(values).map(({ at, values }) => ({ at: Math.min(at, now), values }));
