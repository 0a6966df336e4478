import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { SOURCE_KINDS, WAYS } from '../../domain/ways-in/ways.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface Device {
  id: number;
  key: string;
  serviceId: ServiceId | null;
  serviceName: string | null;
  isServiceArchived: boolean;
  uplinkIntervalMinutes: number | null;
  firstSeenAt: Date | null;
  lastSeenAt: Date | null;
  /** When it last said a time that nobody can believe. */
  clockSuspectAt: Date | null;
  /** What it is, in the words of its network. */
  model: string | null;
  /** The source that it came through while nobody had adopted it. */
  heardFrom: string | null;
  /** Messages of radio devices are lost now and then. */
  isRadio: boolean;
}

const RADIO_KINDS = SOURCE_KINDS.filter((kind) => WAYS[kind].isRadio);

const DEVICE_COLUMNS = sql`
  device.id, device.key, device.service_id as "serviceId", service.name as "serviceName",
  coalesce(archived_at is not null, false) as "isServiceArchived",
  uplink_interval_minutes as "uplinkIntervalMinutes", first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt",
  clock_suspect_at as "clockSuspectAt", model, heard_from as "heardFrom",
  exists (
    select from source where source.organization_id = device.organization_id and source.name = heard_from
      and source.kind = any(${RADIO_KINDS}::text[])) as "isRadio"`;

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
