// Invitations that wait for their answer. Only the owner of the account answers, and until then nothing is given.

import sql from 'sql-template-tag';
import { type Requester, withoutAccount } from '../../domain/accounts/requester.ts';
import type { Role } from '../../domain/accounts/role.ts';
import type { AccountId, InvitationId, OrganizationId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { endInvitation } from './end-invitation.ts';
import { addMember } from './memberships.ts';

export interface Invitation {
  id: InvitationId;
  organizationId: OrganizationId;
  organizationName: string;
  role: Role;
  invitedBy: string;
  createdAt: Date;
}

const INVITATION = sql`
  select invitation.id, organization_id as "organizationId", organization.name as "organizationName", role,
    invited_by_name as "invitedBy", invitation.created_at as "createdAt"
  from invitation join organization on organization.id = organization_id`;

/** Oldest first. */
export const selectInvitations = (db: ReadDatabase, accountId: AccountId) =>
  db.query<Invitation>(sql`${INVITATION} where account_id = ${accountId} order by invitation.id`);

export const findInvitation = async (db: ReadDatabase, id: InvitationId) =>
  first(await db.query<Invitation>(sql`${INVITATION} where invitation.id = ${id}`));

export const findInvitationTo = async (db: ReadDatabase, accountId: AccountId, organizationName: string) =>
  first(
    await db.query<Invitation>(sql`
      ${INVITATION} where account_id = ${accountId} and organization.name = ${organizationName}`),
  );

interface LockedInvitation extends Invitation {
  invitee: { id: AccountId; email: string; hasPassword: boolean; passwordMayBeKnown: boolean };
}

/** Of this account or this organization; null: there is none. Locks the account first, as every change to it does. */
export async function lockInvitation(
  tx: Tx,
  id: InvitationId,
  of: { accountId: AccountId } | { organizationId: OrganizationId },
): Promise<LockedInvitation | null> {
  const isTheirs =
    'accountId' in of ? sql`account_id = ${of.accountId}` : sql`organization_id = ${of.organizationId}`;
  const invitee = first(
    await tx.query<LockedInvitation['invitee']>(sql`
      select id, email, password_hash is not null as "hasPassword", password_may_be_known as "passwordMayBeKnown"
      from account where id in (select account_id from invitation where id = ${id} and ${isTheirs}) for update`),
  );
  if (!invitee) return null;
  const invitation = first(
    await tx.query<Invitation>(
      sql`${INVITATION} where invitation.id = ${id} and ${isTheirs} for update of invitation`,
    ),
  );
  return invitation && { ...invitation, invitee };
}

export type AcceptRefusal = 'no_such_invitation' | 'password_may_be_known';

/**
 * After signing in, whoever could read the link by which the password was chosen may have signed in just as well: then it
 * takes a new password first. `isByLink`: the password was chosen at this moment, by a link that only the owner or the
 * inviting organization could read, or the owner's mail holds the link.
 */
export async function acceptInvitation(
  tx: Tx,
  requester: Requester,
  { accountId, id, isByLink }: { accountId: AccountId; id: InvitationId; isByLink: boolean },
  now: Date,
): Promise<Result<Invitation, AcceptRefusal>> {
  const invitation = await lockInvitation(tx, id, { accountId });
  if (!invitation) return refuse('no_such_invitation');
  const { invitee } = invitation;
  if (invitee.passwordMayBeKnown && !isByLink) return refuse('password_may_be_known');
  const { organizationId, role, invitedBy } = invitation;
  await addMember(tx, { accountId, organizationId, role }, now);
  const detail = { account: accountId, email: invitee.email, role, invited_by: invitedBy };
  await writeAudit(tx, requester, { action: 'member.join', organizationId, detail }, now);
  return ok(invitation);
}

/** Of who declined the organization learns no more than it knew: the address. */
export async function declineInvitation(
  tx: Tx,
  { requestId }: Requester,
  { accountId, id }: { accountId: AccountId; id: InvitationId },
  now: Date,
): Promise<Result<Invitation, 'no_such_invitation'>> {
  const invitation = await lockInvitation(tx, id, { accountId });
  if (!invitation) return refuse('no_such_invitation');
  const { invitee } = invitation;
  await endInvitation(tx, accountId, invitation.organizationId, now);
  const decliner = withoutAccount(invitee.email, { address: null, requestId });
  const { organizationId, role } = invitation;
  const record = {
    action: 'member.decline' as const,
    organizationId,
    detail: { email: invitee.email, role },
  };
  await writeAudit(tx, decliner, record, now);
  return ok(invitation);
}
