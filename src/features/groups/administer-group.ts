// The first steps of every change: who may change which group.

import { canAdminister } from '../../domain/accounts/role.ts';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Actor } from '../../engine/audit/write-audit.ts';
import { type Asker, type Caller, roleIn } from '../../engine/requests/caller.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Group, selectGroup } from './queries.ts';

export interface Administration {
  group: Group;
  actor: Actor & { accountId: AccountId };
}

export const canAdministerIn = (caller: Caller, organizationId: OrganizationId): boolean =>
  canAdminister(roleIn(caller, organizationId));

/** Those who may not see a group do not learn that it exists. */
export async function administerGroup(
  db: ReadDatabase,
  { caller, address, requestId }: Asker,
  groupId: number,
): Promise<Result<Administration, 'no_such_group'>> {
  const group = await selectGroup(db, groupId);
  if (!caller || !group || !canAdministerIn(caller, group.organizationId)) return refuse('no_such_group');
  return ok({ group, actor: { accountId: caller.id, name: caller.name, address, requestId } });
}
