import type { OrganizationId } from '../../domain/ids.ts';
import { changeGroup } from '../../engine/groups/change-group.ts';
import * as recipients from '../../engine/groups/group-recipients.ts';
import { insertGroup, setAcknowledgedMinutes, setGroupLanguage } from '../../engine/groups/groups.ts';
import type { KnownAccounts } from './apply-accounts.ts';
import { applyLadder } from './apply-ladder.ts';
import { applyRelays } from './apply-relays.ts';
import type { ApplyRun, Known } from './apply-run.ts';
import { describeChanges } from './describe-changes.ts';
import { type StoredGroup, selectGroups, selectMembers } from './queries.ts';
import type { LabGroup, LabOrganization } from './read/read-lab-file.ts';

/** Comes after the members: only they can be told by account. */
export async function applyGroups(
  run: ApplyRun,
  organizationId: OrganizationId,
  entry: LabOrganization,
  accounts: KnownAccounts,
  rotas: ReadonlyMap<string, number>,
): Promise<{ groups: Map<string, Known>; changes: string[] }> {
  const stored = new Map((await selectGroups(run.tx, organizationId)).map((group) => [group.name, group]));
  const groups = new Map<string, Known>();
  for (const { name, id } of stored.values()) groups.set(name, { id, isNew: false });
  if (!entry.groups) return { groups, changes: [] };
  const members = new Set((await selectMembers(run.tx, organizationId)).map(({ accountId }) => accountId));

  const changes: string[] = [];
  for (const group of entry.groups) {
    const label = `${entry.name}/${group.name}`;
    const before = stored.get(group.name) ?? (await createGroup(run, organizationId, group.name));
    if (!stored.has(group.name)) {
      groups.set(group.name, { id: before.id, isNew: true });
      changes.push(`+ group ${label}`);
    }
    const findMember = ({ path, value: email }: { path: string; value: string }) => {
      const account = accounts.get(email);
      if (account && members.has(account.id)) return [{ id: account.id, email }];
      if (account !== null) run.faults.add(path, `${email} is not a member of ${entry.name}`);
      return [];
    };
    const told = (group.accounts ?? []).flatMap(findMember);
    const added = [
      ...(await addToGroup(run, before, group, told)),
      ...(await applyLadder(run, before, group, { findMember, rotas })),
      ...(await applyExpiry(run, before, group)),
      ...(await applyRelays(run, before.id, group)),
      ...(await applyLanguage(run, before, group)),
    ];
    changes.push(...added.map((change) => `~ group ${label}: ${change}`));
  }
  return { groups, changes };
}

async function applyExpiry(
  { tx }: ApplyRun,
  { id }: StoredGroup,
  { acknowledged_minutes: minutes }: LabGroup,
): Promise<string[]> {
  if (minutes === undefined || !(await setAcknowledgedMinutes(tx, id, minutes))) return [];
  return [minutes === null ? 'acknowledgements stand' : `acknowledgements stand for ${minutes} minutes`];
}

async function applyLanguage(
  { tx }: ApplyRun,
  { id, language: before }: StoredGroup,
  { language }: LabGroup,
): Promise<string[]> {
  if (language === undefined || !(await setGroupLanguage(tx, id, language))) return [];
  return describeChanges({ language: before }, { language });
}

async function createGroup(
  { tx, now }: ApplyRun,
  organizationId: OrganizationId,
  name: string,
): Promise<StoredGroup> {
  const made = await insertGroup(tx, organizationId, name, now);
  if (!made) throw new Error(`Group ${name} was made by somebody else meanwhile: apply the file again`);
  return { id: made.id, name, language: null, emails: [], accountIds: [], webhooks: [], steps: [] };
}

async function addToGroup(
  { tx, now }: ApplyRun,
  group: StoredGroup,
  entry: LabGroup,
  told: { id: StoredGroup['accountIds'][number]; email: string }[],
): Promise<string[]> {
  const named = (entry.emails ?? []).map(({ value }) => value);
  const emails = named.filter((email) => !group.emails.includes(email));
  const accounts = told.filter(({ id }) => !group.accountIds.includes(id));
  const given = (entry.webhooks ?? []).map((webhook) => ({
    ...webhook,
    known: group.webhooks.find(({ kind, url }) => kind === webhook.kind && url === webhook.url),
  }));
  const webhooks = given.filter(({ known }) => !known);
  // A secret that is left out stays as it is.
  const changed = given.flatMap(({ known, secret, ...webhook }) =>
    known && secret !== undefined && secret !== known.secret ? [{ ...webhook, id: known.id, secret }] : [],
  );
  const accountIds = accounts.map(({ id }) => id);
  const newWebhooks = webhooks.map(({ kind, url, secret = null }) => ({ kind, url, secret }));
  await changeGroup(tx, now, async (changing) => {
    const added = emails.length > 0 ? await recipients.addEmails(changing, group.id, emails) : [];
    if (named.length > 0) recipients.proveEmails(changing, group.id, named);
    return [
      ...added,
      ...(accounts.length > 0 ? await recipients.addAccounts(changing, group.id, accountIds) : []),
      ...(webhooks.length > 0 ? await recipients.addWebhooks(changing, group.id, newWebhooks) : []),
      ...(changed.length > 0 ? await recipients.setWebhookSecrets(changing, changed, now) : []),
    ];
  });
  return [
    ...emails.map((email) => `+ email ${email}`),
    ...accounts.map(({ email }) => `+ account ${email}`),
    ...webhooks.map((webhook) => `+ ${nameWebhook(webhook)}`),
    ...changed.map((webhook) => `${nameWebhook(webhook)}: new secret`),
  ];
}

/** The address itself often is the secret. */
const nameWebhook = ({ kind, url }: { kind: string; url: string }): string =>
  `webhook ${kind} at ${new URL(url).host}`;
