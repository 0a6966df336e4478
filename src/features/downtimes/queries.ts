import sql from 'sql-template-tag';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import { LOCATION_NAME } from '../../engine/sql-parts/place.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

export interface ActiveDowntime {
  id: number;
  serviceId: ServiceId;
  organizationId: OrganizationId;
  serviceName: string;
  locationName: string | null;
  startAt: Date;
  endAt: Date;
  reason: string;
  createdById: AccountId;
  createdByName: string;
  /** False when the account is deleted. */
  hasCreator: boolean;
  createdAt: Date;
}

/** Newest start first. */
export const selectActiveDowntimes = (db: ReadDatabase, organizationIds: OrganizationId[], now: Date) =>
  db.query<ActiveDowntime>(sql`
    select downtime.id, downtime.service_id as "serviceId", service.organization_id as "organizationId",
      service.name as "serviceName",
      ${LOCATION_NAME} as "locationName", downtime.start_at as "startAt", downtime.end_at as "endAt", downtime.reason,
      downtime.created_by_id as "createdById", downtime.created_by_name as "createdByName",
      account.id is not null as "hasCreator", downtime.created_at as "createdAt"
    from downtime
    join service on service.id = downtime.service_id
    left join account on account.id = downtime.created_by_id
    where downtime.end_at > ${now} and downtime.start_at <= ${now}
      and service.organization_id = any(${organizationIds}::int[]) and service.archived_at is null
    order by downtime.start_at desc, downtime.id desc`);
