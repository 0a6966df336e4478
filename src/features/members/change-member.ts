// The verbs on one member. Each commits with its record; what changes nothing leaves none.

import { canAdminister, ROLES } from '../../domain/accounts/role.ts';
import { ok, refuse } from '../../domain/result.ts';
import { setActive } from '../../engine/accounts/accounts.ts';
import { removeMember, setRole } from '../../engine/accounts/memberships.ts';
import { mailNewPassword } from '../../engine/accounts/request-password-reset.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { type Ask, inTransaction } from '../../engine/pages/settings-routes.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Administered, administerMember } from './administer-member.ts';
import { selectLeftAlone } from './queries.ts';
import type { MemberRefusal } from './refusals.ts';

export const MEMBERS = '/settings/members';

export const changeRole = inTransaction<MemberRefusal>(async (tx, ask) => {
  const found = await administerMember(tx, ask);
  if (!found.ok) return found;
  const member = found.value;
  const role = ROLES.find((known) => known === ask.form.role);
  if (!role) return refuse('no_such_role');
  if (role === member.role) return ok({});
  if (!canAdminister(role) && (await isLastIn(tx, ask, member))) return refuse('last_administrator');
  await setRole(tx, { accountId: member.id, organizationId: ask.organization.id, role }, ask.now);
  await record(tx, ask, member, 'member.role', { changes: { role: { before: member.role, after: role } } });
  // Whoever gives up the role himself may not see this page again.
  return ok(member.isOwn ? { to: '/profile', done: 'role' } : {});
});

/**
 * The account stays, with what it did on record; it belongs to the organization no more. Who deactivated it has no say over
 * it then: whoever it is may be invited elsewhere.
 */
export const remove = inTransaction<MemberRefusal>(async (tx, ask) => {
  const found = await administerMember(tx, ask);
  if (!found.ok) return found;
  const member = found.value;
  if (await isLastIn(tx, ask, member)) return refuse('last_administrator');
  const membership = { accountId: member.id, organizationId: ask.organization.id };
  const groups = await removeMember(tx, membership, ask.now);
  await record(tx, ask, member, 'member.remove', { role: member.role, groups });
  if (!member.isActive && !member.isBarred && member.organizationIds.length === 1)
    await setActive(tx, ask.actor, member.id, true, ask.now);
  return ok(member.isOwn ? { to: '/profile', done: 'left' } : { to: MEMBERS });
});

export const deactivate = inTransaction<MemberRefusal>(async (tx, ask) => {
  const found = await administerMember(tx, ask);
  if (!found.ok) return found;
  const member = found.value;
  if (member.isOwn) return refuse('own_account');
  if (!member.isOursAlone) return refuse('belongs_elsewhere');
  if (!member.isActive) return ok({});
  if ((await selectLeftAlone(tx, member.organizationIds, member.id)).length > 0)
    return refuse('last_administrator');
  await setActive(tx, ask.actor, member.id, false, ask.now);
  await record(tx, ask, member, 'member.deactivate', {});
  return ok({});
});

export const activate = inTransaction<MemberRefusal>(async (tx, ask) => {
  const found = await administerMember(tx, ask);
  if (!found.ok) return found;
  const member = found.value;
  if (!member.isOursAlone) return refuse('belongs_elsewhere');
  if (member.isActive) return ok({});
  if (member.isBarred) return refuse('barred');
  await setActive(tx, ask.actor, member.id, true, ask.now);
  await record(tx, ask, member, 'member.activate', {});
  return ok({});
});

/** Administrators choose no passwords. The link goes to whoever owns the address, as if they had asked for it themselves. */
export const resetPassword = inTransaction<MemberRefusal>(async (tx, ask) => {
  const found = await administerMember(tx, ask);
  if (!found.ok) return found;
  const member = found.value;
  if (member.isOwn) return refuse('own_password');
  if (!member.isActive || !member.hasPassword) return refuse('cannot_sign_in');
  if (!(await mailNewPassword(tx, member, ask.now))) return refuse('mailed_enough');
  await record(tx, ask, member, 'member.reset_password', {});
  return ok({});
});

const isLastIn = async (tx: Tx, { organization }: Ask, { id }: Administered): Promise<boolean> =>
  (await selectLeftAlone(tx, [organization.id], id)).length > 0;

const record = (
  tx: Tx,
  { actor, organization, now }: Ask,
  { id, email }: Administered,
  action: string,
  detail: Record<string, unknown>,
) =>
  writeAudit(
    tx,
    actor,
    { action, organizationId: organization.id, detail: { account: id, email, ...detail } },
    now,
  );
