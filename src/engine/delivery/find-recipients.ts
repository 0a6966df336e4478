import sql, { type Sql } from 'sql-template-tag';
import { canOperate, ROLES, type Role } from '../../domain/accounts/role.ts';
import { english } from '../../domain/language/english.ts';
import type { Language } from '../../domain/language/speak.ts';
import type { RowsOf, Statement } from '../../platform/db/statement.ts';
import { languageFor } from '../../platform/languages/languages.ts';
import type { PersonalLetter } from '../outbox/personal-path.ts';
import { REACHED_ACCOUNTS, REACHED_METHODS } from '../outbox/recipients.ts';
import { languageBy } from '../providers/providers.ts';
import { IS_IN_USE } from '../sql-parts/contact-methods.ts';
import type { EmailRecipient } from '../transports/email/recipient.ts';
import type { MethodRecipient } from '../transports/method/recipient.ts';
import type { WebhookRecipient } from '../transports/webhook/recipient.ts';

/**
 * `hasSeveral`: more than one organization tells it. `language`: that of a program is English. `signsAs`: as whom a link of the
 * letter acknowledges without a session; left out where nobody does.
 */
export type FoundRecipient = {
  hasSeveral: boolean;
  language: Language;
  signsAs?: PersonalLetter['signsAs'];
} & (
  | ({ transport: 'email' } & EmailRecipient)
  | ({ transport: 'webhook' } & WebhookRecipient)
  | ({ transport: 'method' } & MethodRecipient)
);

/** Who left the group or the organization meanwhile, or whose account or webhook is no longer active, is not in the answers. */
export const askRecipients = (letterIds: Sql) => ({
  emails: selectEmails(letterIds),
  webhooks: selectWebhooks(letterIds),
  methods: selectMethods(letterIds),
  signers: selectSigners(letterIds),
});

type Asked = ReturnType<typeof askRecipients>;

/** By letter. */
export function toRecipients({
  emails,
  webhooks,
  methods,
  signers,
}: RowsOf<Asked>): Map<string, FoundRecipient> {
  const found = new Map<string, FoundRecipient>();
  for (const { letterId, address, name, timeZone, hasSeveral, languages } of emails) {
    const account = name !== null && timeZone !== null ? { name, timeZone } : null;
    const language = languageFor(...languages);
    found.set(letterId, { transport: 'email', address, account, hasSeveral, language });
  }
  for (const { letterId, ...webhook } of webhooks)
    found.set(letterId, { transport: 'webhook', ...webhook, language: english });
  for (const { letterId, role, languages, ...method } of methods) {
    const language = languageBy(method.kind, languageFor(...languages));
    found.set(letterId, { transport: 'method', ...method, mayAcknowledge: canOperate(role), language });
  }
  for (const { letterId, ...signsAs } of signers) {
    const recipient = found.get(letterId);
    if (recipient) found.set(letterId, { ...recipient, signsAs });
  }
  return found;
}

/** An alarm is handed to one person of the organization, be they in the group or not. */
const isHandedTo = (which: Sql): Sql => sql`exists (
  select from delivery join notification on notification.id = notification_id
  join membership using (account_id, organization_id)
  join account told on told.id = delivery.account_id and told.is_active
  where letter_id = letter.id and mark = 'hand_over' and ${which})`;

/** Of the account; of the group, where nobody's account is told; of the organization. */
type Languages = readonly [account: string | null, group: string | null, organization: string | null];

interface EmailRow {
  letterId: string;
  address: string;
  name: string | null;
  timeZone: string | null;
  hasSeveral: boolean;
  languages: Languages;
}

type WebhookRow = { letterId: string; hasSeveral: boolean } & WebhookRecipient;

/** Administrators are reached by what was told as the last resort, and by no other letter. */
const isOfStep = (reached: Sql): Sql => sql`(
  ${reached}.only_step is null
  or exists (select from delivery where letter_id = letter.id and delivery.step = ${reached}.only_step))`;

