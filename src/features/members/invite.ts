import { isEmail, LONGEST_EMAIL, normaliseEmail } from '../../domain/accounts/email.ts';
import type { SignedIn } from '../../domain/accounts/requester.ts';
import { ROLES } from '../../domain/accounts/role.ts';
import type { InvitationId, OrganizationId } from '../../domain/ids.ts';
import { LONGEST_NAME } from '../../domain/names.ts';
import { ok, refuse } from '../../domain/result.ts';
import {
  inviteMember,
  mailActivationAgain,
  inviteAgain as mailAgain,
  withdrawInvitation,
} from '../../engine/accounts/invite-member.ts';
import { readPageId } from '../../engine/pages/page-routes.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';
import type { Tx } from '../../platform/db/database.ts';
import { administerMember } from './administer-member.ts';
import { lockOrganizationsOf, selectAdministered } from './queries.ts';
import type { MemberRefusal } from './refusals.ts';

/** The new account begins in the zone of whoever invites: mostly they work in the same lab. */
export const invite: SettingsVerb<MemberRefusal> = async (tx, requester, { organizationId, form }, now) => {
  const email = normaliseEmail(form.email ?? '');
  const name = (form.name ?? '').trim();
  const role = ROLES.find((known) => known === form.role);
  if (!isEmail(email) || email.length > LONGEST_EMAIL) return refuse('not_an_email');
  if (name === '') return refuse('no_name');
  if ([...name].length > LONGEST_NAME) return refuse('name_too_long');
  if (!role) return refuse('no_such_role');
  if (!(await isStillAdministrator(tx, requester, organizationId))) return refuse('not_found');
  const invitation = { email, name, timezone: requester.timezone, organizationId, role };
  const invited = await inviteMember(tx, requester, invitation, now);
  return invited.ok ? ok({}) : invited;
};

export const inviteAgain: SettingsVerb<MemberRefusal> = async (
  tx,
  requester,
  { organizationId, form },
  now,
) => {
  const id = readPageId<InvitationId>(form.invitation_id);
  if (!(await isStillAdministrator(tx, requester, organizationId))) return refuse('not_found');
  if (id === null) return refuse('no_such_invitation');
  const mailed = await mailAgain(tx, requester, { organizationId, id }, now);
  return mailed.ok ? ok({}) : mailed;
};

export const withdraw: SettingsVerb<MemberRefusal> = async (tx, requester, { organizationId, form }, now) => {
  const id = readPageId<InvitationId>(form.invitation_id);
  if (!(await isStillAdministrator(tx, requester, organizationId))) return refuse('not_found');
  if (id === null) return refuse('no_such_invitation');
  const withdrawn = await withdrawInvitation(tx, requester, { organizationId, id }, now);
  return withdrawn.ok ? ok({}) : withdrawn;
};

async function isStillAdministrator(
  tx: Tx,
  { accountId }: SignedIn,
  organizationId: OrganizationId,
): Promise<boolean> {
  await lockOrganizationsOf(tx, null, organizationId);
  return (await selectAdministered(tx, accountId)).includes(organizationId);
}

/** Of a member without a password, such as the lab file makes. */
export const activateAgain: SettingsVerb<MemberRefusal> = async (tx, requester, input, now) => {
  const { organizationId } = input;
  const member = await administerMember(tx, requester, input);
  if (!member.ok) return member;
  const membership = { accountId: member.value.id, organizationId };
  const mailed = await mailActivationAgain(tx, requester, membership, now);
  if (!mailed.ok) return refuse(mailed.refusal === 'no_such_member' ? 'not_found' : mailed.refusal);
  return ok({});
};
