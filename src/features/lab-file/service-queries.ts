import sql, { raw, type Sql } from 'sql-template-tag';
import type { ChannelKind } from '../../domain/equipment/channel-kind.ts';
import type { ServiceSettings } from '../../domain/equipment/service-settings.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Band } from '../../domain/judging/band.ts';
import type { Tx } from '../../platform/db/database.ts';

export interface ServiceRow extends ServiceSettings {
  id: ServiceId;
  key: string | null;
  name: string;
  assetId: number | null;
  assetName: string | null;
  isArchived: boolean;
}

export const selectServices = (tx: Tx, organizationId: OrganizationId) =>
  tx.query<ServiceRow>(sql`
    select service.id, service.key, service.name, service.asset_id as "assetId", asset.name as "assetName",
      service.archived_at is not null as "isArchived",
      stale_after_minutes as "staleAfterMinutes", notification_group_id as "notificationGroupId",
      send_critical as "sendCritical", send_warning as "sendWarning",
      send_acknowledgements as "sendAcknowledgements", send_recoveries as "sendRecoveries",
      repeat_interval_minutes as "repeatIntervalMinutes",
      enable_system_notifications as "enableSystemNotifications",
      system_notification_delay_minutes as "systemNotificationDelayMinutes"
    from service
      join service_settings on service_settings.service_id = service.id
      left join asset on asset.id = service.asset_id
    where service.organization_id = ${organizationId}
    order by service.id`);

export interface DeviceRow {
  id: number;
  key: string;
  serviceId: ServiceId | null;
  uplinkIntervalMinutes: number | null;
}

export const selectDevices = (tx: Tx, organizationId: OrganizationId) =>
  tx.query<DeviceRow>(sql`
    select id, key, service_id as "serviceId", uplink_interval_minutes as "uplinkIntervalMinutes"
    from device where organization_id = ${organizationId}`);

export interface ChannelRow {
  serviceId: ServiceId;
  name: string;
  label: string | null;
  unit: string | null;
  kind: ChannelKind;
  offWord: string | null;
  onWord: string | null;
}

export const selectChannels = (tx: Tx, organizationId: OrganizationId) =>
  tx.query<ChannelRow>(sql`
    select service_id as "serviceId", channel.name, label, unit, kind, off_word as "offWord", on_word as "onWord"
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
      coalesce(json_agg(json_build_object('band', band, 'limit', limit_value,
        'delayMinutes', delay_minutes, 'sustainedMinutes', sustained_minutes)) filter (where band is not null), '[]') as "bands"
    from limits_version
      join service on service.id = service_id
      left join limits_band on limits_version_id = limits_version.id
    where organization_id = ${organizationId} and retired_at is null
    group by limits_version.id`);

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

export const insertLocations = (tx: Tx, organizationId: OrganizationId, names: string[]) =>
  tx.query<{ name: string }>(sql`
    insert into location (organization_id, name)
    select ${organizationId}, unnest(${names}::text[])
    on conflict (organization_id, name) do nothing returning name`);

/** An asset that is there already gets the location it is given here. */
export const upsertAssets = (
  tx: Tx,
  organizationId: OrganizationId,
  assets: { name: string; location: string | null }[],
) =>
  tx.query<{ id: number; name: string }>(sql`
    insert into asset (organization_id, name, location_id)
    select ${organizationId}, given.name, location.id
    from unnest(${assets.map(({ name }) => name)}::text[], ${assets.map(({ location }) => location)}::text[])
      as given (name, location)
      left join location on location.name = given.location and location.organization_id = ${organizationId}
    on conflict (organization_id, name) do update set location_id = excluded.location_id
    returning id, name`);

export type ServiceFields = Pick<ServiceRow, 'key' | 'name' | 'assetId'>;

const SERVICE_COLUMNS: Record<keyof ServiceFields, string> = {
  key: 'key text',
  name: 'name text',
  assetId: 'asset_id int',
};

