// The first steps of edit, delete-band, recommend and apply-recommendation: who may change the limits of which service.

import sql from 'sql-template-tag';
import { type Requester, roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister } from '../../domain/accounts/role.ts';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { queueToChange } from '../journal/take-turn.ts';
import { type SortedServices, sortByPermit } from './sort-by-permit.ts';

/** In the order of the contract's tables: no role anywhere; missing, outside or archived; viewer or operator. */
export type AdministerRefusal = 'no_role' | 'no_such_service' | 'not_administrator';

export interface Administration<Service = AdministeredService> {
  service: Service;
  accountId: AccountId;
}

interface SeenService {
  id: ServiceId;
  organizationId: OrganizationId;
  name: string;
}

declare const queued: unique symbol;

/** Nobody else changes services of its organization before this transaction ends: only `administerService` makes one. */
export interface AdministeredService extends SeenService {
  readonly [queued]: true;
}

/**
 * Queues up with others who change services, but only who may act: nobody else can hold others up.
 * Looks again after that, for the service may have been archived while we waited.
 */
export async function administerService(
  tx: Tx,
  requester: Requester,
  serviceId: ServiceId,
): Promise<Result<Administration, AdministerRefusal>> {
  if (requester.memberships.length === 0) return refuse('no_role');
  const seen = permit(requester, await selectService<SeenService>(tx, serviceId));
  if (!seen.ok) return seen;
  queueToChange(tx, [serviceId]);
  return permit(requester, await selectService<AdministeredService>(tx, serviceId));
}

function permit<Service extends SeenService>(
  requester: Requester,
  service: Service | null,
): Result<Administration<Service>, AdministerRefusal> {
  const { accountId } = requester;
  const role = service && roleIn(requester, service.organizationId);
  if (accountId === null || !service || !role) return refuse('no_such_service');
  if (!canAdminister(role)) return refuse('not_administrator');
  return ok({ service, accountId });
}

/** The same of many, in a fixed number of statements. */
export async function administerServices(
  tx: Tx,
  requester: Requester,
  serviceIds: readonly ServiceId[],
): Promise<SortedServices<AdministeredService, AdministerRefusal>> {
  const sort = async <Service extends SeenService>(ids: readonly ServiceId[]) =>
    sortByPermit<Service, AdministerRefusal>(ids, await selectServices<Service>(tx, ids), (service) =>
      permit(requester, service),
    );
  const seen = await sort(serviceIds);
  const ids = seen.permitted.map(({ id }) => id);
  queueToChange(tx, ids);
  const sorted = await sort<AdministeredService>(ids);
  return { permitted: sorted.permitted, refused: [...seen.refused, ...sorted.refused] };
}

const selectService = async <Service extends SeenService>(tx: Tx, serviceId: ServiceId) =>
  first(await selectServices<Service>(tx, [serviceId]));

const selectServices = <Service extends SeenService>(tx: Tx, serviceIds: readonly ServiceId[]) =>
  tx.query<Service>(sql`
    select id, organization_id as "organizationId", name
    from service where id = any(${serviceIds}::int[]) and archived_at is null order by id`);
