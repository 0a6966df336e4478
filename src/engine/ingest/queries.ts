import sql from 'sql-template-tag';
import { guessChannelKind } from '../../domain/equipment/channel-kind.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { packInts } from '../../platform/db/pack-numbers.ts';
import type { Statement } from '../../platform/db/statement.ts';
import type { Channel } from '../alarm-state/service-config.ts';

/** Those of the sources that still exist. */
export const selectSources = (sourceIds: ReadonlySet<number>): Statement<{ id: number }> => sql`
  select id from source where id = any(${packInts([...sourceIds])}::int[])`;

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
