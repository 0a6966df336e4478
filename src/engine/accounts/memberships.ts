// Who belongs to an organization. Nobody else writes these rows: whom its groups reach depends on them.
import sql, { type Sql } from 'sql-template-tag';
import type { Role } from '../../domain/accounts/role.ts';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { changeGroup } from '../groups/change-group.ts';
import { removeAccountFromAll } from '../groups/group-recipients.ts';
import { keeping } from '../mosts/keep-most.ts';
import { lookAgainAtAccount } from '../outbox/look-again.ts';
import { deleteReadableLinks } from './account-links.ts';
import { endInvitation } from './end-invitation.ts';

interface Membership {
  accountId: AccountId;
  organizationId: OrganizationId;
  role: Role;
}

/**
 * False: it is a member already, and keeps its role. A link that administrators of another organization could read does
 * not lead in here: it is void.
 */
export async function addMember(
  tx: Tx,
  { accountId, organizationId, role }: Membership,
  now: Date,
): Promise<boolean> {
  const added = await keeping(
    tx,
    'members',
    [organizationId],
    tx.query(sql`
    insert into membership (account_id, organization_id, role, created_at)
    values (${accountId}, ${organizationId}, ${role}, ${now})
    on conflict do nothing returning account_id`),
  );
  lookAgainAtAccount(tx, accountId, now);
  if (added.length === 0) return false;
  await deleteReadableLinks(tx, accountId);
  await endInvitation(tx, accountId, organizationId, now);
  return true;
}

export async function setRole(tx: Tx, membership: Membership, now: Date): Promise<void> {
  if (await addMember(tx, membership, now)) return;
  const { accountId, organizationId, role } = membership;
  await tx.query(sql`
    update membership set role = ${role} where account_id = ${accountId} and organization_id = ${organizationId}`);
}

/** Whoever leaves an organization is no longer told about its services. Answers with the groups it was in. */
export async function removeMember(
  tx: Tx,
  { accountId, organizationId }: Pick<Membership, 'accountId' | 'organizationId'>,
  now: Date,
): Promise<number[]> {
  await endMemberships(tx, sql`organization_id = ${organizationId} and account_id = ${accountId}`, now);
  const left = await changeGroup(tx, now, (changing) =>
    removeAccountFromAll(changing, organizationId, accountId),
  );
  return left.map(({ groupId }) => groupId);
}

/** Who belonged where, and when, is remembered: the audit log is read by it. */
export const endMemberships = (tx: Tx, which: Sql, now: Date) =>
  tx.query(sql`
    with ended as (delete from membership where ${which} returning account_id, organization_id, created_at)
    insert into past_membership (account_id, organization_id, joined_at, left_at)
    select account_id, organization_id, created_at, ${now} from ended`);
