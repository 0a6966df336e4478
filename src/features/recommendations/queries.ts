import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';

/** Not the archived ones. */
export const selectService = async (db: ReadDatabase, serviceId: ServiceId) =>
  first(
    await db.query<{ organizationId: OrganizationId; name: string }>(sql`
      select organization_id as "organizationId", name
      from service where id = ${serviceId} and archived_at is null`),
  );

export interface StoredRecommendation {
  /** Up to 9223372036854775807, so it stays text. */
  id: string;
  serviceId: ServiceId;
  state: 'pending' | 'failed' | 'completed' | 'applied';
  requestedByName: string;
  requestedAt: Date;
  failureReason: string | null;
  result: object | null;
  finishedAt: Date | null;
  appliedAt: Date | null;
}

const COLUMNS = sql`id, service_id as "serviceId", state, requested_by_name as "requestedByName",
  requested_at as "requestedAt", failure_reason as "failureReason", result, finished_at as "finishedAt",
  applied_at as "appliedAt"`;

export const selectNewest = async (db: ReadDatabase, serviceId: ServiceId) =>
  first(
    await db.query<StoredRecommendation>(sql`
      select ${COLUMNS} from recommendation where service_id = ${serviceId} order by id desc limit 1`),
  );

export const selectPending = (db: ReadDatabase) =>
  db.query<PendingRequest>(sql`
    select recommendation.id, service_id as "serviceId", service.name as "serviceName",
      organization.name as "organizationName", requested_by_name as "requestedByName",
      requested_at as "requestedAt"
    from recommendation
    join service on service.id = service_id
    join organization on organization.id = service.organization_id
    where state = 'pending' order by recommendation.id`);

export interface PendingRequest {
  id: string;
  serviceId: ServiceId;
  serviceName: string;
  organizationName: string;
  requestedByName: string;
  requestedAt: Date;
}

/** Locks it, so that no advisor finishes it meanwhile. */
export const lockPending = async (tx: Tx, serviceId: ServiceId) =>
  first(
    await tx.query<{ id: string }>(sql`
      select id from recommendation where service_id = ${serviceId} and state = 'pending' for update`),
  );

export const hasService = async (db: ReadDatabase, serviceId: ServiceId): Promise<boolean> =>
  (await db.query(sql`select from service where id = ${serviceId}`)).length > 0;
