// How many services are heard through each source.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

export interface HeardCount {
  id: number;
  name: string;
  services: number;
}

/** By the source that their devices came through; where that is not known, by the only one there is. */
export const countHeard = (db: ReadDatabase, organizationIds: readonly OrganizationId[]) =>
  db.query<HeardCount>(sql`
    select source.id, source.name, count(distinct service.id)::int as "services"
    from source join device on device.organization_id = source.organization_id
      and (device.heard_from = source.name
        or not exists (select from source other where other.organization_id = source.organization_id
          and other.id <> source.id))
    join service on service.id = device.service_id and service.archived_at is null
    where source.organization_id = any(${organizationIds}::int[])
    group by source.id`);
