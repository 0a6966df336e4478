import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { DEVICE_KEYS } from '../../engine/sql-parts/device-keys.ts';
import { WITH_PLACE } from '../../engine/sql-parts/place.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

export interface ListedService {
  id: ServiceId;
  name: string;
  asset: string | null;
  location: string | null;
  devices: { id: number; key: string }[];
  archivedAt: Date | null;
}

const SERVICE_COLUMNS = sql`
  service.id, service.name, asset.name as "asset", location.name as "location", archived_at as "archivedAt",
  coalesce((select json_agg(json_build_object('id', id, 'key', key) order by id) from device
    where device.service_id = service.id), '[]') as "devices"`;

const SERVICE_TABLES = sql`service ${WITH_PLACE}`;

export interface ServiceSearch {
  text: string;
  isArchived: boolean;
}

/** What is searched is the name of the service and what stands behind it. */
export const selectServices = (
  db: ReadDatabase,
  organizationId: OrganizationId,
  { text, isArchived }: ServiceSearch,
  { skip, most }: { skip: number; most: number },
) =>
  db.query<ListedService>(sql`
    select ${SERVICE_COLUMNS} from ${SERVICE_TABLES}
    where service.organization_id = ${organizationId} and (archived_at is not null) = ${isArchived}
      and strpos(lower(concat_ws(' ', service.name, asset.name, location.name, array_to_string(${DEVICE_KEYS}, ' '))), lower(${text})) > 0
    order by service.name, service.id offset ${skip} limit ${most}`);

export const selectService = async (db: ReadDatabase, organizationId: OrganizationId, id: ServiceId) =>
  first(
    await db.query<ListedService>(sql`
      select ${SERVICE_COLUMNS} from ${SERVICE_TABLES}
      where service.organization_id = ${organizationId} and service.id = ${id}`),
  );

export interface ChoosableService {
  id: ServiceId;
  name: string;
}

export const selectServiceNames = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<ChoosableService>(sql`
    select id, name from service
    where organization_id = ${organizationId} and archived_at is null order by name, id`);

export const isServiceNamed = async (tx: Tx, organizationId: OrganizationId, name: string) =>
  first(
    await tx.query(sql`
      select 1 from service
      where organization_id = ${organizationId} and name = ${name} and archived_at is null limit 1`),
  ) !== null;
