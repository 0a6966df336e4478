// Who is in a group. Nobody else writes these rows: with every change goes the note by which newcomers hear of what holds.
// Each change answers with what it changed.
import sql, { type Sql } from 'sql-template-tag';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { tryAgainNow } from '../outbox/letters.ts';
import { lookAgainAtGroups } from '../outbox/look-again.ts';
import type { WebhookKind } from '../transports/webhook/kinds.ts';

async function change<Row extends { groupId: number }>(tx: Tx, statement: Sql, now: Date): Promise<Row[]> {
  const changed = await tx.query<Row>(statement);
  const groupIds = [...new Set(changed.map(({ groupId }) => groupId))];
  if (groupIds.length > 0) lookAgainAtGroups(tx, groupIds, now);
  return changed;
}

interface InGroup {
  groupId: number;
}

/** Only members of its organization. */
export const addAccounts = (tx: Tx, groupId: number, accountIds: readonly AccountId[], now: Date) =>
  change<InGroup & { accountId: AccountId }>(
    tx,
    sql`
      insert into notification_group_account (group_id, account_id)
      select notification_group.id, account_id from notification_group join membership using (organization_id)
      where notification_group.id = ${groupId} and account_id = any(${accountIds}::int[])
      on conflict do nothing returning group_id as "groupId", account_id as "accountId"`,
    now,
  );

export const removeAccount = (tx: Tx, groupId: number, accountId: AccountId, now: Date) =>
  change<InGroup>(
    tx,
    sql`
      delete from notification_group_account where group_id = ${groupId} and account_id = ${accountId}
      returning group_id as "groupId"`,
    now,
  );

/** From all groups of an organization. */
export const removeAccountFromAll = (
  tx: Tx,
  organizationId: OrganizationId,
  accountId: AccountId,
  now: Date,
) =>
  change<InGroup>(
    tx,
    sql`
      delete from notification_group_account using notification_group
      where notification_group.id = group_id and organization_id = ${organizationId} and account_id = ${accountId}
      returning group_id as "groupId"`,
    now,
  );

export const addEmails = (tx: Tx, groupId: number, emails: readonly string[], now: Date) =>
  change<InGroup & { email: string }>(
    tx,
    sql`
      insert into notification_group_email (group_id, email) select ${groupId}, unnest(${emails}::text[])
      on conflict do nothing returning group_id as "groupId", email`,
    now,
  );

/** The operator vouches for them. Who is told stays as it is. */
export const proveEmails = (tx: Tx, groupId: number, emails: readonly string[]): void =>
  tx.later(sql`
    update notification_group_email set is_proved = true
    where group_id = ${groupId} and email = any(${emails}::text[]) and not is_proved`);

export const removeEmail = (tx: Tx, groupId: number, email: string, now: Date) =>
  change<InGroup>(
    tx,
    sql`
      delete from notification_group_email where group_id = ${groupId} and email = ${email}
      returning group_id as "groupId"`,
    now,
  );

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
export const addWebhooks = (tx: Tx, groupId: number, webhooks: readonly NewWebhook[], now: Date) =>
  change<ChangedWebhook>(
    tx,
    sql`
      insert into notification_group_webhook as webhook (group_id, kind, url, secret)
      select ${groupId}, kind, url, secret
      from json_to_recordset(${JSON.stringify(webhooks)}) as given (kind text, url text, secret text)
      on conflict do nothing returning ${CHANGED}`,
    now,
  );

export const removeWebhook = (tx: Tx, groupId: number, webhookId: number, now: Date) =>
  change<ChangedWebhook>(
    tx,
    sql`
      delete from notification_group_webhook webhook where group_id = ${groupId} and id = ${webhookId}
      returning ${CHANGED}`,
    now,
  );

export const switchOffWebhook = (tx: Tx, groupId: number, webhookId: number, reason: string, now: Date) =>
  switchOff(tx, sql`group_id = ${groupId} and webhook.id = ${webhookId}`, reason, now);

/** Of whatever group: their receivers said so. */
export const switchOffGoneWebhooks = (tx: Tx, webhookIds: readonly number[], reason: string, now: Date) =>
  switchOff(tx, sql`webhook.id = any(${webhookIds}::int[])`, reason, now);

const switchOff = (tx: Tx, which: Sql, reason: string, now: Date) =>
  change<ChangedWebhook & { groupName: string; organizationId: OrganizationId }>(
    tx,
    sql`
      update notification_group_webhook webhook set disabled_at = ${now}, disabled_reason = ${reason}
      from notification_group
      where ${which} and disabled_at is null and notification_group.id = group_id
      returning ${CHANGED}, name as "groupName", organization_id as "organizationId"`,
    now,
  );

export async function switchOnWebhook(
  tx: Tx,
  groupId: number,
  webhookId: number,
  now: Date,
): Promise<ChangedWebhook[]> {
  const changed = await change<ChangedWebhook>(
    tx,
    sql`
      update notification_group_webhook webhook set disabled_at = null, disabled_reason = null
      where group_id = ${groupId} and id = ${webhookId} and disabled_at is not null returning ${CHANGED}`,
    now,
  );
  tryAgainNow(tx, changed, now);
  return changed;
}

export async function setWebhookSecrets(
  tx: Tx,
  webhooks: readonly { id: number; secret: string }[],
  now: Date,
): Promise<ChangedWebhook[]> {
  tryAgainNow(tx, webhooks, now);
  return change(
    tx,
    sql`
      update notification_group_webhook webhook set secret = given.secret
      from json_to_recordset(${JSON.stringify(webhooks)}) as given (id int, secret text)
      where webhook.id = given.id returning ${CHANGED}`,
    now,
  );
}
