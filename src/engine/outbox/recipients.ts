// Whom a group reaches. Nobody who cannot be: a closed account, one that left the organization, a webhook that is off.
import sql from 'sql-template-tag';
import type { Recipient } from '../../domain/notifications/policy-input.ts';
import type { Tx } from '../../platform/db/database.ts';

/** By account: an active one that still belongs to the organization. */
export const REACHED_ACCOUNTS = sql`(
  select group_id, account.id, account.email from notification_group_account
  join notification_group on notification_group.id = group_id
  join membership using (account_id, organization_id)
  join account on account.id = account_id
  where is_active)`;

/** An address may be there twice: of an account, and as it is. */
export const RECIPIENTS = sql`(
  select group_id, 'email' as transport, email as recipient from ${REACHED_ACCOUNTS} as reached
  union all
  select group_id, 'email', email from notification_group_email
  union all
  select group_id, 'webhook', id::text from notification_group_webhook where disabled_at is null)`;

export const selectRecipients = (tx: Tx, groupId: number) =>
  tx.query<Recipient>(sql`
    select distinct transport, recipient from ${RECIPIENTS} as reached where group_id = ${groupId} order by 1, 2`);
