import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { LOCATION_NAME } from '../../engine/sql-parts/place.ts';
import { IS_UNWATCHED, isInDowntime, LAST_TELEMETRY_AT } from '../../engine/sql-parts/service-state.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

/** Services that the alarms list leaves out because they are in downtime now. */
export const countInDowntime = async (db: ReadDatabase, organizationIds: OrganizationId[], now: Date) =>
  first(
    await db.query<{ count: number }>(sql`
      select count(distinct service.id)::int as "count"
      from downtime join service on service.id = downtime.service_id
      where start_at <= ${now} and end_at > ${now} and service.organization_id = any(${organizationIds}::int[])
        and service.archived_at is null`),
  )?.count ?? 0;

/** When a downtime begins or ends next: nobody tells of that, for nobody does anything then. */
export const selectNextEdge = async (db: ReadDatabase, organizationIds: OrganizationId[], now: Date) =>
  first(
    await db.query<{ at: Date | null }>(sql`
      select min(case when start_at > ${now} then start_at else end_at end) as "at"
      from downtime join service on service.id = downtime.service_id
      where end_at > ${now} and service.organization_id = any(${organizationIds}::int[])
        and service.archived_at is null`),
  )?.at ?? null;

/** Services that cannot raise an alarm yet; not those that the alarms list shows, nor those in downtime. */
export const countUnwatched = async (
  db: ReadDatabase,
  organizationIds: readonly OrganizationId[],
  now: Date,
) =>
  first(
    await db.query<{ count: number }>(sql`
      select count(*)::int as "count"
      from service join alarm_state state on state.service_id = service.id
      where service.organization_id = any(${organizationIds}::int[]) and service.archived_at is null
        and state.severity = 'normal' and state.stale_since is null and ${IS_UNWATCHED} and not ${isInDowntime(now)}`),
  )?.count ?? 0;

export interface Watch {
  services: number;
  lastTelemetryAt: Date | null;
}

/** Reads every service's newest times: only for the page that has nothing else to show. */
export const selectWatch = async (db: ReadDatabase, organizationIds: OrganizationId[]) =>
  first(
    await db.query<Watch>(sql`
      select count(*)::int as "services", greatest(max(${LAST_TELEMETRY_AT}), (
        select max(last_at) from reading_inbox where organization_id = any(${organizationIds}::int[]))) as "lastTelemetryAt"
      from service
      join alarm_state state on state.service_id = service.id
      where service.organization_id = any(${organizationIds}::int[]) and service.archived_at is null`),
  ) ?? { services: 0, lastTelemetryAt: null };

export interface VisibleService {
  id: ServiceId;
  organizationId: OrganizationId;
  name: string;
  locationName: string | null;
}

/** null for an archived one too, and for one of another organization. */
export const selectVisibleService = async (
  db: ReadDatabase,
  serviceId: ServiceId,
  organizationIds: OrganizationId[],
) =>
  first(
    await db.query<VisibleService>(sql`
      select id, organization_id as "organizationId", name,
        ${LOCATION_NAME} as "locationName"
      from service
      where id = ${serviceId} and organization_id = any(${organizationIds}::int[]) and archived_at is null`),
  );

/** null: there is none that the reader may see. */
export const selectLocation = async (
  db: ReadDatabase,
  locationId: number,
  organizationIds: OrganizationId[],
) =>
  first(
    await db.query<{ id: number; name: string; organizationId: OrganizationId }>(sql`
      select id, name, organization_id as "organizationId" from location
      where id = ${locationId} and organization_id = any(${organizationIds}::int[])`),
  );

/** Through which their devices came, as far as that is known. */
export const selectSourceNames = async (db: ReadDatabase, serviceIds: readonly ServiceId[]) => {
  const rows = await db.query<{ serviceId: ServiceId; name: string }>(
    sql`
      select distinct on (service_id) service_id as "serviceId", source.name from device
      join source on source.organization_id = device.organization_id and source.name = heard_from
      where service_id = any(${serviceIds}::int[]) order by service_id, device.id`,
  );
  return new Map<number, string>(rows.map(({ serviceId, name }) => [serviceId, name]));
};
