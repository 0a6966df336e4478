// What has to be known of a service to judge it: loaded in one round trip, however many services.
import sql, { type Sql } from 'sql-template-tag';
import type { ChannelKind } from '../../domain/equipment/channel-kind.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Band } from '../../domain/judging/band.ts';
import type { ChannelState, Clearing, JudgedLimits } from '../../domain/judging/judge.ts';
import {
  findChannelSpan,
  findShortestInterval,
  findStaleSpan,
  type ReportingDevice,
} from '../../domain/judging/staleness.ts';
import { isDoor, tightenDoor } from '../../domain/rescue/door-time.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import type { RowsOf, Statement } from '../../platform/db/statement.ts';
import { BANDS } from '../sql-parts/limits.ts';

export interface Channel {
  id: number;
  name: string;
  label: string | null;
  unit: string | null;
  kind: ChannelKind;
  /** The channel whose probe this says does not measure; null: it is measured itself. */
  faultOf: string | null;
  /** When an alarm of it is over, beside its limits; left out: at once. */
  clear?: Clearing | null;
  /** Which of the devices says it; null: nobody knows. */
  deviceId: number | null;
  /** The unit that its sender declared; null: none yet. */
  sentUnit: string | null;
}

interface ServiceDevice extends ReportingDevice {
  key: string;
}

export interface ServiceConfig {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  /** Of alarm_state: as long as it is the same, all of this still holds. */
  configVersion: number;
  isArchived: boolean;
  /** It holds room for what is in another unit, and its door has half its time. */
  isDoorTight: boolean;
  /** Of the organization. */
  retentionYears: number;
  createdAt: Instant;
  devices: readonly ServiceDevice[];
  staleAfterMinutes: number;
  /** The shortest of its devices. */
  uplinkIntervalMinutes: number | null;
  channels: Map<string, Channel>;
  channelsById: Map<number, Channel>;
  /** By channel name; the service-wide limits already stand where they apply. */
  limits: Map<string, JudgedLimits>;
  serviceWide: JudgedLimits | null;
}

interface ServiceRow {
  serviceId: ServiceId;
  organizationId: OrganizationId;
  configVersion: number;
  isArchived: boolean;
  isDoorTight: boolean;
  retentionYears: number;
  createdAt: Date;
  devices: ServiceDevice[];
  staleAfterMinutes: number;
}

export interface LimitsRow {
  serviceId: ServiceId;
  versionId: number;
  channel: string | null;
  isPercentage: boolean;
  setpointChannel: string | null;
  stateChannel: string | null;
  bands: Band[];
}

type ChannelRow = Channel & { serviceId: ServiceId };

export async function loadServiceConfigs(
  db: ReadDatabase,
  serviceIds: readonly ServiceId[],
): Promise<ServiceConfig[]> {
  return toServiceConfigs(await db.queryAll(askServiceConfigs(sql`${serviceIds}::int[]`)));
}

export const askServiceConfigs = (serviceIds: Sql) => ({
  services: selectServices(serviceIds),
  channels: selectChannels(serviceIds),
  limits: selectLimits(serviceIds),
});

type Asked = ReturnType<typeof askServiceConfigs>;

export function toServiceConfigs({ services, channels, limits }: RowsOf<Asked>): ServiceConfig[] {
  const configs = new Map(services.map((row) => [row.serviceId, emptyConfig(row)]));
  for (const { serviceId, ...channel } of channels) addChannel(configs.get(serviceId), channel);
  for (const row of limits) addLimits(configs.get(row.serviceId), row);
  for (const config of configs.values())
    for (const channel of config.channels.values()) {
      applyServiceWide(config, channel);
      applyClearing(config, channel);
      applyTightDoor(config, channel);
    }
  return [...configs.values()];
}

const selectServices = (serviceIds: Sql): Statement<ServiceRow> => sql`
  select service.id as "serviceId", service.organization_id as "organizationId",
    config_version as "configVersion", archived_at is not null as "isArchived",
    exists (select from rescue where rescue.service_id = service.id and door_tight_since is not null) as "isDoorTight",
    retention_years as "retentionYears",
    service.created_at as "createdAt",
    stale_after_minutes as "staleAfterMinutes", coalesce((
      select json_agg(json_build_object('id', id, 'key', key, 'uplinkIntervalMinutes', uplink_interval_minutes) order by id)
      from device where device.service_id = service.id), '[]') as "devices"
  from service
  join organization on organization.id = service.organization_id
  join alarm_state on alarm_state.service_id = service.id
  join service_settings on service_settings.service_id = service.id
  where service.id = any(${serviceIds})`;

