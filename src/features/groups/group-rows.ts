// The statements that change groups. Each answers with what it changed: nothing changed, nothing goes on record.
import sql from 'sql-template-tag';
import type { AccountId, OrganizationId } from '../../domain/ids.ts';
import type { WebhookKind } from '../../engine/transports/transport.ts';
import { first, type Tx } from '../../platform/db/database.ts';

/** null: the name is taken. */
export const insertGroup = async (tx: Tx, organizationId: OrganizationId, name: string, now: Date) =>
  first(
    await tx.query<{ id: number }>(sql`
      insert into notification_group (organization_id, name, created_at)
      values (${organizationId}, ${name}, ${now})
      on conflict (organization_id, name) do nothing returning id`),
  );

/** Those who give names wait for each other, so that two cannot take the same one at once. */
export const lockGroupNames = (tx: Tx, organizationId: OrganizationId) =>
  tx.query(sql`select from organization where id = ${organizationId} for no key update`);

export const isNameTaken = async (tx: Tx, organizationId: OrganizationId, name: string) =>
  first(
    await tx.query(sql`
      select 1 from notification_group where organization_id = ${organizationId} and name = ${name}`),
  ) !== null;

export const renameGroup = (tx: Tx, groupId: number, name: string) =>
  tx.query(sql`update notification_group set name = ${name} where id = ${groupId}`);

export const deleteGroup = (tx: Tx, groupId: number) =>
  tx.query<{ id: number }>(sql`delete from notification_group where id = ${groupId} returning id`);

export const insertMember = (tx: Tx, groupId: number, organizationId: OrganizationId, accountId: AccountId) =>
  tx.query<{ id: AccountId }>(sql`
    insert into notification_group_account (group_id, account_id)
    select ${groupId}, account_id from membership
    where organization_id = ${organizationId} and account_id = ${accountId}
    on conflict do nothing returning account_id as "id"`);

export const deleteMember = (tx: Tx, groupId: number, accountId: AccountId) =>
  tx.query<{ id: AccountId }>(sql`
    delete from notification_group_account where group_id = ${groupId} and account_id = ${accountId}
    returning account_id as "id"`);

export const insertEmail = (tx: Tx, groupId: number, email: string) =>
  tx.query<{ email: string }>(sql`
    insert into notification_group_email (group_id, email) values (${groupId}, ${email})
    on conflict do nothing returning email`);

export const deleteEmail = (tx: Tx, groupId: number, email: string) =>
  tx.query<{ email: string }>(sql`
    delete from notification_group_email where group_id = ${groupId} and email = ${email} returning email`);

interface NewWebhook {
  kind: WebhookKind;
  url: string;
  secret: string | null;
}

/** Nothing: there is one like it already. */
export const insertWebhook = (tx: Tx, groupId: number, { kind, url, secret }: NewWebhook) =>
  tx.query<ChangedWebhook>(sql`
    insert into notification_group_webhook (group_id, kind, url, secret)
    values (${groupId}, ${kind}, ${url}, ${secret})
    on conflict do nothing returning id, kind, url`);

export interface ChangedWebhook {
  id: number;
  kind: WebhookKind;
  url: string;
}

export const deleteWebhook = (tx: Tx, groupId: number, webhookId: number) =>
  tx.query<ChangedWebhook>(sql`
    delete from notification_group_webhook where group_id = ${groupId} and id = ${webhookId}
    returning id, kind, url`);

export const disableWebhook = (tx: Tx, groupId: number, webhookId: number, reason: string, now: Date) =>
  tx.query<ChangedWebhook>(sql`
    update notification_group_webhook set disabled_at = ${now}, disabled_reason = ${reason}
    where group_id = ${groupId} and id = ${webhookId} and disabled_at is null returning id, kind, url`);

export const enableWebhook = (tx: Tx, groupId: number, webhookId: number) =>
  tx.query<ChangedWebhook>(sql`
    update notification_group_webhook set disabled_at = null, disabled_reason = null
    where group_id = ${groupId} and id = ${webhookId} and disabled_at is not null returning id, kind, url`);
