import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

export interface Device {
  id: number;
  key: string;
  serviceId: ServiceId | null;
  serviceName: string | null;
  isServiceArchived: boolean;
  uplinkIntervalMinutes: number | null;
  firstSeenAt: Date | null;
  lastSeenAt: Date | null;
}

const DEVICE_COLUMNS = sql`
  device.id, device.key, device.service_id as "serviceId", service.name as "serviceName",
  coalesce(archived_at is not null, false) as "isServiceArchived",
  uplink_interval_minutes as "uplinkIntervalMinutes", first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt"`;

/** Those that nobody adopted first, the one heard last at the top. */
export const selectDevices = (
  db: ReadDatabase,
  organizationId: OrganizationId,
  text: string,
  { skip, most }: { skip: number; most: number },
) =>
  db.query<Device>(sql`
    select ${DEVICE_COLUMNS} from device left join service on service.id = device.service_id
    where device.organization_id = ${organizationId}
      and strpos(lower(concat_ws(' ', device.key, service.name)), lower(${text})) > 0
    order by device.service_id is not null, case when device.service_id is null then last_seen_at end desc nulls last,
      service.name, device.id
    offset ${skip} limit ${most}`);

export const selectDevice = async (db: ReadDatabase, organizationId: OrganizationId, id: number) =>
  first(
    await db.query<Device>(sql`
      select ${DEVICE_COLUMNS} from device left join service on service.id = device.service_id
      where device.organization_id = ${organizationId} and device.id = ${id}`),
  );

/** null: there is one with this key already, in whatever letters. */
export const insertDevice = async (tx: Tx, organizationId: OrganizationId, key: string, now: Date) =>
  first(
    await tx.query<{ id: number }>(sql`
      insert into device (organization_id, key, created_at) values (${organizationId}, ${key}, ${now})
      on conflict (organization_id, lower(key)) do nothing returning id`),
  );

/** Nothing: it is no longer where it was seen, for somebody else was faster. */
export const moveDevice = (tx: Tx, id: number, from: ServiceId | null, to: ServiceId | null) =>
  tx.query<{ id: number }>(sql`
    update device set service_id = ${to}
    where id = ${id} and service_id is not distinct from ${from}::int returning id`);

export const hasDevice = async (tx: Tx, serviceId: ServiceId) =>
  first(await tx.query(sql`select 1 from device where service_id = ${serviceId}`)) !== null;

export const updateInterval = (tx: Tx, id: number, minutes: number | null) =>
  tx.query(sql`update device set uplink_interval_minutes = ${minutes} where id = ${id}`);

/** Nothing, while it belongs to a service. */
export const deleteDevice = (tx: Tx, id: number) =>
  tx.query<{ id: number }>(sql`delete from device where id = ${id} and service_id is null returning id`);
