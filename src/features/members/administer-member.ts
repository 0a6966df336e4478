// The first steps of every change to a member: who may change what about whom.
import type { SignedIn } from '../../domain/accounts/requester.ts';
import type { AccountId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { SettingsInput } from '../../engine/pages/settings-routes.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  lockAccountRow,
  lockOrganizationsOf,
  selectAdministered,
  selectMember,
  type WholeMember,
} from './queries.ts';

export interface Administered extends WholeMember {
  isOwn: boolean;
  /** It belongs to no organization but the administrator's: then its password and its activity are his to change. */
  isOursAlone: boolean;
}

/**
 * Two administrators who take each other's role away at the same moment are dealt with one after the other: the second
 * one is no administrator any more.
 */
export async function administerMember(
  tx: Tx,
  requester: SignedIn,
  { organizationId, params }: SettingsInput,
): Promise<Result<Administered, 'not_found'>> {
  const accountId = readPageId<AccountId>(params.account_id);
  if (accountId === null) return refuse('not_found');
  await lockOrganizationsOf(tx, accountId, organizationId);
  await lockAccountRow(tx, accountId);
  const administered = await selectAdministered(tx, requester.accountId);
  const member = await selectMember(tx, organizationId, accountId);
  if (!member || !administered.includes(organizationId)) return refuse('not_found');
  return ok({
    ...member,
    isOwn: accountId === requester.accountId,
    isOursAlone: member.organizationIds.every((id) => administered.includes(id)),
  });
}
