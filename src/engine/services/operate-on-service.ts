// The first steps of acknowledge, unacknowledge, mute and unmute: who may act on which service.

import sql from 'sql-template-tag';
import { type Requester, roleIn } from '../../domain/accounts/requester.ts';
import { canOperate } from '../../domain/accounts/role.ts';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { type LockedService, lockAlarmStateFirst } from '../journal/lock-alarm-states.ts';

export type OperateRefusal = 'no_such_service' | 'outside_organization' | 'viewer_only';

export interface Operation<Id = LockedService> {
  service: Service<Id>;
  accountId: AccountId;
}

interface Service<Id> {
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

const selectService = async <Id extends ServiceId>(tx: Tx, serviceId: Id) =>
  first(
    await tx.query<Service<Id>>(sql`
      select id, organization_id as "organizationId", name, archived_at is not null as "isArchived"
      from service where id = ${serviceId}`),
  );
