import sql from 'sql-template-tag';
import type { Watching } from '../../domain/equipment/watching.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/judging/severity.ts';
import { keeping } from '../../engine/mosts/keep-most.ts';
import { WITH_PLACE } from '../../engine/sql-parts/place.ts';
import {
  HAS_LIMITS,
  IS_ACKNOWLEDGED,
  IS_GATEWAY,
  IS_HEARD,
  IS_MUTED,
  isInDowntime,
  LAST_TELEMETRY_AT,
} from '../../engine/sql-parts/service-state.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

export interface Wall {
  organizationId: OrganizationId;
  organizationName: string;
  timezone: string;
  /** Both null: it shows all of the organization. */
  locationId: number | null;
  branch: string | null;
  locationName: string | null;
  /** null: the organization has chosen none. */
  languageTag: string | null;
}

/** null: there is no such link, or it was revoked. */
export const selectWall = async (db: ReadDatabase, tokenHash: Buffer) =>
  first(
    await db.query<Wall>(sql`
      select organization.id as "organizationId", organization.name as "organizationName", organization.language as "languageTag", timezone,
        location_id as "locationId", branch, location.name as "locationName"
      from wall_link join organization on organization.id = wall_link.organization_id
      left join location on location.id = location_id
      where token_hash = ${tokenHash}`),
  );

export interface WatchedService extends Watching {
  id: ServiceId;
  name: string;
  locationName: string | null;
  severity: Severity;
  since: Date | null;
  staleSince: Date | null;
  lastTelemetryAt: Date | null;
  isAcknowledged: boolean;
  isMuted: boolean;
  isInDowntime: boolean;
}

/** Nothing about people: neither who acknowledged or muted, nor what they wrote. */
export const selectWatched = (
  db: ReadDatabase,
  { organizationId, locationIds }: { organizationId: OrganizationId; locationIds: number[] | null },
  now: Date,
) =>
  db.query<WatchedService>(sql`
    select service.id, service.name, location.name as "locationName", state.severity,
      state.severity_since as "since", state.stale_since as "staleSince",
      ${LAST_TELEMETRY_AT} as "lastTelemetryAt",
      ${IS_ACKNOWLEDGED} as "isAcknowledged",
      ${IS_MUTED} as "isMuted",
      ${isInDowntime(now)} as "isInDowntime",
      ${HAS_LIMITS} as "hasLimits", ${IS_HEARD} as "isHeard", ${IS_GATEWAY} as "isGateway"
    from service
    join alarm_state state on state.service_id = service.id
    join service_search on service_search.service_id = service.id
    ${WITH_PLACE}
    where service.organization_id = ${organizationId} and service.archived_at is null
      and (${locationIds}::int[] is null or asset.location_id = any(${locationIds}::int[]))
    order by service_search.name_order, service.id`);

export interface WallLink {
  id: number;
  name: string;
  locationName: string | null;
  branch: string | null;
  createdAt: Date;
}

export const selectLinks = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<WallLink>(sql`
    select wall_link.id, wall_link.name, location.name as "locationName", branch, created_at as "createdAt"
    from wall_link left join location on location.id = location_id
    where wall_link.organization_id = ${organizationId} order by wall_link.name`);

export const selectLocations = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<{ id: number; name: string }>(sql`
    select id, name from location where organization_id = ${organizationId} order by natural_order(name), id`);

/** null: the name is taken. */
export const insertLink = async (
  tx: Tx,
  link: {
    organizationId: OrganizationId;
    name: string;
    locationId: number | null;
    branch: string | null;
    tokenHash: Buffer;
    timezone: string;
  },
  now: Date,
) =>
  first(
    await keeping(
      tx,
      'walls',
      [link.organizationId],
      tx.query<{ id: number }>(sql`
      insert into wall_link (organization_id, name, location_id, branch, token_hash, timezone, created_at)
      values (${link.organizationId}, ${link.name}, ${link.locationId}, ${link.branch}, ${link.tokenHash}, ${link.timezone}, ${now})
      on conflict (organization_id, name) do nothing returning id`),
    ),
  );

/** null: it is gone already. */
export const deleteLink = async (tx: Tx, organizationId: OrganizationId, linkId: number) =>
  first(
    await tx.query<{ name: string }>(sql`
      delete from wall_link where organization_id = ${organizationId} and id = ${linkId} returning name`),
  );