const selectChannels = (serviceIds: Sql): Statement<ChannelRow> => sql`
  select service_id as "serviceId", id, name, label, unit, kind, fault_of as "faultOf", device_id as "deviceId",
    sent_unit as "sentUnit",
    case when clear_margin > 0 or clear_minutes > 0
      then json_build_object('margin', clear_margin, 'forMs', clear_minutes * 60000) end as "clear"
  from channel where service_id = any(${serviceIds})`;

const selectLimits = (serviceIds: Sql): Statement<LimitsRow> => sql`
  select service_id as "serviceId", id as "versionId", channel, is_percentage as "isPercentage",
    setpoint_channel as "setpointChannel", state_channel as "stateChannel",
    ${BANDS} as "bands"
  from limits_version where service_id = any(${serviceIds}) and retired_at is null`;

/** Field by field: read for every reading, which is quick only as long as all are made of the same fields in the same order. */
const emptyConfig = (row: ServiceRow): ServiceConfig => ({
  serviceId: row.serviceId,
  organizationId: row.organizationId,
  configVersion: row.configVersion,
  isArchived: row.isArchived,
  isDoorTight: row.isDoorTight,
  retentionYears: row.retentionYears,
  createdAt: row.createdAt.getTime(),
  devices: row.devices,
  staleAfterMinutes: row.staleAfterMinutes,
  uplinkIntervalMinutes: findShortestInterval(row.devices),
  channels: new Map(),
  channelsById: new Map(),
  limits: new Map(),
  serviceWide: null,
});

function addChannel(config: ServiceConfig | undefined, channel: Channel): void {
  // Of one that has left.
  if (!config?.devices.some(({ id }) => id === channel.deviceId)) channel.deviceId = null;
  config?.channels.set(channel.name, channel);
  config?.channelsById.set(channel.id, channel);
}

/** A channel that joins the catalogue is judged from its first reading on: by limits that came with it, or the service-wide ones. */
export function joinChannels(
  config: ServiceConfig,
  added: readonly Channel[],
  preset: readonly LimitsRow[] = [],
): ServiceConfig {
  const joined: ServiceConfig = {
    ...config,
    configVersion: config.configVersion + 1,
    channels: new Map(config.channels),
    channelsById: new Map(config.channelsById),
    limits: new Map(config.limits),
  };
  for (const row of preset) addLimits(joined, row);
  for (const channel of added) {
    addChannel(joined, { ...config.channels.get(channel.name), ...channel });
    applyServiceWide(joined, channel);
  }
  return joined;
}

function addLimits(config: ServiceConfig | undefined, row: LimitsRow): void {
  if (!config) return;
  const bands = row.bands.flatMap(({ band, limit, sustainedMinutes }) =>
    limit === null ? [] : [{ band, limit, sustainedMs: sustainedMinutes * 60_000 }],
  );
  const { versionId, isPercentage, setpointChannel, stateChannel } = row;
  const limits = { versionId, isPercentage, setpointChannel, stateChannel, bands };
  if (row.channel === null) config.serviceWide = limits;
  else config.limits.set(row.channel, limits);
}

/** As `findLimitsFor` of domain/judging/limits.ts has it, once for all readings to come. */
function applyServiceWide(config: ServiceConfig, { name, kind }: Channel): void {
  if (config.serviceWide && kind === 'metric' && !config.limits.has(name))
    config.limits.set(name, config.serviceWide);
}

function applyClearing({ limits }: ServiceConfig, { name, clear }: Channel): void {
  const own = limits.get(name);
  if (clear && own) limits.set(name, { ...own, clear });
}

function applyTightDoor({ limits, isDoorTight }: ServiceConfig, channel: Channel): void {
  const own = isDoorTight && isDoor(channel) ? limits.get(channel.name) : undefined;
  if (own) limits.set(channel.name, tightenDoor(own));
}

/** Other than the service-wide ones. */
export const hasOwnLimits = ({ limits, serviceWide }: ServiceConfig, name: string): boolean =>
  limits.has(name) && limits.get(name)?.versionId !== serviceWide?.versionId;

/** For how long it may say nothing; null: for ever. */
export const findSpanOf = (config: ServiceConfig, name: string): number | null =>
  findChannelSpan(config, config.channels.get(name)?.deviceId ?? null);

/** What `findSilent` asks for. */
export const listen = (config: ServiceConfig, channels: ReadonlyMap<string, ChannelState>) => ({
  limits: config.limits,
  channels,
  isMetric: (name: string) => config.channels.get(name)?.kind === 'metric',
  spanMs: findStaleSpan(config),
  spanOf: (name: string) => findSpanOf(config, name),
});
