// The verbs on one member. Each commits with its record; what changes nothing leaves none.

import { canAdminister, ROLES } from '../../domain/accounts/role.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { ok, refuse } from '../../domain/result.ts';
import { setActive } from '../../engine/accounts/accounts.ts';
import { isLastKeeper } from '../../engine/accounts/keepers.ts';
import { removeMember, setRole } from '../../engine/accounts/memberships.ts';
import { mailNewPassword } from '../../engine/accounts/request-password-reset.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import type { SettingsVerb } from '../../engine/pages/settings-routes.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Administered, administerMember } from './administer-member.ts';
import { selectLeftAlone } from './queries.ts';
import type { MemberRefusal } from './refusals.ts';

export const MEMBERS = '/settings/members';

export const changeRole: SettingsVerb<MemberRefusal> = async (tx, requester, input, now) => {
  const { organizationId, form } = input;
  const found = await administerMember(tx, requester, input);
  if (!found.ok) return found;
  const member = found.value;
  const role = ROLES.find((known) => known === form.role);
  if (!role) return refuse('no_such_role');
  if (role === member.role) return ok({});
  if (!canAdminister(role) && (await isLastIn(tx, organizationId, member)))
    return refuse('last_administrator');
  await setRole(tx, { accountId: member.id, organizationId, role }, now);
  await writeAudit(
    tx,
    requester,
    {
      action: 'member.role',
      organizationId,
      detail: { ...nameMember(member), changes: { role: { before: member.role, after: role } } },
    },
    now,
  );
  // Whoever gives up the role himself may not see this page again.
  return ok(member.isOwn ? { to: '/profile', done: 'role' } : {});
};

/**
 * The account stays, with what it did on record; it belongs to the organization no more. Who deactivated it has no say over
 * it then: whoever it is may be invited elsewhere.
 */
export const remove: SettingsVerb<MemberRefusal> = async (tx, requester, input, now) => {
  const { organizationId } = input;
  const found = await administerMember(tx, requester, input);
  if (!found.ok) return found;
  const member = found.value;
  if (await isLastIn(tx, organizationId, member)) return refuse('last_administrator');
  const membership = { accountId: member.id, organizationId };
  const groups = await removeMember(tx, membership, now);
  await writeAudit(
    tx,
    requester,
    { action: 'member.remove', organizationId, detail: { ...nameMember(member), role: member.role, groups } },
    now,
  );
  if (!member.isActive && !member.isBarred && member.organizationIds.length === 1)
    await setActive(tx, requester, { accountId: member.id, isActive: true }, now);
  return ok(member.isOwn ? { to: '/profile', done: 'left' } : { to: MEMBERS });
};

export const deactivate: SettingsVerb<MemberRefusal> = async (tx, requester, input, now) => {
  const { organizationId } = input;
  const found = await administerMember(tx, requester, input);
  if (!found.ok) return found;
  const member = found.value;
  if (member.isOwn) return refuse('own_account');
  if (!member.isOursAlone) return refuse('belongs_elsewhere');
  if (!member.isActive) return ok({});
  if ((await selectLeftAlone(tx, member.organizationIds, member.id)).length > 0)
    return refuse('last_administrator');
  if (await isLastKeeper(tx, member.id)) return refuse('last_keeper');
  await setActive(tx, requester, { accountId: member.id, isActive: false }, now);
  await writeAudit(
    tx,
    requester,
    { action: 'member.deactivate', organizationId, detail: { ...nameMember(member) } },
    now,
  );
  return ok({});
};

export const activate: SettingsVerb<MemberRefusal> = async (tx, requester, input, now) => {
  const { organizationId } = input;
  const found = await administerMember(tx, requester, input);
  if (!found.ok) return found;
  const member = found.value;
  if (!member.isOursAlone) return refuse('belongs_elsewhere');
  if (member.isActive) return ok({});
  if (member.isBarred) return refuse('barred');
  await setActive(tx, requester, { accountId: member.id, isActive: true }, now);
  await writeAudit(
    tx,
    requester,
    { action: 'member.activate', organizationId, detail: { ...nameMember(member) } },
    now,
  );
  return ok({});
};

/** Administrators choose no passwords. The link goes to whoever owns the address, as if they had asked for it themselves. */
export const resetPassword: SettingsVerb<MemberRefusal> = async (tx, requester, input, now) => {
  const { organizationId } = input;
  const found = await administerMember(tx, requester, input);
  if (!found.ok) return found;
  const member = found.value;
  if (member.isOwn) return refuse('own_password');
  if (!member.isActive || !member.hasPassword) return refuse('cannot_sign_in');
  if (!(await mailNewPassword(tx, member, now))) return refuse('mailed_enough');
  await writeAudit(
    tx,
    requester,
    { action: 'member.reset_password', organizationId, detail: { ...nameMember(member) } },
    now,
  );
  return ok({});
};

const isLastIn = async (tx: Tx, organizationId: OrganizationId, { id }: Administered): Promise<boolean> =>
  (await selectLeftAlone(tx, [organizationId], id)).length > 0;

const nameMember = ({ id, email }: Administered) => ({ account: id, email });
