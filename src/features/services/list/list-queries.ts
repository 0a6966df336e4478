import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { ChannelKind } from '../../../domain/equipment/channel-kind.ts';
import type { OrganizationId, ServiceId } from '../../../domain/ids.ts';
import type { Severity } from '../../../domain/judging/severity.ts';
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
import type { ListedState, ServiceFilter } from './service-filter.ts';

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

/**
 * In each organization the index gives the next services in order, so that a page costs by what it shows, however many
 * services there are. A search looks at all of them.
 */
export const selectServices = (
  db: ReadDatabase,
  organizationIds: OrganizationId[],
  filter: ServiceFilter,
  { limit, now }: { limit: number; now: Date },
) =>
  db.query<ListedService>(sql`
    select service.id, service.name, service.organization_id as "organizationId", asset.name as "assetName",
      location.name as "locationName", state.severity,
      state.severity_since as "severitySince", state.message, state.stale_since as "staleSince",
      ${IS_MUTED} as "isMuted",
      ${isInDowntime(now)} as "isInDowntime",
      ${IS_ACKNOWLEDGED} as "isAcknowledged",
      ${HAS_LIMITS} as "hasLimits", ${IS_HEARD} as "isHeard", ${IS_GATEWAY} as "isGateway"
    from (
      select listed.* from unnest(${organizationIds}::int[]) as own (id)
      cross join lateral (
        select id, organization_id, name, asset_id, natural_order(name) as rank from service
        where organization_id = own.id and archived_at is null ${isAfter(organizationIds, filter)}
          ${join([empty, ...filter.words.map(mentions)], ' and ')} ${isAt(filter)} ${isInState(filter.state, now)}
        order by natural_order(name), id limit ${limit}) listed
      order by rank, id limit ${limit}) service
    join alarm_state state on state.service_id = service.id
    ${WITH_PLACE}
    order by service.rank, service.id`);

/** A service of somebody else says nothing about the order of one's own. */
const isAfter = (organizationIds: OrganizationId[], { after }: ServiceFilter): Sql =>
  after === null
    ? empty
    : sql`and (natural_order(name), id) > (
        (select natural_order(name) from service
        where id = ${after} and organization_id = any(${organizationIds}::int[])), ${after}::int)`;

function mentions(word: string): Sql {
  const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql`(service.name ilike ${pattern}
    or exists (select from asset left join location on location.id = asset.location_id
      where asset.id = service.asset_id and (asset.name ilike ${pattern} or location.name ilike ${pattern}))
    or exists (select from device where service_id = service.id and key ilike ${pattern}))`;
}

const isAt = ({ locationId }: ServiceFilter): Sql =>
  locationId === null
    ? empty
    : sql`and asset_id in (select asset.id from asset where asset.location_id = ${locationId})`;

const UNWATCHED = sql`
  select service_id from alarm_state state where organization_id = own.id and ${IS_UNWATCHED}`;

function isInState(state: ListedState | null, now: Date): Sql {
  const active = sql`select service_id from alarm_state
    where organization_id = own.id and (severity <> 'normal' or stale_since is not null)`;
  switch (state) {
    case null:
      return empty;
    case 'critical':
    case 'warning':
      return sql`and id in (${active} and severity = ${state})`;
    case 'stale':
      return sql`and id in (${active} and stale_since is not null)`;
    case 'normal':
      return sql`and id not in (${active}) and id not in (${UNWATCHED})`;
    case 'unwatched':
      return sql`and id not in (${active}) and id in (${UNWATCHED})`;
    case 'muted':
      return sql`and id in (select service_id from mute where ended_at is null)`;
    case 'downtime':
      return sql`and id in (select service_id from downtime where start_at <= ${now} and end_at > ${now})`;
  }
}

export interface ListedChannel {
  id: number;
  serviceId: ServiceId;
  name: string;
  label: string | null;
  unit: string | null;
  kind: ChannelKind;
  offWord: string | null;
  onWord: string | null;
}

export const selectChannelsOf = (db: ReadDatabase, serviceIds: ServiceId[]) =>
  db.query<ListedChannel>(sql`
    select id, service_id as "serviceId", name, label, unit, kind, off_word as "offWord", on_word as "onWord"
    from channel
    where service_id = any(${serviceIds}::int[]) order by id`);

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
