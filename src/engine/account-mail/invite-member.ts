import sql from 'sql-template-tag';
import { normaliseEmail } from '../../domain/email.ts';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Role } from '../../domain/role.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import { createAccount, lockAccount } from '../accounts.ts';
import { type Actor, writeAudit } from '../audit.ts';
import { addMember } from '../memberships.ts';
import { queueAccountMail } from './queue-account-mail.ts';

interface Invitation {
  email: string;
  /** Only for an account that is not there yet. */
  name: string;
  timezone: string;
  organizationId: OrganizationId;
  role: Role;
}

interface Invited {
  accountId: AccountId;
  /** False: the person has a password already and can sign in at once. */
  isMailed: boolean;
}

/** Whether the actor may invite, and whether the email is one, is for the caller to know. */
export async function inviteMember(
  tx: Tx,
  actor: Actor,
  { email: typed, name, timezone, organizationId, role }: Invitation,
  now: Date,
): Promise<Result<Invited, 'already_member'>> {
  const email = normaliseEmail(typed);
  const known = await lockAccount(tx, email);
  const created =
    known?.id ??
    (await createAccount(tx, actor, { email, name, timezone, passwordHash: null, isActive: true }, now));
  // Somebody else invited the same person at the same moment.
  const accountId = created ?? (await lockAccount(tx, email))?.id;
  if (accountId === undefined) throw new Error('The invited account vanished');

  if (!(await addMember(tx, { accountId, organizationId, role }, now))) return refuse('already_member');
  const detail = { account: accountId, email, role };
  await writeAudit(tx, actor, { action: 'member.invite', organizationId, detail }, now);

  const isMailed = known === null || (known.passwordHash === null && known.isActive);
  if (isMailed) await mailActivation(tx, actor, accountId, organizationId, now);
  return ok({ accountId, isMailed });
}

/** The same mail with a new link; the earlier ones work as long as they would have. */
export async function inviteAgain(
  tx: Tx,
  actor: Actor,
  { accountId, organizationId }: { accountId: AccountId; organizationId: OrganizationId },
  now: Date,
): Promise<Result<null, 'no_such_member' | 'activated_already'>> {
  const member = first(
    await tx.query<{ isWaiting: boolean }>(sql`
      select password_hash is null and is_active as "isWaiting"
      from membership join account on account.id = account_id
      where account_id = ${accountId} and organization_id = ${organizationId} for update of account`),
  );
  if (!member) return refuse('no_such_member');
  if (!member.isWaiting) return refuse('activated_already');
  await mailActivation(tx, actor, accountId, organizationId, now);
  await writeAudit(
    tx,
    actor,
    { action: 'member.invite_again', organizationId, detail: { account: accountId } },
    now,
  );
  return ok(null);
}

async function mailActivation(
  tx: Tx,
  actor: Actor,
  accountId: AccountId,
  organizationId: OrganizationId,
  now: Date,
): Promise<void> {
  const organization = first(
    await tx.query<{ name: string }>(sql`select name from organization where id = ${organizationId}`),
  );
  const mail = { accountId, kind: 'activation', authorName: actor.name } as const;
  await queueAccountMail(tx, organization ? { ...mail, organizationName: organization.name } : mail, now);
}