/** Of an account of other organizations neither the name nor the zone is used: their administrators may read the mail. */
const selectEmails = (letterIds: Sql): Statement<EmailRow> => sql`
  select letter.id as "letterId", recipient as "address", account.name, account.timezone as "timeZone",
    (select count(*) from (
      select organization_id from membership join account owner on owner.id = account_id
      where owner.email = recipient and owner.is_active
      union
      select organization_id from notification_group_email plain
      join notification_group on notification_group.id = plain.group_id
      where plain.email = recipient) as teller) > 1 as "hasSeveral",
    array[coalesce(account.language, owner.language),
      case when account.id is null and owner.id is null then notification_group.language end, organization.language] as "languages"
  from letter
  left join notification_group on notification_group.id = letter.group_id
  left join organization on organization.id = notification_group.organization_id
  left join account on account.email = recipient and account.is_active
    and exists (select from membership
      where membership.account_id = account.id and membership.organization_id = organization.id)
  -- Whom it tells by another address than that of their account.
  left join lateral (
    select told.id, told.language from delivery join account told on told.id = delivery.account_id
    where letter_id = letter.id limit 1) owner on account.id is null
  where letter.id = any(${letterIds}) and transport = 'email' and (
    exists (select from notification_group_email plain
      where plain.group_id = letter.group_id and plain.email = recipient)
    or exists (select from ${REACHED_ACCOUNTS} as reached
      where reached.group_id = letter.group_id and reached.id = account.id and ${isOfStep(sql`reached`)})
    or exists (select from ${REACHED_METHODS} as own
      where own.group_id = letter.group_id and own.kind = 'email' and own.address = recipient
        and ${isOfStep(sql`own`)})
    or ${isHandedTo(sql`delivery.transport = 'email'`)})`;

type MethodRow = { letterId: string; hasSeveral: boolean; role: Role | null; languages: Languages } & Omit<
  MethodRecipient,
  'mayAcknowledge'
>;

const selectMethods = (letterIds: Sql): Statement<MethodRow> => sql`
  select letter.id as "letterId", contact_method.id, contact_method.kind, contact_method.address, secret,
    (select count(*) from membership where account_id = contact_method.account_id) > 1 as "hasSeveral",
    case when not phone_pin_required then 'none' when phone_pin_hash is null then 'missing' else 'asked' end as "pin",
    (select role from membership where account_id = contact_method.account_id and organization_id = organization.id) as "role",
    array[account.language, null, organization.language] as "languages"
  from letter join contact_method on contact_method.id::text = recipient
  join account on account.id = contact_method.account_id
  join notification_group on notification_group.id = letter.group_id
  join organization on organization.id = notification_group.organization_id
  where letter.id = any(${letterIds}) and transport = 'method'
    and (exists (select from ${REACHED_METHODS} as own
        where own.group_id = letter.group_id and own.id = contact_method.id and ${isOfStep(sql`own`)})
      or ${isHandedTo(sql`delivery.account_id = contact_method.account_id and ${IS_IN_USE}`)})`;

type SignerRow = { letterId: string } & PersonalLetter['signsAs'];

/** Of letters about one thing, to people who may acknowledge it, where their organization sends personal links. */
const selectSigners = (letterIds: Sql): Statement<SignerRow> => sql`
  select letter.id as "letterId", account.id as "accountId", token_generation as "generation"
  from letter join delivery on letter_id = letter.id and delivery.state <> 'dropped'
  join notification on notification.id = notification_id
  join organization on organization.id = notification.organization_id and personal_links
  join account on account.id = delivery.account_id and is_active
  join membership on membership.account_id = account.id and membership.organization_id = organization.id
  where letter.id = any(${letterIds}) and role = any(${ROLES.filter(canOperate)})`;

const selectWebhooks = (letterIds: Sql): Statement<WebhookRow> => sql`
  select letter.id as "letterId", webhook.id, webhook.kind, webhook.url, webhook.secret,
    (select count(distinct organization_id) from notification_group_webhook alike
      join notification_group on notification_group.id = alike.group_id
      where alike.url = webhook.url) > 1 as "hasSeveral"
  from letter join notification_group_webhook webhook
    on webhook.id::text = recipient and webhook.group_id = letter.group_id and webhook.disabled_at is null
  where letter.id = any(${letterIds}) and transport = 'webhook'`;
