import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import type { ReconfiguringTx } from '../services/reconfigure-services.ts';

interface UnknownDevice {
  organizationId: OrganizationId;
  key: string;
}

/** So that an administrator can adopt them: so many of an organization. Answers with those that there was no room for. */
export const rememberDevices = (tx: Tx, devices: readonly UnknownDevice[], most: number, now: Date) =>
  tx.query<UnknownDevice>(sql`
    with given as (
      select distinct on ("organizationId", lower(key)) "organizationId" as organization_id, key, lower(key) as name
      from json_to_recordset(${JSON.stringify(devices)}) as given ("organizationId" int, key text)
      order by "organizationId", lower(key)),
    fresh as (
      select organization_id, key, name, row_number() over (partition by organization_id order by name) as nth
      from given
      where not exists (
        select from device where device.organization_id = given.organization_id and lower(device.key) = given.name)),
    waiting as (
      select organization_id, count(*) as already from device
      where service_id is null and organization_id in (select organization_id from fresh)
      group by organization_id),
    surplus as (
      select fresh.organization_id, key, name
      from fresh left join waiting on waiting.organization_id = fresh.organization_id
      where nth + coalesce(already, 0) > ${most}),
    remembered as (
      insert into device (organization_id, key, first_seen_at, last_seen_at, created_at)
      select organization_id, key, ${now}, ${now}, ${now} from given
      where not exists (
        select from surplus where surplus.organization_id = given.organization_id and surplus.name = given.name)
      on conflict (organization_id, lower(key)) do update
      set first_seen_at = coalesce(device.first_seen_at, excluded.first_seen_at), last_seen_at = excluded.last_seen_at)
    select organization_id as "organizationId", key from surplus`);

/** They said times that nobody can believe. */
export const noteSuspectClocks = (tx: Tx, devices: readonly (UnknownDevice & { at: Date })[]) =>
  tx.query(sql`
    with given as (
      select * from unnest(${devices.map(({ organizationId }) => organizationId)}::int[],
        ${devices.map(({ key }) => key.toLowerCase())}::text[], ${devices.map(({ at }) => at)}::timestamptz[])
        as given (organization_id, name, at)),
    held as (
      select device.id, at from device join given on device.organization_id = given.organization_id
        and lower(device.key) = lower(given.name)
      order by device.id for no key update of device)
    update device set clock_suspect_at = held.at from held where device.id = held.id`);

/** null: there is one with this key already, in whatever letters. */
export const insertDevice = async (tx: Tx, organizationId: OrganizationId, key: string, now: Date) =>
  first(
    await tx.query<{ id: number }>(sql`
      insert into device (organization_id, key, created_at) values (${organizationId}, ${key}, ${now})
      on conflict (organization_id, lower(key)) do nothing returning id`),
  );

/** Nothing: it is no longer where it was seen, for somebody else was faster. */
export function moveDevice(tx: ReconfiguringTx, id: number, from: ServiceId | null, to: ServiceId | null) {
  if (to !== null) tx.later(ownChannels([to]));
  return tx.query<{ id: number }>(sql`
    update device set service_id = ${to}
    where id = ${id} and service_id is not distinct from ${from}::int returning id`);
}

/** Before another device joins them: what services have said so far was said by the only device they have. */
const ownChannels = (serviceIds: readonly ServiceId[]) => sql`
  update channel set device_id = lone.id
  from (select service_id, min(id) as id from device where service_id = any(${serviceIds}::int[])
    group by service_id having count(*) = 1) as lone
  where channel.service_id = lone.service_id and channel.device_id is null`;

export const updateInterval = (tx: ReconfiguringTx, id: number, minutes: number | null) =>
  tx.query(sql`update device set uplink_interval_minutes = ${minutes} where id = ${id}`);

export const releaseDevices = (tx: ReconfiguringTx, ids: number[]) =>
  tx.query(sql`update device set service_id = null where id = any(${ids}::int[])`);

export interface AttachedDevice {
  organizationId: OrganizationId;
  serviceId: ServiceId;
  key: string;
  uplinkIntervalMinutes: number | null;
}

/** Telemetry may bring devices up at the same moment, in the same order. One that is not returned was adopted by somebody else. */
export const attachDevices = (tx: ReconfiguringTx, devices: readonly AttachedDevice[], now: Date) => {
  tx.later(ownChannels(devices.map(({ serviceId }) => serviceId)));
  return tx.query<{ serviceId: ServiceId; key: string }>(sql`
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
    returning service_id as "serviceId", lower(key) as "key"`);
};

/** Nothing, while it belongs to a service. */
export const deleteDevice = (tx: Tx, id: number) =>
  tx.query<{ id: number }>(sql`delete from device where id = ${id} and service_id is null returning id`);
