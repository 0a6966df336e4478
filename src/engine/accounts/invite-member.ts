import sql from 'sql-template-tag';
import { normaliseEmail } from '../../domain/accounts/email.ts';
import type { Requester } from '../../domain/accounts/requester.ts';
import type { Role } from '../../domain/accounts/role.ts';
import type { AccountId, InvitationId, OrganizationId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { keeping } from '../mosts/keep-most.ts';
import { spendUnprovedMail } from '../outbox/unproved-mail.ts';
import { createAccount, lockAccount } from './accounts.ts';
import { endInvitation } from './end-invitation.ts';
import { lockInvitation } from './invitations.ts';
import { queueAccountMail } from './queue-account-mail.ts';

interface NewInvitation {
  email: string;
  /** What the inviter calls the person; the name of an account that is not there yet. */
  name: string;
  timezone: string;
  organizationId: OrganizationId;
  role: Role;
}

/**
 * Whether the requester may invite, and whether the email is one, is for those who call this to know. Whether there was an account before
 * is not for the requester to know: nothing that he sees tells.
 */
export async function inviteMember(
  tx: Tx,
  requester: Requester,
  { email: typed, name, timezone, organizationId, role }: NewInvitation,
  now: Date,
): Promise<Result<InvitationId, 'already_member' | 'already_invited' | 'too_many_mails'>> {
  const email = normaliseEmail(typed);
  const known = await lockAccount(tx, email);
  const created =
    known?.id ??
    (await createAccount(
      tx,
      requester,
      { email, name, timezone, language: null, passwordHash: null, isActive: true },
      now,
    ));
  // Somebody else invited the same person at the same moment.
  const accountId = created ?? (await lockAccount(tx, email))?.id;
  if (accountId === undefined) throw new Error('The invited account vanished');

  if (await isMember(tx, accountId, organizationId)) return refuse('already_member');
  if (!(await spendUnprovedMail(tx, organizationId, [email], now))) return refuse('too_many_mails');
  const invitation = first(
    await keeping(
      tx,
      'invitations',
      [organizationId],
      tx.query<{ id: InvitationId }>(sql`
      insert into invitation (organization_id, account_id, role, name, invited_by_name, created_at)
      values (${organizationId}, ${accountId}, ${role}, ${name}, ${requester.name}, ${now})
      on conflict do nothing returning id`),
    ),
  );
  if (!invitation) return refuse('already_invited');
  await writeAudit(
    tx,
    requester,
    { action: 'member.invite', organizationId, detail: { email, name, role } },
    now,
  );
  const hasPassword = known !== null && known.passwordHash !== null;
  await mailInvitation(tx, requester, { id: invitation.id, accountId, organizationId, hasPassword }, now);
  return ok(invitation.id);
}

const isMember = async (tx: Tx, accountId: AccountId, organizationId: OrganizationId): Promise<boolean> =>
  (
    await tx.query(sql`
      select from membership where account_id = ${accountId} and organization_id = ${organizationId}`)
  ).length > 0;

interface OpenInvitation {
  id: InvitationId;
  accountId: AccountId;
  organizationId: OrganizationId;
  hasPassword: boolean;
}

/** The same mail with a new link; the earlier ones work as long as they would have. */
export async function inviteAgain(
  tx: Tx,
  requester: Requester,
  { organizationId, id }: { organizationId: OrganizationId; id: InvitationId },
  now: Date,
): Promise<Result<null, 'no_such_invitation' | 'too_many_mails'>> {
  const invitation = await lockInvitation(tx, id, { organizationId });
  if (!invitation) return refuse('no_such_invitation');
  const { id: accountId, email, hasPassword } = invitation.invitee;
  if (!(await spendUnprovedMail(tx, organizationId, [email], now))) return refuse('too_many_mails');
  await mailInvitation(tx, requester, { id, accountId, organizationId, hasPassword }, now);
  const detail = { email };
  await writeAudit(tx, requester, { action: 'member.invite_again', organizationId, detail }, now);
  return ok(null);
}

export async function withdrawInvitation(
  tx: Tx,
  requester: Requester,
  { organizationId, id }: { organizationId: OrganizationId; id: InvitationId },
  now: Date,
): Promise<Result<null, 'no_such_invitation'>> {
  const invitation = await lockInvitation(tx, id, { organizationId });
  if (!invitation) return refuse('no_such_invitation');
  const { role, invitee } = invitation;
  await endInvitation(tx, invitee.id, organizationId, now);
  const { email } = invitee;
  await writeAudit(
    tx,
    requester,
    { action: 'member.withdraw', organizationId, detail: { email, role } },
    now,
  );
  return ok(null);
}

/** A member whom the operator added without a password gets the link to choose one, again. */
export async function mailActivationAgain(
  tx: Tx,
  requester: Requester,
  { accountId, organizationId }: { accountId: AccountId; organizationId: OrganizationId },
  now: Date,
): Promise<Result<null, 'no_such_member' | 'activated_already' | 'too_many_mails'>> {
  const member = first(
    await tx.query<{ isWaiting: boolean; email: string }>(sql`
      select password_hash is null and is_active as "isWaiting", email
      from membership join account on account.id = account_id
      where account_id = ${accountId} and organization_id = ${organizationId} for update of account`),
  );
  if (!member) return refuse('no_such_member');
  if (!member.isWaiting) return refuse('activated_already');
  if (!(await spendUnprovedMail(tx, organizationId, [member.email], now))) return refuse('too_many_mails');
  await queueAccountMail(
    tx,
    { accountId, kind: 'activation', ...(await signatureOf(tx, requester, organizationId)) },
    now,
  );
  const detail = { account: accountId, email: member.email };
  await writeAudit(tx, requester, { action: 'member.invite_again', organizationId, detail }, now);
  return ok(null);
}

async function mailInvitation(
  tx: Tx,
  requester: Requester,
  { id, accountId, organizationId, hasPassword }: OpenInvitation,
  now: Date,
): Promise<void> {
  const kind = hasPassword ? 'invitation' : 'activation';
  const signature = await signatureOf(tx, requester, organizationId);
  await queueAccountMail(tx, { accountId, kind, invitationId: id, ...signature }, now);
}

async function signatureOf(tx: Tx, requester: Requester, organizationId: OrganizationId) {
  const organization = first(
    await tx.query<{ name: string }>(sql`select name from organization where id = ${organizationId}`),
  );
  return { authorName: requester.name, ...(organization && { organizationName: organization.name }) };
}
