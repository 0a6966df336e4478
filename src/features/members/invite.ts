import { isEmail, LONGEST_EMAIL, normaliseEmail } from '../../domain/email.ts';
import type { AccountId } from '../../domain/ids.ts';
import { ok, refuse } from '../../domain/result.ts';
import { ROLES } from '../../domain/role.ts';
import { inviteMember, inviteAgain as mailAgain } from '../../engine/account-mail/invite-member.ts';
import { inTransaction } from '../../platform/http/settings-pages.ts';
import { administerMember } from './administer-member.ts';
import { lockOrganizationsOf, selectAdministered } from './queries.ts';
import type { MemberRefusal } from './refusals.ts';

const LONGEST_NAME = 200;

/** The new account begins in the zone of whoever invites: mostly they work in the same lab. */
export const invite = inTransaction<MemberRefusal>(
  async (tx, { organization, actor, visitor, form, now }) => {
    const email = normaliseEmail(form.email ?? '');
    const name = (form.name ?? '').trim();
    const role = ROLES.find((known) => known === form.role);
    if (!isEmail(email) || email.length > LONGEST_EMAIL) return refuse('not_an_email');
    if (name === '') return refuse('no_name');
    if ([...name].length > LONGEST_NAME) return refuse('name_too_long');
    if (!role) return refuse('no_such_role');

    await lockOrganizationsOf(tx, null, organization.id);
    if (!(await selectAdministered(tx, actor.accountId)).includes(organization.id))
      return refuse('not_found');
    const invitation = { email, name, timezone: visitor.timezone, organizationId: organization.id, role };
    const invited = await inviteMember(tx, actor, invitation, now);
    if (!invited.ok) return invited;
    return ok({ done: invited.value.isMailed ? 'invite' : 'added' });
  },
);

export const inviteAgain = inTransaction<MemberRefusal>(async (tx, ask) => {
  const member = await administerMember(tx, ask);
  if (!member.ok) return member;
  const accountId: AccountId = member.value.id;
  const mailed = await mailAgain(tx, ask.actor, { accountId, organizationId: ask.organization.id }, ask.now);
  if (!mailed.ok) return refuse(mailed.refusal === 'no_such_member' ? 'not_found' : mailed.refusal);
  return ok({});
});
