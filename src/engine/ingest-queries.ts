import sql from 'sql-template-tag';
import { guessChannelKind } from '../domain/channel-kind.ts';
import type { OrganizationId, ServiceId } from '../domain/ids.ts';
import type { Instant } from '../domain/judge.ts';
import type { Tx } from '../platform/db/database.ts';
import { packFloats, packInts } from '../platform/db/pack-numbers.ts';
import type { Channel } from './service-config.ts';

/** Readings as columns, the way they travel. */
export interface ReadingColumns {
  serviceIds: ServiceId[];
  channelIds: number[];
  ats: Instant[];
  values: number[];
}

/** Those of the sources that still exist. */
export const selectSources = (sourceIds: readonly number[]) => sql`
  select id from source where id = any(${packInts(sourceIds)}::int[])`;

/** Late readings and those ahead of the clock: of two at the same time the first is kept. Answers which were stored. */
export const insertNewReadings = (readings: ReadingColumns) => sql`
  ${insertReadings(readings)} on conflict do nothing
  returning channel_id as "channelId", round(date_part('epoch', taken_at) * 1000) as "at"`;

/** Meant for readings newer than all that is stored of their channels, so that they cannot meet a double. */
export const insertReadings = ({ serviceIds, channelIds, ats, values }: ReadingColumns) => sql`
  insert into reading (service_id, channel_id, taken_at, value)
  select service_id, channel_id, to_timestamp(ms / 1000.0), value
  from unnest(${packInts(serviceIds)}::int[], ${packInts(channelIds)}::int[], ${packFloats(ats)}::float8[],
    ${packFloats(values)}::float8[]) as given (service_id, channel_id, ms, value)`;

/** By channel, the newest reading that is not ahead of the clock. */
export async function selectNewestUntil(
  tx: Tx,
  channels: readonly { serviceId: ServiceId; channelId: number }[],
  now: Date,
): Promise<Map<number, Instant>> {
  const rows = await tx.query<{ channelId: number; at: Instant }>(sql`
    select channel_id as "channelId", round(date_part('epoch', taken_at) * 1000) as "at"
    from unnest(${packInts(channels.map(({ serviceId }) => serviceId))}::int[],
      ${packInts(channels.map(({ channelId }) => channelId))}::int[]) as given (id_of_service, id_of_channel)
    cross join lateral (
      select channel_id, taken_at from reading
      where service_id = id_of_service and channel_id = id_of_channel and taken_at <= ${now}
      order by taken_at desc limit 1) as newest`);
  return new Map(rows.map(({ channelId, at }) => [channelId, at]));
}

export interface NewChannel {
  serviceId: ServiceId;
  name: string;
  isBoolean: boolean;
}

/** Also answers for channels that another program added a moment ago. */
export function insertChannels(tx: Tx, channels: readonly NewChannel[], now: Date) {
  const serviceIds = channels.map(({ serviceId }) => serviceId);
  const names = channels.map(({ name }) => name);
  const kinds = channels.map(({ name, isBoolean }) => guessChannelKind(name, isBoolean));
  tx.later(sql`
    insert into channel (service_id, name, kind, created_at)
    select *, ${now} from unnest(${serviceIds}::int[], ${names}::text[], ${kinds}::text[])
    on conflict (service_id, name) do nothing`);
  return tx.query<Channel & { serviceId: ServiceId }>(sql`
    select channel.service_id as "serviceId", id, channel.name, label, unit, kind
    from unnest(${serviceIds}::int[], ${names}::text[]) as given (service_id, name)
    join channel on channel.service_id = given.service_id and channel.name = given.name`);
}

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
