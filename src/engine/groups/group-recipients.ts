// Who is in a group. Each change answers with what it changed.
import sql, { type Sql } from 'sql-template-tag';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import { tryAgainNow } from '../outbox/letters.ts';
import type { WebhookKind } from '../transports/webhook/kinds.ts';
import type { GroupTx } from './change-group.ts';

interface InGroup {
  groupId: number;
}

/** Only members of its organization. */
export const addAccounts = (tx: GroupTx, groupId: number, accountIds: readonly AccountId[]) =>
  tx.query<InGroup & { accountId: AccountId }>(sql`
    insert into notification_group_account (group_id, account_id)
    select notification_group.id, account_id from notification_group join membership using (organization_id)
    where notification_group.id = ${groupId} and account_id = any(${accountIds}::int[])
    on conflict do nothing returning group_id as "groupId", account_id as "accountId"`);

export const removeAccount = (tx: GroupTx, groupId: number, accountId: AccountId) =>
  tx.query<InGroup>(sql`
    delete from notification_group_account where group_id = ${groupId} and account_id = ${accountId}
    returning group_id as "groupId"`);

/** From all groups of an organization. */
export const removeAccountFromAll = (tx: GroupTx, organizationId: OrganizationId, accountId: AccountId) =>
  tx.query<InGroup>(sql`
    delete from notification_group_account using notification_group
    where notification_group.id = group_id and organization_id = ${organizationId} and account_id = ${accountId}
    returning group_id as "groupId"`);

export const addEmails = (tx: GroupTx, groupId: number, emails: readonly string[]) =>
  tx.query<InGroup & { email: string }>(sql`
    insert into notification_group_email (group_id, email) select ${groupId}, unnest(${emails}::text[])
    on conflict do nothing returning group_id as "groupId", email`);

/** The operator vouches for them. Who is told stays as it is. */
export const proveEmails = (tx: GroupTx, groupId: number, emails: readonly string[]): void =>
  tx.later(sql`
    update notification_group_email set is_proved = true
    where group_id = ${groupId} and email = any(${emails}::text[]) and not is_proved`);

export const removeEmail = (tx: GroupTx, groupId: number, email: string) =>
  tx.query<InGroup>(sql`
    delete from notification_group_email where group_id = ${groupId} and email = ${email}
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
export const addWebhooks = (tx: GroupTx, groupId: number, webhooks: readonly NewWebhook[]) =>
  tx.query<ChangedWebhook>(sql`
    insert into notification_group_webhook as webhook (group_id, kind, url, secret)
    select ${groupId}, kind, url, secret
    from json_to_recordset(${JSON.stringify(webhooks)}) as given (kind text, url text, secret text)
    on conflict do nothing returning ${CHANGED}`);

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
