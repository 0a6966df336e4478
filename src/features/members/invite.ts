import { isEmail, LONGEST_EMAIL, normaliseEmail } from '../../domain/accounts/email.ts';
import { ROLES } from '../../domain/accounts/role.ts';
import type { InvitationId } from '../../domain/ids.ts';
import { ok, refuse } from '../../domain/result.ts';
import {
  inviteMember,
  mailActivationAgain,
  inviteAgain as mailAgain,
  withdrawInvitation,
} from '../../engine/accounts/invite-member.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { type Ask, inTransaction } from '../../engine/pages/settings-routes.ts';
import type { Tx } from '../../platform/db/database.ts';
import { administerMember } from './administer-member.ts';
import { lockOrganizationsOf, selectAdministered } from './queries.ts';
import type { MemberRefusal } from './refusals.ts';

const LONGEST_NAME = 200;

/** The new account begins in the zone of whoever invites: mostly they work in the same lab. */
export const invite = inTransaction<MemberRefusal>(async (tx, ask) => {
  const { organization, actor, visitor, form, now } = ask;
  const email = normaliseEmail(form.email ?? '');
  const name = (form.name ?? '').trim();
  const role = ROLES.find((known) => known === form.role);
  if (!isEmail(email) || email.length > LONGEST_EMAIL) return refuse('not_an_email');
  if (name === '') return refuse('no_name');
  if ([...name].length > LONGEST_NAME) return refuse('name_too_long');
  if (!role) return refuse('no_such_role');
  if (!(await isStillAdministrator(tx, ask))) return refuse('not_found');
  const invitation = { email, name, timezone: visitor.timezone, organizationId: organization.id, role };
  const invited = await inviteMember(tx, actor, invitation, now);
  return invited.ok ? ok({}) : invited;
});

export const inviteAgain = inTransaction<MemberRefusal>(async (tx, ask) => {
  const { organization, actor, form, now } = ask;
  const id = readPageId<InvitationId>(form.invitation_id);
  if (!(await isStillAdministrator(tx, ask))) return refuse('not_found');
  if (id === null) return refuse('no_such_invitation');
  const mailed = await mailAgain(tx, actor, organization.id, id, now);
  return mailed.ok ? ok({}) : mailed;
});

export const withdraw = inTransaction<MemberRefusal>(async (tx, ask) => {
  const { organization, actor, form, now } = ask;
  const id = readPageId<InvitationId>(form.invitation_id);
  if (!(await isStillAdministrator(tx, ask))) return refuse('not_found');
  if (id === null) return refuse('no_such_invitation');
  const withdrawn = await withdrawInvitation(tx, actor, organization.id, id, now);
  return withdrawn.ok ? ok({}) : withdrawn;
});

async function isStillAdministrator(tx: Tx, { organization, actor }: Ask): Promise<boolean> {
  await lockOrganizationsOf(tx, null, organization.id);
  return (await selectAdministered(tx, actor.accountId)).includes(organization.id);
}

/** Of a member without a password, such as the lab file makes. */
export const activateAgain = inTransaction<MemberRefusal>(async (tx, ask) => {
  const member = await administerMember(tx, ask);
  if (!member.ok) return member;
  const membership = { accountId: member.value.id, organizationId: ask.organization.id };
  const mailed = await mailActivationAgain(tx, ask.actor, membership, ask.now);
  if (!mailed.ok) return refuse(mailed.refusal === 'no_such_member' ? 'not_found' : mailed.refusal);
  return ok({});
});