const SETTINGS_COLUMNS: Record<keyof ServiceSettings, string> = {
  staleAfterMinutes: 'stale_after_minutes int',
  notificationGroupId: 'notification_group_id int',
  sendCritical: 'send_critical bool',
  sendWarning: 'send_warning bool',
  sendAcknowledgements: 'send_acknowledgements bool',
  sendRecoveries: 'send_recoveries bool',
  repeatIntervalMinutes: 'repeat_interval_minutes int',
  enableSystemNotifications: 'enable_system_notifications bool',
  systemNotificationDelayMinutes: 'system_notification_delay_minutes int',
};

interface RowChanges<Row> {
  id: ServiceId;
  changes: Partial<Row>;
}

/** One statement, however many, because the services are held meanwhile. What a row's changes do not name stays. */
export const updateServices = (tx: Tx, rows: RowChanges<ServiceFields>[]): void =>
  tx.later(sql`
    update service set ${assign(SERVICE_COLUMNS)}
    from jsonb_to_recordset(${JSON.stringify(rows)}) as given (id int, changes jsonb) where service.id = given.id`);

export const updateSettings = (tx: Tx, rows: RowChanges<ServiceSettings>[]): void =>
  tx.later(sql`
    update service_settings set ${assign(SETTINGS_COLUMNS)}
    from jsonb_to_recordset(${JSON.stringify(rows)}) as given (id int, changes jsonb) where service_id = given.id`);

const assign = (columns: Record<string, string>): Sql =>
  raw(
    Object.entries(columns)
      .map(([field, definition]) => {
        const [column, type] = definition.split(' ');
        return `${column} = case when changes ? '${field}' then (changes->>'${field}')::${type} else ${column} end`;
      })
      .join(', '),
  );

export const releaseDevices = (tx: Tx, ids: number[]) =>
  tx.query(sql`update device set service_id = null where id = any(${ids}::int[])`);

/** Telemetry may bring devices up at the same moment, in the same order. One that is not returned was adopted by somebody else. */
export const attachDevices = (
  tx: Tx,
  devices: (Omit<DeviceRow, 'id' | 'serviceId'> & { organizationId: OrganizationId; serviceId: ServiceId })[],
  now: Date,
) =>
  tx.query<{ serviceId: ServiceId }>(sql`
    insert into device (organization_id, service_id, key, uplink_interval_minutes, created_at)
    select organization_id, service_id, key, uplink_interval_minutes, ${now}
    from unnest(${devices.map(({ organizationId }) => organizationId)}::int[],
      ${devices.map(({ serviceId }) => serviceId)}::int[], ${devices.map(({ key }) => key)}::text[],
      ${devices.map(({ uplinkIntervalMinutes }) => uplinkIntervalMinutes)}::float8[])
      as given (organization_id, service_id, key, uplink_interval_minutes)
    order by organization_id, lower(key)
    on conflict (organization_id, lower(key)) do update
    set service_id = excluded.service_id, uplink_interval_minutes = excluded.uplink_interval_minutes
    where device.service_id is null or device.service_id = excluded.service_id
    returning service_id as "serviceId"`);

export const upsertChannels = (tx: Tx, channels: ChannelRow[], now: Date) =>
  tx.query(sql`
    insert into channel (service_id, name, label, unit, kind, off_word, on_word, created_at)
    select service_id, name, label, unit, kind, off_word, on_word, ${now}
    from unnest(${channels.map(({ serviceId }) => serviceId)}::int[],
      ${channels.map(({ name }) => name)}::text[], ${channels.map(({ label }) => label)}::text[],
      ${channels.map(({ unit }) => unit)}::text[], ${channels.map(({ kind }) => kind)}::text[],
      ${channels.map(({ offWord }) => offWord)}::text[], ${channels.map(({ onWord }) => onWord)}::text[])
      as given (service_id, name, label, unit, kind, off_word, on_word)
    on conflict (service_id, name) do update
    set label = excluded.label, unit = excluded.unit, kind = excluded.kind, off_word = excluded.off_word,
      on_word = excluded.on_word`);
