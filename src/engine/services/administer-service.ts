// The first steps of edit, delete-band, recommend and apply-recommendation: who may change the limits of which service.
import sql from 'sql-template-tag';
import { canAdminister } from '../../domain/accounts/role.ts';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { lockAlarmStates } from '../alarm-state/lock-alarm-states.ts';
import type { Actor } from '../audit/write-audit.ts';
import { type Asker, roleIn } from '../requests/caller.ts';

/** In the order of the contract's tables: no role anywhere; missing, outside or archived; viewer or operator. */
export type AdministerRefusal = 'no_role' | 'no_such_service' | 'not_administrator';

export interface Administration {
  service: AdministeredService;
  actor: Actor & { accountId: AccountId };
}

interface AdministeredService {
  id: ServiceId;
  organizationId: OrganizationId;
  name: string;
}

/**
 * Locks the service's alarm state, but only for those who may act: nobody else can hold others up.
 * Looks again under the lock, for the service may have been archived while we waited.
 */
export async function administerService(
  tx: Tx,
  asker: Asker,
  serviceId: ServiceId,
): Promise<Result<Administration, AdministerRefusal>> {
  if (!asker.caller?.memberships.length) return refuse('no_role');
  const seen = permit(asker, await selectService(tx, serviceId));
  if (!seen.ok) return seen;
  await lockAlarmStates(tx, [serviceId]);
  return permit(asker, await selectService(tx, serviceId));
}

function permit(
  { caller, address, requestId }: Asker,
  service: AdministeredService | null,
): Result<Administration, AdministerRefusal> {
  const role = service && roleIn(caller, service.organizationId);
  if (!caller || !service || !role) return refuse('no_such_service');
  if (!canAdminister(role)) return refuse('not_administrator');
  return ok({ service, actor: { accountId: caller.id, name: caller.name, address, requestId } });
}

const selectService = async (tx: Tx, serviceId: ServiceId) =>
  first(
    await tx.query<AdministeredService>(sql`
      select id, organization_id as "organizationId", name
      from service where id = ${serviceId} and archived_at is null`),
  );
