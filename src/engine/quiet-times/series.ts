// Series of downtimes: what comes within fourteen days is an ordinary downtime, which can be listed and cancelled like any.
import sql, { type Sql } from 'sql-template-tag';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import { listOccurrences, type Series } from '../../domain/quiet-times/series.ts';
import { type Database, first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { eachAlone } from '../../platform/process/each-alone.ts';
import { type LockedService, lockAlarmState } from '../journal/lock-alarm-states.ts';
import { lookAgain } from '../outbox/look-again.ts';

const AHEAD_MS = 14 * 24 * 60 * 60_000;

export interface StoredSeries extends Series {
  id: number;
  serviceId: ServiceId;
  serviceName: string;
  organizationId: OrganizationId;
  reason: string;
  skipped: string[];
  createdById: AccountId;
  createdByName: string;
}

const askSeries = (which: Sql): Statement<StoredSeries> => sql`
    select series.id, series.service_id as "serviceId", service.name as "serviceName",
      service.organization_id as "organizationId", first_day::text as "firstDay", until_day::text as "untilDay",
      to_char(local_start, 'HH24:MI') as "localStart", minutes, timezone as "timeZone", rule, reason,
      skipped::text[] as "skipped", created_by_id as "createdById", created_by_name as "createdByName"
    from downtime_series series join service on service.id = series.service_id
    where ended_at is null and archived_at is null and ${which} order by service.name, series.id`;

const selectSeries = (db: ReadDatabase, which: Sql) => db.query(askSeries(which));

export const askSeriesOf = (serviceId: ServiceId): Statement<StoredSeries> =>
  askSeries(sql`series.service_id = ${serviceId}`);

export const readSeries = (db: ReadDatabase, organizationIds: readonly OrganizationId[], now: Date) =>
  selectSeries(
    db,
    sql`service.organization_id = any(${organizationIds}::int[]) and until_day >= ${now}::date - 1`,
  );

export const readOneSeries = async (db: ReadDatabase, id: number) =>
  first(await selectSeries(db, sql`series.id = ${id}`));

/** That have not ended. */
export const countSeries = async (db: ReadDatabase, serviceId: ServiceId, now: Date) =>
  first(
    await db.query<{ ofService: number; ofOrganization: number }>(sql`
      select count(*) filter (where series.service_id = ${serviceId})::int as "ofService",
        count(*)::int as "ofOrganization"
      from downtime_series series join service on service.id = series.service_id
      where ended_at is null and until_day >= ${now}::date - 1
        and service.organization_id = (select organization_id from service where id = ${serviceId})`),
  ) ?? { ofService: 0, ofOrganization: 0 };

interface NewSeries extends Series {
  serviceId: ServiceId;
  reason: string;
  author: { accountId: AccountId; name: string };
}

export const insertSeries = async (tx: Tx, series: NewSeries, now: Date): Promise<number> => {
  const row = first(
    await tx.query<{ id: number }>(sql`
      insert into downtime_series (service_id, first_day, local_start, minutes, timezone, rule, until_day, reason,
        created_by_id, created_by_name, created_at)
      values (${series.serviceId}, ${series.firstDay}, ${series.localStart}, ${series.minutes}, ${series.timeZone},
        ${series.rule}, ${series.untilDay}, ${series.reason}, ${series.author.accountId}, ${series.author.name}, ${now})
      returning id`),
  );
  if (!row) throw new Error('The series was not written');
  return row.id;
};

/** What has begun goes on to its end. Answers how many are gone. */
export async function endSeries(tx: Tx, serviceId: LockedService, id: number, now: Date): Promise<number> {
  await tx.query(sql`
    update downtime_series set ended_at = ${now}
    where id = ${id} and service_id = ${serviceId} and ended_at is null`);
  return (
    await tx.query(sql`
      delete from downtime where series_id = ${id} and service_id = ${serviceId} and start_at > ${now} returning id`)
  ).length;
}

/** As it stands now: those that were cancelled are left out. */
export const listPlanned = (series: StoredSeries, from: Date, until: Date) =>
  listOccurrences(series, from, until).filter(({ day }) => !series.skipped.includes(day));

/** What is there already, or was cancelled, is left out. */
export async function writeOccurrences(
  tx: Tx,
  serviceId: LockedService,
  series: StoredSeries,
  now: Date,
): Promise<number> {
  const rows = listPlanned(series, now, new Date(now.getTime() + AHEAD_MS)).map(
    ({ day, startAt, endAt }) => ({ day, startAt: startAt.toISOString(), endAt: endAt.toISOString() }),
  );
  if (rows.length === 0) return 0;
  const { id, reason, createdById, createdByName } = series;
  const written = await tx.query(sql`
    insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at, series_id,
      series_day)
    select ${serviceId}, "startAt", "endAt", ${reason}, ${createdById}, ${createdByName}, ${now}, ${id}, day
    from json_to_recordset(${JSON.stringify(rows)}) as given (day date, "startAt" timestamptz, "endAt" timestamptz)
    where not exists (select from downtime_series where id = ${id} and (day = any(skipped) or ended_at is not null))
    on conflict (series_id, series_day) where series_id is not null do nothing
    returning id`);
  if (written.length > 0) lookAgain(tx, [serviceId], now);
  return written.length;
}

/** Every hour; which of several programs does it makes no difference. */
export async function extendSeries(db: Database, now: Date): Promise<void> {
  const open = await selectSeries(db, sql`until_day >= ${now}::date - 8`);
  await eachAlone(
    open,
    ({ id }) => `series ${id}`,
    (series) =>
      db.transaction(async (tx) => {
        await writeOccurrences(tx, await lockAlarmState(tx, series.serviceId), series, now);
      }),
  );
}
