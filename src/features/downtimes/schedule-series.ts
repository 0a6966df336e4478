// Downtimes that come again: planned once, each of them a downtime like any other.

import type { Requester } from '../../domain/accounts/requester.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { MOSTS } from '../../domain/mosts.ts';
import { addDays, isClock, isDay, localDay, plainClock } from '../../domain/on-call/local-instant.ts';
import {
  LONGEST_OCCURRENCE_MINUTES,
  LONGEST_SERIES_DAYS,
  type Series,
} from '../../domain/quiet-times/series.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import {
  countSeries,
  endSeries,
  insertSeries,
  readOneSeries,
  writeOccurrences,
} from '../../engine/quiet-times/series.ts';
import { type OperateRefusal, operateOnService } from '../../engine/services/operate-on-service.ts';
import type { Tx } from '../../platform/db/database.ts';
import { readRule, type SeriesValues } from './series-form.tsx';

export type SeriesRefusal =
  | OperateRefusal
  | 'no_reason'
  | 'not_a_day'
  | 'not_a_time'
  | 'no_rule'
  | 'not_minutes'
  | 'until_out_of_range'
  | 'too_many_of_service'
  | 'too_many_of_organization'
  | 'no_such_series';

/** What the form says, without whom it is for. */
export function readSeries(values: SeriesValues, timeZone: string, now: Date): Result<Series, SeriesRefusal> {
  const { first_day: firstDay, start, until_day: untilDay, duration } = values;
  const localStart = plainClock(start);
  if (!isDay(firstDay) || !isDay(untilDay)) return refuse('not_a_day');
  if (!isClock(localStart)) return refuse('not_a_time');
  const minutes = Number(duration);
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > LONGEST_OCCURRENCE_MINUTES)
    return refuse('not_minutes');
  if (
    untilDay < firstDay ||
    untilDay > addDays(firstDay, LONGEST_SERIES_DAYS) ||
    untilDay < localDay(now, timeZone)
  )
    return refuse('until_out_of_range');
  const rule = readRule(values);
  return rule === null ? refuse('no_rule') : ok({ firstDay, localStart, untilDay, minutes, timeZone, rule });
}

export async function scheduleSeries(
  tx: Tx,
  requester: Requester,
  { serviceId, values }: { serviceId: ServiceId; values: SeriesValues },
  now: Date,
): Promise<Result<number, SeriesRefusal>> {
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: false });
  if (!operation.ok) return operation;
  const { service, accountId } = operation.value;
  if (values.reason.trim() === '') return refuse('no_reason');
  const series = readSeries(values, requester.timezone, now);
  if (!series.ok) return series;
  const { ofService, ofOrganization } = await countSeries(tx, serviceId, now);
  if (ofService >= MOSTS.serviceSeries.most) return refuse('too_many_of_service');
  if (ofOrganization >= MOSTS.series.most) return refuse('too_many_of_organization');
  const { reason } = values;
  const id = await insertSeries(
    tx,
    { ...series.value, serviceId, reason, author: { accountId, name: requester.name } },
    now,
  );
  const stored = await readOneSeries(tx, id);
  if (stored) await writeOccurrences(tx, service.id, stored, now);
  const detail = { series: id, reason, ...series.value };
  const { organizationId } = service;
  await writeAudit(tx, requester, { action: 'downtime.series', organizationId, serviceId, detail }, now);
  return ok(id);
}

/** What has begun goes on; what was to come is gone. */
export async function stopSeries(
  tx: Tx,
  requester: Requester,
  { seriesId }: { seriesId: number },
  now: Date,
): Promise<Result<number, SeriesRefusal>> {
  const series = await readOneSeries(tx, seriesId);
  if (!series) return refuse('no_such_series');
  const { serviceId } = series;
  const operation = await operateOnService(tx, requester, serviceId, { evenIfArchived: true });
  if (!operation.ok) return operation;
  const { service } = operation.value;
  const cancelled = await endSeries(tx, service.id, seriesId, now);
  const detail = { series: seriesId, reason: series.reason, cancelled };
  const { organizationId } = service;
  await writeAudit(tx, requester, { action: 'downtime.series.end', organizationId, serviceId, detail }, now);
  return ok(cancelled);
}
