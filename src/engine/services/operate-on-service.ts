// The first steps of acknowledge, unacknowledge, mute and unmute: who may act on which service.

import sql from 'sql-template-tag';
import { type Requester, roleIn } from '../../domain/accounts/requester.ts';
import { canOperate } from '../../domain/accounts/role.ts';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { type LockedService, lockAlarmStateFirst, lockAlarmStates } from '../journal/lock-alarm-states.ts';
import { type SortedServices, sortByPermit } from './sort-by-permit.ts';

export type OperateRefusal = 'no_such_service' | 'outside_organization' | 'viewer_only';

export interface Operation<Id = LockedService> {
  service: Service<Id>;
  accountId: AccountId;
}

export interface Service<Id> {
  id: Id;
  organizationId: OrganizationId;
  name: string;
  isArchived: boolean;
}

/**
 * Locks the service's alarm state, but only for those who may act: nobody else can hold others up.
 * Looks again under the lock, for the service may have been archived while we waited.
 */
export async function operateOnService(
  tx: Tx,
  requester: Requester,
  serviceId: ServiceId,
  { evenIfArchived }: { evenIfArchived: boolean },
): Promise<Result<Operation, OperateRefusal>> {
  const find = async <Id extends ServiceId>(id: Id) => {
    const service = await selectService(tx, id);
    return service?.isArchived && !evenIfArchived ? null : service;
  };
  const seen = permit(requester, await find(serviceId));
  if (!seen.ok) return seen;
  return permit(requester, await find(lockAlarmStateFirst(tx, serviceId)));
}

function permit<Id>(
  requester: Requester,
  service: Service<Id> | null,
): Result<Operation<Id>, OperateRefusal> {
  if (!service) return refuse('no_such_service');
  const { accountId } = requester;
  const role = roleIn(requester, service.organizationId);
  if (accountId === null || !role) return refuse('outside_organization');
  if (!canOperate(role)) return refuse('viewer_only');
  return ok({ service, accountId });
}

/** The same of many, in a fixed number of statements: those that may be acted upon are locked, in one ascending row. */
export async function operateOnServices(
  tx: Tx,
  requester: Requester,
  serviceIds: readonly ServiceId[],
): Promise<SortedServices<Service<LockedService>, OperateRefusal>> {
  const sort = async <Id extends ServiceId>(ids: readonly Id[]) =>
    sortByPermit<Service<Id>, OperateRefusal>(ids, await selectServices(tx, ids), (service) =>
      permit(requester, service?.isArchived ? null : service),
    );
  const seen = await sort(serviceIds);
  const sorted = await sort(
    await lockAlarmStates(
      tx,
      seen.permitted.map(({ id }) => id),
    ),
  );
  return { permitted: sorted.permitted, refused: [...seen.refused, ...sorted.refused] };
}

const selectService = async <Id extends ServiceId>(tx: Tx, serviceId: Id) =>
  first(await selectServices(tx, [serviceId]));

const selectServices = <Id extends ServiceId>(tx: Tx, serviceIds: readonly Id[]) =>
  tx.query<Service<Id>>(sql`
    select id, organization_id as "organizationId", name, archived_at is not null as "isArchived"
    from service where id = any(${serviceIds}::int[]) order by id`);
