// Gateways, and the services whose readings come through them: one level only, or two could keep each other quiet.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';
import { keeping } from '../mosts/keep-most.ts';
import { lookAgain } from '../outbox/look-again.ts';

export interface Dependence {
  serviceId: ServiceId;
  parentId: ServiceId;
}

export const selectDependences = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<Dependence>(sql`
    select service_id as "serviceId", parent_id as "parentId"
    from service_parent join service on service.id = parent_id
    where organization_id = ${organizationId} order by parent_id, service_id`);

/** Exactly these are behind the gateway from now on. Answers with those that changed. */
export async function setChildren(
  tx: Tx,
  parentId: ServiceId,
  children: readonly ServiceId[],
  now: Date,
): Promise<ServiceId[]> {
  // Two who do so at the same moment come one after the other.
  await tx.query(sql`select id from service where id = ${parentId} for no key update`);
  const removed = await tx.query<{ serviceId: ServiceId }>(sql`
    delete from service_parent where parent_id = ${parentId} and service_id <> all(${children}::int[])
    returning service_id as "serviceId"`);
  const left = removed.map(({ serviceId }) => serviceId);
  if (left.length > 0) lookAgain(tx, left, now);
  return [...left, ...(await addChildren(tx, parentId, children, now))];
}

/** These are behind the gateway too. Answers with those that were not before. */
export async function addChildren(
  tx: Tx,
  parentId: ServiceId,
  children: readonly ServiceId[],
  now: Date,
): Promise<ServiceId[]> {
  const added = await keeping(
    tx,
    'gateways',
    children,
    tx.query<{ serviceId: ServiceId }>(sql`
    insert into service_parent (service_id, parent_id) select unnest(${children}::int[]), ${parentId}
    on conflict do nothing returning service_id as "serviceId"`),
  );
  const changed = added.map(({ serviceId }) => serviceId);
  if (changed.length > 0) lookAgain(tx, changed, now);
  return changed;
}
