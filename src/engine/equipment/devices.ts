import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { MOSTS } from '../../domain/mosts.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { keeping } from '../mosts/keep-most.ts';
import type { ReconfiguringTx } from '../services/reconfigure-services.ts';

interface DeviceName {
  organizationId: OrganizationId;
  key: string;
}

interface UnknownDevice {
  key: string;
  /** null: the command line. */
  sourceId: number | null;
}

/** Anybody with the secret of a source can make up more. */
export const MOST_NEW_A_MINUTE = 60;

/**
 * So that an administrator can adopt them, in the organization's turn: so many new ones of a source in a minute, and so many
 * of an organization, of which those that were not heard for the longest time make room. Answers with those that came too
 * fast.
 */
export const rememberDevices = (
  tx: Tx,
  organizationId: OrganizationId,
  devices: readonly UnknownDevice[],
  now: Date,
) =>
  tx.query<{ key: string }>(sql`
    with given as (
      select distinct on (lower(given.key)) given.key, lower(given.key) as name, source.name as heard_from
      from unnest(${devices.map(({ key }) => key)}::text[], ${devices.map(({ sourceId }) => sourceId)}::int[])
        as given (key, source_id)
      left join source on source.id = source_id
      order by lower(given.key)),
    fresh as (
      select key, name, heard_from, row_number() over (partition by heard_from order by name) as nth from given
      where not exists (
        select from device where organization_id = ${organizationId} and lower(device.key) = given.name)),
    recent as (
      select heard_from, count(*) as devices from device
      where organization_id = ${organizationId} and service_id is null and exists (select from fresh)
        and first_seen_at > ${new Date(now.getTime() - 60_000)}
      group by heard_from),
    surplus as (
      select fresh.key, fresh.name
      from fresh left join recent on recent.heard_from is not distinct from fresh.heard_from
      where nth + coalesce(recent.devices, 0) > ${MOST_NEW_A_MINUTE}),
    ranked as (
      select id, row_number() over (order by last_seen_at desc, id desc) as nth from device
      where organization_id = ${organizationId} and service_id is null and last_seen_at is not null
        and exists (select from fresh) and lower(key) not in (select name from given)),
    gone as (
      delete from device using ranked
      where device.id = ranked.id and device.service_id is null
        and nth > ${MOSTS.waitingDevices.most} - (select count(*) from given) + (select count(*) from surplus)),
    remembered as (
      insert into device (organization_id, key, heard_from, first_seen_at, last_seen_at, created_at)
      select ${organizationId}, key, heard_from, ${now}, ${now}, ${now} from given
      where name not in (select name from surplus)
      on conflict (organization_id, lower(key)) do update
      set first_seen_at = coalesce(device.first_seen_at, excluded.first_seen_at), last_seen_at = excluded.last_seen_at)
    select key from surplus`);

/** They said times that nobody can believe. */
export const noteSuspectClocks = (tx: Tx, devices: readonly (DeviceName & { at: Date })[]) =>
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
    await keeping(
      tx,
      'devices',
      [organizationId],
      tx.query<{ id: number }>(sql`
      insert into device (organization_id, key, created_at) values (${organizationId}, ${key}, ${now})
      on conflict (organization_id, lower(key)) do nothing returning id`),
    ),
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
  const owners = devices.map(({ organizationId }) => organizationId);
  return keeping(
    tx,
    'devices',
    owners,
    tx.query<{ serviceId: ServiceId; key: string }>(sql`
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
    returning service_id as "serviceId", lower(key) as "key"`),
  );
};

/** Nothing, while it belongs to a service. */
export const deleteDevice = (tx: Tx, id: number) =>
  tx.query<{ id: number }>(sql`delete from device where id = ${id} and service_id is null returning id`);
