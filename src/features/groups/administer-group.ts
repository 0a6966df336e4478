// The first steps of every change: who may change which group.

import { type Requester, roleIn } from '../../domain/accounts/requester.ts';
import { canAdminister } from '../../domain/accounts/role.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { type Group, selectGroup } from './queries.ts';

export const canAdministerIn = (requester: Requester, organizationId: OrganizationId): boolean =>
  canAdminister(roleIn(requester, organizationId));

/** Those who may not see a group do not learn that it exists. */
export async function administerGroup(
  db: ReadDatabase,
  requester: Requester,
  groupId: number,
): Promise<Result<Group, 'no_such_group'>> {
  const group = await selectGroup(db, groupId);
  if (!group || !canAdministerIn(requester, group.organizationId)) return refuse('no_such_group');
  return ok(group);
}
