import sql from 'sql-template-tag';
import type { ServiceSettings } from '../../domain/equipment/service-settings.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Band } from '../../domain/judging/band.ts';
import type { ChannelFields } from '../../engine/equipment/channels.ts';
import { BANDS } from '../../engine/sql-parts/limits.ts';
import { SETTINGS } from '../../engine/sql-parts/settings.ts';
import type { Tx } from '../../platform/db/database.ts';

export interface ServiceRow extends ServiceSettings {
  id: ServiceId;
  key: string | null;
  name: string;
  assetId: number | null;
  assetName: string | null;
  template: string | null;
  isArchived: boolean;
}

export const selectServices = (tx: Tx, organizationId: OrganizationId) =>
  tx.query<ServiceRow>(sql`
    select service.id, service.key, service.name, service.asset_id as "assetId", asset.name as "assetName", service.template,
      service.archived_at is not null as "isArchived",
      ${SETTINGS}
    from service
      join service_settings on service_settings.service_id = service.id
      left join asset on asset.id = service.asset_id
    where service.organization_id = ${organizationId}
    order by service.id`);

export const selectServiceNames = (tx: Tx, organizationId: OrganizationId) =>
  tx.query<{ id: ServiceId; name: string }>(sql`
    select id, name from service where organization_id = ${organizationId} and archived_at is null`);

export interface DeviceRow {
  id: number;
  key: string;
  serviceId: ServiceId | null;
  uplinkIntervalMinutes: number | null;
}

export const selectDevices = (tx: Tx, organizationId: OrganizationId) =>
  tx.query<DeviceRow>(sql`
    select id, key, service_id as "serviceId", uplink_interval_minutes as "uplinkIntervalMinutes"
    from device where organization_id = ${organizationId} order by id`);

export const selectChannels = (tx: Tx, organizationId: OrganizationId) =>
  tx.query<ChannelFields>(sql`
    select service_id as "serviceId", channel.name, label, unit, kind, off_word as "offWord", on_word as "onWord",
      clear_margin as "clearMargin", clear_minutes as "clearMinutes"
    from channel join service on service.id = service_id
    where organization_id = ${organizationId}`);

export interface LimitsRow {
  serviceId: ServiceId;
  channel: string | null;
  isPercentage: boolean;
  setpointChannel: string | null;
  stateChannel: string | null;
  bands: Band[];
}

export const selectLimitsInForce = (tx: Tx, organizationId: OrganizationId) =>
  tx.query<LimitsRow>(sql`
    select service_id as "serviceId", channel, is_percentage as "isPercentage",
      setpoint_channel as "setpointChannel", state_channel as "stateChannel",
      ${BANDS} as "bands"
    from limits_version join service on service.id = service_id
    where organization_id = ${organizationId} and retired_at is null`);

export interface AssetRow {
  id: number;
  name: string;
  location: string | null;
}

export const selectAssets = (tx: Tx, organizationId: OrganizationId) =>
  tx.query<AssetRow>(sql`
    select asset.id, asset.name, location.name as "location"
    from asset left join location on location.id = location_id
    where asset.organization_id = ${organizationId}`);

export const selectLocations = (tx: Tx, organizationId: OrganizationId) =>
  tx.query<{ id: number; name: string }>(sql`
    select id, name from location where organization_id = ${organizationId}`);
