// Whether the alarms list is still what it was: by the versions (xmin) of the alarm rows, and by what was noted of
// everything else that its entries are made of (`alarm_list_change`).
import sql, { type Sql } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { OneRow, Statement } from '../../platform/db/statement.ts';
import { IN_ORDER } from './queries.ts';

/** All that the list of some organizations depends on, but for time. */
export interface ListVersion {
  /** One that was set back to an earlier day, or took over from another, gives numbers of transactions a second time. */
  server: string;
  rows: string;
}

const isActiveIn = (organizationIds: OrganizationId[]): Sql => sql`
  (state.severity <> 'normal' or state.stale_since is not null)
  and state.organization_id = any(${organizationIds}::int[])`;

/** Which rows they are need not be said: what is written gets a version that nothing had before, what goes leaves fewer. */
export const selectListVersion = (organizationIds: OrganizationId[]): OneRow<ListVersion> => sql`
  select extract(epoch from pg_postmaster_start_time())::text as "server", concat(
    (select array_agg(state.xmin)::text from alarm_state state where ${isActiveIn(organizationIds)}), ' and ',
    (select array_agg(xmin)::text from alarm_list_change where organization_id = any(${organizationIds}::int[]))) as "rows"`;

export interface RowVersion {
  serviceId: ServiceId;
  version: string;
}

/** In the order of the list, with those that it leaves out. */
export const selectRowVersions = (organizationIds: OrganizationId[]): Statement<RowVersion> => sql`
  select state.service_id as "serviceId", state.xmin::text as "version" from alarm_state state
  where ${isActiveIn(organizationIds)} order by ${IN_ORDER}`;

export interface ListChange {
  version: string;
  /** null: any. */
  serviceIds: ServiceId[] | null;
}

export const selectListChanges = (organizationIds: OrganizationId[]): Statement<ListChange> => sql`
  select xmin::text as "version", service_ids as "serviceIds" from alarm_list_change
  where organization_id = any(${organizationIds}::int[])`;

interface Window {
  serviceId: ServiceId;
  startAt: Date;
  endAt: Date;
}

export const selectWindows = (serviceIds: ServiceId[], since: Date): Statement<Window> => sql`
  select service_id as "serviceId", start_at as "startAt", end_at as "endAt" from downtime
  where service_id = any(${serviceIds}::int[]) and end_at > ${since}`;
