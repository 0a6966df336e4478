import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../../domain/ids.ts';
import { DEVICE_KEYS } from '../../../engine/sql-parts/device-keys.ts';
import type { ReadDatabase } from '../../../platform/db/database.ts';
import type { ExportedService } from './read-rows.ts';

interface ExportQuery {
  organizationId: OrganizationId | null;
  serviceId: ServiceId | null;
  channel: string | null;
}

/** Archived ones too: their readings are kept like all others. */
export const selectExported = (db: ReadDatabase, { organizationId, serviceId, channel }: ExportQuery) =>
  db.query<ExportedService>(sql`
    select service.id, service.name, ${DEVICE_KEYS} as "deviceKeys",
      coalesce((select json_agg(json_build_object('id', channel.id, 'name', name, 'unit', unit, 'deviceKey', device.key)
          order by channel.id)
        from channel left join device on device.id = device_id
        where channel.service_id = service.id and (${channel}::text is null or name = ${channel})), '[]') as "channels"
    from service
    where (${organizationId}::int is null or service.organization_id = ${organizationId})
      and (${serviceId}::int is null or service.id = ${serviceId})
    order by service.id`);
