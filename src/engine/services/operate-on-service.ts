// The first steps of acknowledge, unacknowledge, mute and unmute: who may act on which service.

import sql from 'sql-template-tag';
import { type Requester, roleIn } from '../../domain/accounts/requester.ts';
import { canOperate } from '../../domain/accounts/role.ts';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { lockAlarmStatesFirst } from '../alarm-state/lock-alarm-states.ts';

export type OperateRefusal = 'no_such_service' | 'outside_organization' | 'viewer_only';

export interface Operation {
  service: Service;
  accountId: AccountId;
}

interface Service {
  id: ServiceId;
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
  const find = async () => {
    const service = await selectService(tx, serviceId);
    return service?.isArchived && !evenIfArchived ? null : service;
  };
  const seen = permit(requester, await find());
  if (!seen.ok) return seen;
  lockAlarmStatesFirst(tx, [serviceId]);
  return permit(requester, await find());
}

function permit(requester: Requester, service: Service | null): Result<Operation, OperateRefusal> {
  if (!service) return refuse('no_such_service');
  const { accountId } = requester;
  const role = roleIn(requester, service.organizationId);
  if (accountId === null || !role) return refuse('outside_organization');
  if (!canOperate(role)) return refuse('viewer_only');
  return ok({ service, accountId });
}

const selectService = async (tx: Tx, serviceId: ServiceId) =>
  first(
    await tx.query<Service>(sql`
      select id, organization_id as "organizationId", name, archived_at is not null as "isArchived"
      from service where id = ${serviceId}`),
  );
