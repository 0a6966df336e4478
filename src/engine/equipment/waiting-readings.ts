// The last readings of devices that wait to be adopted.

import sql, { type Sql } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { MOSTS } from '../../domain/mosts.ts';
import type { Database, ReadDatabase, Tx } from '../../platform/db/database.ts';

const MOST_WAITING_READINGS = MOSTS.waitingReadings.most;
const KEPT_HOURS = 24;

export interface HeardReading {
  device: string;
  model: string | null;
  /** null: the command line. */
  sourceId: number | null;
  channel: string;
  at: Instant;
  value: number;
  isState: boolean;
}

/** In the organization's turn, and after the devices are remembered. One statement, however many. */
export const keepReadings = (
  organizationId: OrganizationId,
  readings: readonly HeardReading[],
  now: Date,
): Sql => sql`
  with given as (
    select device.id as device_id, given.channel, given.at, given.value, given.is_state, given.model, given.source_id,
      row_number() over (partition by device.id order by given.at, given.nth) as nth,
      count(*) over (partition by device.id) as readings
    from unnest(${readings.map(({ device }) => device)}::text[], ${readings.map(({ model }) => model)}::text[],
      ${readings.map(({ sourceId }) => sourceId)}::int[], ${readings.map(({ channel }) => channel)}::text[],
      ${readings.map(({ at }) => new Date(at))}::timestamptz[], ${readings.map(({ value }) => value)}::float8[],
      ${readings.map(({ isState }) => isState)}::bool[]) with ordinality
      as given (key, model, source_id, channel, at, value, is_state, nth)
    join device on device.organization_id = ${organizationId} and lower(device.key) = lower(given.key)
    where device.service_id is null),
  described as (
    select distinct on (device_id) device_id, coalesce(model, '') as model, source.name as heard_from
    from given left join source on source.id = source_id order by device_id, nth desc),
  noted as (
    update device set model = coalesce(nullif(described.model, ''), device.model), heard_from = described.heard_from
    from described where device.id = device_id
      and (device.heard_from is distinct from described.heard_from
        or described.model <> '' and device.model is distinct from described.model)),
  counted as (
    insert into waiting_device (device_id, readings)
    select device_id, max(readings) from given group by device_id order by device_id
    on conflict (device_id) do update set readings = waiting_device.readings + excluded.readings
    returning device_id, readings)
  insert into waiting_reading (device_id, place, channel, at, value, is_state, received_at)
  select device_id, (counted.readings - given.readings + nth) % ${MOST_WAITING_READINGS}::int, channel, at, value,
    is_state, ${now}
  from given join counted using (device_id) where given.readings - nth < ${MOST_WAITING_READINGS}::int
  on conflict (device_id, place) do update
  set channel = excluded.channel, at = excluded.at, value = excluded.value, is_state = excluded.is_state,
    received_at = excluded.received_at`;

export interface WaitingReading {
  channel: string;
  at: Date;
  value: number;
  isState: boolean;
}

/** In order of time. */
export const selectWaitingReadings = (db: ReadDatabase, deviceId: number, now: Date) =>
  db.query<WaitingReading>(sql`
    select channel, at, value, is_state as "isState" from waiting_reading
    where device_id = ${deviceId} and received_at > ${keptSince(now)} order by at, place`);

export interface LastSaid extends WaitingReading {
  deviceId: number;
  /** How many channels the device has. */
  channels: number;
}

/** The newest of each channel, of so many channels of each device. */
export const selectLastSaid = (
  db: ReadDatabase,
  deviceIds: readonly number[],
  { now, most }: { now: Date; most: number },
) =>
  db.query<LastSaid>(sql`
    with newest as (
      select distinct on (device_id, channel) device_id, channel, at, value, is_state
      from waiting_reading where device_id = any(${deviceIds}::int[]) and received_at > ${keptSince(now)}
      order by device_id, channel, at desc, place desc),
    numbered as (
      select newest.*, row_number() over (partition by device_id order by channel) as number,
        count(*) over (partition by device_id) as channels
      from newest)
    select device_id as "deviceId", channel, at, value, is_state as "isState", channels::int
    from numbered where number <= ${most} order by device_id, channel`);

interface AdoptedDevice {
  id: number;
  key: string;
  organizationId: OrganizationId;
  serviceId: ServiceId;
}

/** Those that were adopted, and whose readings still wait. */
export const selectToBring = (db: ReadDatabase, most: number) =>
  db.query<AdoptedDevice>(sql`
    select device.id, device.key, organization_id as "organizationId", service_id as "serviceId"
    from waiting_device join device on device.id = device_id
    where service_id is not null order by device.id limit ${most}`);

/** They are where they belong. */
export const forgetWaiting = (tx: Tx, deviceId: number) =>
  tx.query(sql`delete from waiting_device where device_id = ${deviceId}`);

/** Every hour: those that came too long ago. */
export const forgetOldWaiting = (db: Database, now: Date) =>
  db.query(sql`delete from waiting_reading where received_at <= ${keptSince(now)}`);

const keptSince = (now: Date): Date => new Date(now.getTime() - KEPT_HOURS * 3_600_000);
