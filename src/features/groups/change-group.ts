// The verbs on one group. Each commits with its record; what changes nothing leaves none.

import { isEmail, LONGEST_EMAIL, normaliseEmail } from '../../domain/accounts/email.ts';
import type { Requester } from '../../domain/accounts/requester.ts';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import { readName } from '../../domain/names.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { AuditAction } from '../../domain/words/audit-words.ts';
import { writeAudit } from '../../engine/audit/write-audit.ts';
import { changeGroup } from '../../engine/groups/change-group.ts';
import * as recipients from '../../engine/groups/group-recipients.ts';
import { deleteGroup, insertGroup, renameGroup, setGroupLanguage } from '../../engine/groups/groups.ts';
import { lockNames } from '../../engine/organizations/organizations.ts';
import { readLanguageField } from '../../engine/pages/language-field.tsx';
import { readPageId } from '../../engine/pages/page-routes.ts';
import { reconfigureServices, unchanged } from '../../engine/services/reconfigure-services.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FormFields } from '../../platform/http/form-body.ts';
import { type Group, isNameTaken, selectAccounts, selectServices } from './queries.ts';
import type { GroupRefusal } from './refusals.ts';

export async function createGroup(
  tx: Tx,
  requester: Requester,
  { organizationId, form }: { organizationId: OrganizationId; form: FormFields },
  now: Date,
): Promise<Result<number, GroupRefusal>> {
  const name = readName(form.name);
  if (!name.ok) return name;
  await lockNames(tx, organizationId);
  const created = await insertGroup(tx, organizationId, name.value, now);
  if (!created) return refuse('name_taken');
  const detail = { group: created.id, name: name.value };
  await writeAudit(tx, requester, { action: 'group.create', organizationId, detail }, now);
  return ok(created.id);
}

/** One change to one group, as its form on the page asks for it. */
export type GroupVerb = (
  tx: Tx,
  requester: Requester,
  input: { group: Group; form: FormFields },
  now: Date,
) => Promise<Result<null, GroupRefusal>>;

export const rename: GroupVerb = async (tx, requester, { group, form }, now) => {
  const name = readName(form.name);
  if (!name.ok) return name;
  if (name.value === group.name) return ok(null);
  await lockNames(tx, group.organizationId);
  if (await isNameTaken(tx, group.organizationId, name.value)) return refuse('name_taken');
  await renameGroup(tx, group.id, name.value);
  await record(
    tx,
    requester,
    { group, action: 'group.rename', detail: { name: name.value, from: group.name } },
    now,
  );
  return ok(null);
};

export const setLanguage: GroupVerb = async (tx, requester, { group, form }, now) => {
  const language = readLanguageField(form.language, group.language);
  if (!language.ok) return language;
  if (await setGroupLanguage(tx, group.id, language.value)) {
    const detail = { language: { before: group.language, after: language.value } };
    await record(tx, requester, { group, action: 'group.language', detail }, now);
  }
  return ok(null);
};

/** The services' alarm states are locked before the group, in the order of an edit of a service. */
export const remove: GroupVerb = async (tx, requester, { group }, now) => {
  const services = await selectServices(tx, group);
  const serviceIds = services.map(({ id }) => id);
  const isGone = await reconfigureServices(tx, serviceIds, now, async (held) => {
    const deleted = await deleteGroup(held, group.id);
    return deleted.length > 0 ? { changed: serviceIds, value: true } : unchanged(false);
  });
  if (!isGone) return ok(null);
  await record(tx, requester, { group, action: 'group.delete', detail: { services: serviceIds } }, now);
  return ok(null);
};

export const addMember: GroupVerb = async (tx, requester, { group, form }, now) => {
  const accountId = readPageId<AccountId>(form.account_id);
  const account = (await selectAccounts(tx, group)).find(({ id }) => id === accountId);
  if (!account?.isMember) return refuse('no_such_member');
  const added = await changeGroup(tx, now, (changing) =>
    recipients.addAccounts(changing, group.id, [account.id]),
  );
  if (added.length === 0) return refuse('member_there');
  await record(
    tx,
    requester,
    { group, action: 'group.member.add', detail: { account: account.id, email: account.email } },
    now,
  );
  return ok(null);
};

export const removeMember: GroupVerb = async (tx, requester, { group, form }, now) => {
  const accountId = readPageId<AccountId>(form.account_id);
  if (accountId === null) return ok(null);
  const removed = await changeGroup(tx, now, (changing) =>
    recipients.removeAccount(changing, group.id, accountId),
  );
  if (removed.length === 0) return ok(null);
  await record(tx, requester, { group, action: 'group.member.remove', detail: { account: accountId } }, now);
  return ok(null);
};

export const addEmail: GroupVerb = async (tx, requester, { group, form }, now) => {
  const email = normaliseEmail(form.email ?? '');
  if (!isEmail(email) || email.length > LONGEST_EMAIL) return refuse('not_an_email');
  const added = await changeGroup(tx, now, (changing) => recipients.addEmails(changing, group.id, [email]));
  if (added.length === 0) return refuse('email_there');
  await record(tx, requester, { group, action: 'group.email.add', detail: { email } }, now);
  return ok(null);
};

export const removeEmail: GroupVerb = async (tx, requester, { group, form }, now) => {
  const email = form.email ?? '';
  const removed = await changeGroup(tx, now, (changing) => recipients.removeEmail(changing, group.id, email));
  if (removed.length === 0) return ok(null);
  await record(tx, requester, { group, action: 'group.email.remove', detail: { email } }, now);
  return ok(null);
};

export const record = (
  tx: Tx,
  requester: Requester,
  { group, action, detail }: { group: Group; action: AuditAction; detail: Record<string, unknown> },
  now: Date,
) =>
  writeAudit(
    tx,
    requester,
    {
      action,
      organizationId: group.organizationId,
      detail: { group: group.id, name: group.name, ...detail },
    },
    now,
  );
