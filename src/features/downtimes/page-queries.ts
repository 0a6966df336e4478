import sql, { type Sql } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { WITH_PLACE } from '../../engine/sql-parts/place.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface ListedWindow {
  id: number;
  serviceId: ServiceId;
  organizationId: OrganizationId;
  serviceName: string;
  locationName: string | null;
  startAt: Date;
  endAt: Date;
  reason: string;
  /** null: the account no longer exists. */
  createdByName: string | null;
  /** The first other window of the same service at the same time. */
  otherStartAt: Date | null;
  otherEndAt: Date | null;
}

const selectWindows = (
  db: ReadDatabase,
  organizationIds: OrganizationId[],
  { when, order }: { when: Sql; order: Sql },
) =>
  db.query<ListedWindow>(sql`
    select downtime.id, downtime.service_id as "serviceId", service.organization_id as "organizationId",
      service.name as "serviceName", location.name as "locationName", downtime.start_at as "startAt", downtime.end_at as "endAt", downtime.reason,
      case when exists (select from account where account.id = downtime.created_by_id)
        then downtime.created_by_name end as "createdByName",
      other.start_at as "otherStartAt", other.end_at as "otherEndAt"
    from downtime
    join service on service.id = downtime.service_id
    ${WITH_PLACE}
    left join lateral (
      select start_at, end_at from downtime other
      where other.service_id = downtime.service_id and other.id <> downtime.id
        and other.start_at < downtime.end_at and other.end_at > downtime.start_at
      order by start_at, id limit 1) other on true
    where service.organization_id = any(${organizationIds}::int[]) and service.archived_at is null and ${when}
    order by ${order}`);

/** What ends first, first. */
export const selectWindowsNow = (db: ReadDatabase, organizationIds: OrganizationId[], now: Date) =>
  selectWindows(db, organizationIds, {
    when: sql`downtime.end_at > ${now} and downtime.start_at <= ${now}`,
    order: sql`downtime.end_at, downtime.id`,
  });

export const selectComingWindows = (db: ReadDatabase, organizationIds: OrganizationId[], now: Date) =>
  selectWindows(db, organizationIds, {
    when: sql`downtime.start_at > ${now}`,
    order: sql`downtime.start_at, downtime.id limit 500`,
  });

/** One more than the page holds, to know whether there is another. */
export const selectPastWindows = (
  db: ReadDatabase,
  organizationIds: OrganizationId[],
  { skip, take }: { skip: number; take: number },
  now: Date,
) =>
  selectWindows(db, organizationIds, {
    when: sql`downtime.end_at <= ${now}`,
    order: sql`downtime.end_at desc, downtime.id desc offset ${skip} limit ${take + 1}`,
  });

export const selectWindow = async (
  db: ReadDatabase,
  downtimeId: number,
  organizationIds: OrganizationId[],
  now: Date,
) =>
  first(
    await selectWindows(db, organizationIds, {
      when: sql`downtime.id = ${downtimeId} and downtime.end_at > ${now}`,
      order: sql`downtime.id`,
    }),
  );

export interface ServiceChoice {
  id: ServiceId;
  name: string;
  organizationId: OrganizationId;
  locationName: string | null;
}

/** By name, those that match; the wanted one comes along whether or not it does. */
export const selectServiceChoices = (
  db: ReadDatabase,
  organizationIds: OrganizationId[],
  { search, wantedId, most }: { search: string; wantedId: number | null; most: number },
) =>
  db.query<ServiceChoice>(sql`
    select service.id, service.name, service.organization_id as "organizationId", location.name as "locationName"
    from service
    ${WITH_PLACE}
    where service.organization_id = any(${organizationIds}::int[]) and service.archived_at is null
      and (position(lower(${search}) in lower(service.name)) > 0 or service.id = ${wantedId}::int)
    order by service.id is distinct from ${wantedId}::int, lower(service.name), service.id limit ${most}`);
