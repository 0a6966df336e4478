import sql, { empty, type Sql } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../../domain/ids.ts';
import type { Severity } from '../../../domain/judging/severity.ts';
import { hasWords } from '../../../engine/equipment/find-units.ts';
import { WITH_PLACE } from '../../../engine/sql-parts/place.ts';
import {
  HAS_LIMITS,
  IS_ACKNOWLEDGED,
  IS_GATEWAY,
  IS_HEARD,
  IS_MUTED,
  IS_UNWATCHED,
  isInDowntime,
} from '../../../engine/sql-parts/service-state.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import type { ListedState, ListOrder, ServiceFilter } from './service-filter.ts';

export interface ListedService {
  id: ServiceId;
  name: string;
  organizationId: OrganizationId;
  assetName: string | null;
  locationName: string | null;
  severity: Severity;
  severitySince: Date | null;
  message: string | null;
  staleSince: Date | null;
  isMuted: boolean;
  isInDowntime: boolean;
  isAcknowledged: boolean;
  hasLimits: boolean;
  isHeard: boolean;
  isGateway: boolean;
}

export interface Listed {
  organizationIds: OrganizationId[];
  filter: ServiceFilter;
  /** At which locations; null: at any, and nowhere. */
  locationIds: number[] | null;
  now: Date;
  /** Of these alone. */
  only?: readonly ServiceId[];
}

/**
 * In each organization an index gives the next services in order, so that a page costs by what it shows, however many
 * services there are. A search looks at all of them.
 */
export const selectServices = (
  db: ReadDatabase,
  listed: Listed,
  { skip, most }: { skip: number; most: number },
) =>
  db.query<ListedService>(sql`
    select service.id, service.name, service.organization_id as "organizationId", asset.name as "assetName",
      location.name as "locationName", state.severity,
      state.severity_since as "severitySince", state.message, state.stale_since as "staleSince",
      ${IS_MUTED} as "isMuted",
      ${isInDowntime(listed.now)} as "isInDowntime",
      ${IS_ACKNOWLEDGED} as "isAcknowledged",
      ${HAS_LIMITS} as "hasLimits", ${IS_HEARD} as "isHeard", ${IS_GATEWAY} as "isGateway"
    from (
      select service_id, row_number() over (order by ${ORDERS[listed.filter.order]}) as position
      from (${inOrder(listed, skip + most)}) found
      order by position offset ${skip} limit ${most}) found
    join service on service.id = found.service_id
    join alarm_state state on state.service_id = service.id
    ${WITH_PLACE}
    order by found.position`);

export const countServices = async (db: ReadDatabase, listed: Listed): Promise<number> => {
  const [found] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from service_search found
    where found.organization_id = any(${listed.organizationIds}::int[]) and ${isListed(listed)}`);
  return found?.count ?? 0;
};

const ORDERS: Record<ListOrder, Sql> = {
  state: sql`rank, name_order, service_id`,
  name: sql`name_order, service_id`,
  '-name': sql`name_order desc, service_id desc`,
  place: sql`place_order, name_order, service_id`,
  '-place': sql`place_order desc, name_order desc, service_id desc`,
};

/** Not more of each organization than are to be shown. */
function inOrder(listed: Listed, most: number): Sql {
  const { organizationIds, filter } = listed;
  const byOrganization = (rank: Sql, order: ListOrder, also: Sql) => sql`
    select found.*, ${rank} as rank from unnest(${organizationIds}::int[]) as own (id)
    cross join lateral (
      select service_id, name_order, place_order from service_search found
      where found.organization_id = own.id and ${isListed(listed)} ${also}
      order by ${ORDERS[order]} limit ${most}) found`;
  if (filter.order !== 'state') return byOrganization(sql`0`, filter.order, empty);
  return sql`
    (select found.service_id, name_order, place_order,
      case severity when 'critical' then 0 when 'warning' then 1 else 2 end as rank
    from (${activeIn(organizationIds)}) state
    join service_search found on found.service_id = state.service_id and ${isListed(listed)})
    union all (${byOrganization(
      sql`3`,
      'name',
      sql`
      and found.service_id not in (select service_id from (${activeIn(organizationIds)}) state)`,
    )})`;
}

const isListed = ({ organizationIds, filter, locationIds, now, only }: Listed): Sql => sql`
  not found.is_archived ${only ? sql`and found.service_id = any(${only}::int[])` : empty} and ${hasWords(filter.words, organizationIds)} ${isAt(locationIds)}
  ${isInState(filter.state, organizationIds, now)}`;

const isAt = (locationIds: number[] | null): Sql =>
  locationIds === null
    ? empty
    : sql`and found.service_id in (
        select service.id from asset join service on service.asset_id = asset.id
        where asset.location_id = any(${locationIds}::int[]))`;

/** Sets that do not depend on the row are made once, and looked into. */
const activeIn = (organizationIds: OrganizationId[]): Sql => sql`
  select state.service_id, severity, stale_since from alarm_state state
  where state.organization_id = any(${organizationIds}::int[]) and (severity <> 'normal' or stale_since is not null)`;

const unwatchedIn = (organizationIds: OrganizationId[]): Sql => sql`
  select state.service_id from alarm_state state
  where state.organization_id = any(${organizationIds}::int[]) and ${IS_UNWATCHED}`;

function isInState(state: ListedState | null, organizationIds: OrganizationId[], now: Date): Sql {
  const active = sql`select service_id from (${activeIn(organizationIds)}) active`;
  const unwatched = unwatchedIn(organizationIds);
  switch (state) {
    case null:
      return empty;
    case 'critical':
    case 'warning':
      return sql`and found.service_id in (${active} where severity = ${state})`;
    case 'stale':
      return sql`and found.service_id in (${active} where stale_since is not null)`;
    case 'normal':
      return sql`and found.service_id not in (${active}) and found.service_id not in (${unwatched})`;
    case 'unwatched':
      return sql`and found.service_id not in (${active}) and found.service_id in (${unwatched})`;
    case 'muted':
      return sql`and found.service_id in (select service_id from mute where ended_at is null)`;
    case 'downtime':
      return sql`and found.service_id in (
        select service_id from downtime where start_at <= ${now} and end_at > ${now})`;
  }
}

interface FilterChoice {
  id: number;
  name: string;
  organizationId: OrganizationId;
  organizationName: string;
}

/** The organizations by name, each with its locations. */
export const selectLocations = (db: ReadDatabase, organizationIds: OrganizationId[]) =>
  db.query<Omit<FilterChoice, 'id' | 'name'> & { locations: { id: number; name: string }[] }>(sql`
    select organization.id as "organizationId", organization.name as "organizationName",
      coalesce((select json_agg(json_build_object('id', id, 'name', name) order by natural_order(name))
        from location where organization_id = organization.id), '[]') as "locations"
    from organization where id = any(${organizationIds}::int[]) order by natural_order(name), id`);
