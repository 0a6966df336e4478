// Who is in a group. Each change answers with what it changed.

import sql, { type Sql } from 'sql-template-tag';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { During } from '../../domain/on-call/lab-hours.ts';
import { keeping, organizationOfGroup } from '../mosts/keep-most.ts';
import { tryAgainNow } from '../outbox/letters.ts';
import type { WebhookKind } from '../transports/webhook/kinds.ts';
import type { GroupTx } from './change-group.ts';

interface InGroup {
  groupId: number;
}

/** Where on the ladder, and at what hours. */
export interface Place {
  step: number;
  during: During;
}

/** At once, at any hour. */
export const AT_ONCE: Place = { step: 0, during: 'always' };

/** Only members of its organization. */
export const addAccounts = (
  tx: GroupTx,
  groupId: number,
  accountIds: readonly AccountId[],
  { step, during }: Place = AT_ONCE,
) =>
  keeping(
    tx,
    'groupMembers',
    [groupId],
    tx.query<InGroup & { accountId: AccountId }>(sql`
    insert into notification_group_account (group_id, account_id, step, during)
    select notification_group.id, account_id, ${step}, ${during} from notification_group join membership using (organization_id)
    where notification_group.id = ${groupId} and account_id = any(${accountIds}::int[])
    on conflict do nothing returning group_id as "groupId", account_id as "accountId"`),
  );

export const removeAccount = (
  tx: GroupTx,
  groupId: number,
  accountId: AccountId,
  { step, during }: Place = AT_ONCE,
) =>
  tx.query<InGroup>(sql`
    delete from notification_group_account
    where group_id = ${groupId} and account_id = ${accountId} and step = ${step} and during = ${during}
    returning group_id as "groupId"`);

/** From all groups of an organization. */
export const removeAccountFromAll = (tx: GroupTx, organizationId: OrganizationId, accountId: AccountId) =>
  tx.query<InGroup>(sql`
    delete from notification_group_account using notification_group
    where notification_group.id = group_id and organization_id = ${organizationId} and account_id = ${accountId}
    returning group_id as "groupId"`);

export const addEmails = (
  tx: GroupTx,
  groupId: number,
  emails: readonly string[],
  { step, during }: Place = AT_ONCE,
) =>
  keeping(
    tx,
    'groupEmails',
    [groupId],
    tx.query<InGroup & { email: string }>(sql`
    insert into notification_group_email (group_id, email, step, during)
    select ${groupId}, unnest(${emails}::text[]), ${step}, ${during}
    on conflict do nothing returning group_id as "groupId", email`),
  );

/** The operator vouches for them. Who is told stays as it is. */
export const proveEmails = (tx: GroupTx, groupId: number, emails: readonly string[]): void =>
  tx.later(sql`
    update notification_group_email set is_proved = true
    where group_id = ${groupId} and email = any(${emails}::text[]) and not is_proved`);

export const removeEmail = (tx: GroupTx, groupId: number, email: string, { step, during }: Place = AT_ONCE) =>
  tx.query<InGroup>(sql`
    delete from notification_group_email
    where group_id = ${groupId} and email = ${email} and step = ${step} and during = ${during}
    returning group_id as "groupId"`);

interface NewWebhook {
  kind: string;
  url: string;
  secret: string | null;
}

export interface ChangedWebhook extends InGroup {
  id: number;
  kind: WebhookKind;
  url: string;
}

const CHANGED = sql`webhook.id, group_id as "groupId", kind, url`;

/** Those that are there already are not among the answers. */
export const addWebhooks = (
  tx: GroupTx,
  groupId: number,
  webhooks: readonly NewWebhook[],
  { step, during }: Place = AT_ONCE,
) =>
  keeping(
    tx,
    'webhooks',
    organizationOfGroup(groupId),
    tx.query<ChangedWebhook>(sql`
    insert into notification_group_webhook as webhook (group_id, kind, url, secret, step, during)
    select ${groupId}, kind, url, secret, ${step}, ${during}
    from json_to_recordset(${JSON.stringify(webhooks)}) as given (kind text, url text, secret text)
    on conflict do nothing returning ${CHANGED}`),
  );

/** A webhook is what it is wherever it stands: it moves. */
export const placeWebhook = (tx: GroupTx, groupId: number, webhookId: number, { step, during }: Place) =>
  tx.query<ChangedWebhook>(sql`
    update notification_group_webhook webhook set step = ${step}, during = ${during}
    where group_id = ${groupId} and id = ${webhookId} and (step <> ${step} or during <> ${during})
      and not exists (select from notification_group_webhook twin
        where twin.group_id = ${groupId} and twin.kind = webhook.kind and twin.url = webhook.url
          and twin.step = ${step} and twin.during = ${during})
    returning ${CHANGED}`);

export const removeWebhook = (tx: GroupTx, groupId: number, webhookId: number) =>
  tx.query<ChangedWebhook>(sql`
    delete from notification_group_webhook webhook where group_id = ${groupId} and id = ${webhookId}
    returning ${CHANGED}`);

export const switchOffWebhook = (
  tx: GroupTx,
  groupId: number,
  webhookId: number,
  reason: string,
  now: Date,
) => switchOff(tx, sql`group_id = ${groupId} and webhook.id = ${webhookId}`, reason, now);

/** Of whatever group: their receivers said so. */
export const switchOffGoneWebhooks = (
  tx: GroupTx,
  webhookIds: readonly number[],
  reason: string,
  now: Date,
) => switchOff(tx, sql`webhook.id = any(${webhookIds}::int[])`, reason, now);

const switchOff = (tx: GroupTx, which: Sql, reason: string, now: Date) =>
  tx.query<ChangedWebhook & { groupName: string; organizationId: OrganizationId }>(sql`
    update notification_group_webhook webhook set disabled_at = ${now}, disabled_reason = ${reason}
    from notification_group
    where ${which} and disabled_at is null and notification_group.id = group_id
    returning ${CHANGED}, name as "groupName", organization_id as "organizationId"`);

export async function switchOnWebhook(
  tx: GroupTx,
  groupId: number,
  webhookId: number,
  now: Date,
): Promise<ChangedWebhook[]> {
  const changed = await tx.query<ChangedWebhook>(sql`
    update notification_group_webhook webhook set disabled_at = null, disabled_reason = null
    where group_id = ${groupId} and id = ${webhookId} and disabled_at is not null returning ${CHANGED}`);
  tryAgainNow(tx, changed, now);
  return changed;
}

export async function setWebhookSecrets(
  tx: GroupTx,
  webhooks: readonly { id: number; secret: string }[],
  now: Date,
): Promise<ChangedWebhook[]> {
  tryAgainNow(tx, webhooks, now);
  return tx.query(sql`
    update notification_group_webhook webhook set secret = given.secret
    from json_to_recordset(${JSON.stringify(webhooks)}) as given (id int, secret text)
    where webhook.id = given.id returning ${CHANGED}`);
}
