import sql from 'sql-template-tag';
import type { Tx } from '../../platform/db/database.ts';
import { REACHED_ACCOUNTS } from '../outbox-situation.ts';
import type { EmailRecipient, WebhookRecipient } from '../transports/transport.ts';

export type Recipient =
  | ({ transport: 'email' } & EmailRecipient)
  | ({ transport: 'webhook' } & WebhookRecipient);

interface Addressed {
  id: string;
  groupId: number;
  address: string;
  transport: 'email' | 'webhook';
}

/** By letter. Who left the group or the organization meanwhile, or whose account or webhook is no longer active, is not among them. */
export async function findRecipients(tx: Tx, letters: Addressed[]): Promise<Map<string, Recipient>> {
  const emails = letters.filter(({ transport }) => transport === 'email');
  const webhooks = letters.filter(({ transport }) => transport === 'webhook');
  const found = new Map<string, Recipient>();
  if (emails.length > 0)
    for (const { letterId, address, name, timeZone } of await selectEmails(tx, emails)) {
      const account = name !== null && timeZone !== null ? { name, timeZone } : null;
      found.set(letterId, { transport: 'email', address, account });
    }
  if (webhooks.length > 0)
    for (const { letterId, ...webhook } of await selectWebhooks(tx, webhooks))
      found.set(letterId, { transport: 'webhook', ...webhook });
  return found;
}

const listLetters = (letters: Addressed[]) => sql`
  unnest(${letters.map(({ id }) => id)}::bigint[], ${letters.map(({ groupId }) => groupId)}::int[],
    ${letters.map(({ address }) => address)}::text[]) as letter (id, group_id, address)`;

const selectEmails = (tx: Tx, letters: Addressed[]) =>
  tx.query<{ letterId: string; address: string; name: string | null; timeZone: string | null }>(sql`
    select letter.id as "letterId", letter.address, account.name, account.timezone as "timeZone"
    from ${listLetters(letters)}
    left join account on account.email = letter.address and account.is_active
    where exists (select 1 from notification_group_email plain
        where plain.group_id = letter.group_id and plain.email = letter.address)
      or exists (select 1 from ${REACHED_ACCOUNTS} as reached
        where reached.group_id = letter.group_id and reached.id = account.id)`);

const selectWebhooks = (tx: Tx, letters: Addressed[]) =>
  tx.query<{ letterId: string } & WebhookRecipient>(sql`
    select letter.id as "letterId", webhook.id, webhook.kind, webhook.url, webhook.secret
    from ${listLetters(letters)}
    join notification_group_webhook webhook
      on webhook.id = letter.address::int and webhook.group_id = letter.group_id and webhook.disabled_at is null`);
