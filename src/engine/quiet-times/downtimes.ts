// Downtimes as rows: planned one by one, or of a series.
import sql from 'sql-template-tag';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import type { LockedService } from '../journal/lock-alarm-states.ts';
import { keepMost } from '../mosts/keep-most.ts';

interface NewDowntime extends DowntimeFields {
  serviceId: LockedService;
}

interface DowntimeFields {
  startAt: Date;
  endAt: Date;
  reason: string;
  author: { accountId: AccountId; name: string };
}

/**
 * Instants travel as UTC text: the driver would write them in the local time of the process, and offsets of former
 * centuries have seconds, which it drops.
 */
export const insertDowntime = async (
  tx: Tx,
  { serviceId, startAt, endAt, reason, author }: NewDowntime,
  now: Date,
) => {
  const written = first(
    await tx.query<{ id: number }>(sql`
      insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at)
      values (${serviceId}, ${startAt.toISOString()}, ${endAt.toISOString()}, ${reason}, ${author.accountId},
        ${author.name}, ${now})
      returning id`),
  );
  await keepMost(tx, 'downtimes', [serviceId], sql`end_at > ${now}`);
  return written;
};

/** One of each, in one statement. None of them may have as many as there can be. */
export const insertDowntimes = (
  tx: Tx,
  serviceIds: readonly LockedService[],
  { startAt, endAt, reason, author }: DowntimeFields,
  now: Date,
) =>
  tx.query<{ id: number; serviceId: ServiceId }>(sql`
    insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at)
    select unnest(${serviceIds}::int[]), ${startAt.toISOString()}::timestamptz, ${endAt.toISOString()}::timestamptz,
      ${reason}, ${author.accountId}::int, ${author.name}, ${now}
    returning id, service_id as "serviceId"`);

/** Those of them that are not over. None of them is of a series. */
export const deleteDowntimes = (
  tx: Tx,
  serviceIds: readonly LockedService[],
  downtimeIds: readonly number[],
  now: Date,
) =>
  tx.query<{ id: number; serviceId: ServiceId; reason: string; startAt: Date; endAt: Date }>(sql`
    delete from downtime
    where service_id = any(${serviceIds}::int[]) and id = any(${downtimeIds}::int[]) and series_id is null
      and end_at > ${now}
    returning id, service_id as "serviceId", reason, start_at as "startAt", end_at as "endAt"`);

/** Of a series: that day is left out from now on. null: somebody was faster. */
export const deleteDowntime = async (tx: Tx, serviceId: LockedService, downtimeId: number) =>
  first(
    await tx.query<{ reason: string; startAt: Date; endAt: Date }>(sql`
      with deleted as (
        delete from downtime where id = ${downtimeId} and service_id = ${serviceId}
        returning reason, start_at, end_at, series_id, series_day),
      skipped as (
        update downtime_series set skipped = array_append(skipped, series_day)
        from deleted where downtime_series.id = series_id)
      select reason, start_at as "startAt", end_at as "endAt" from deleted`),
  );
