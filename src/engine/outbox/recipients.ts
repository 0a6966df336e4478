// Whom a group reaches. Nobody who cannot be: a closed account, one that left the organization, a webhook that is off.

import sql from 'sql-template-tag';
import { LAST_RESORT } from '../../domain/notifications/ladder.ts';
import { IS_IN_USE } from '../sql-parts/contact-methods.ts';
import { AN_ADMINISTRATOR } from '../sql-parts/roles.ts';

/** At a step, at some hours: an active account that still belongs to the organization. */
const GROUP_ACCOUNTS = sql`(
  select group_id, step, during, account.id, account.email, account.name from notification_group_account
  join notification_group on notification_group.id = group_id
  join membership using (account_id, organization_id)
  join account on account.id = account_id
  where is_active)`;

/** An address may be there twice: of an account, and as it is. */
export const TARGETS = sql`(
  select group_id, step, during, 'email' as transport, email as recipient, id as account_id, name as account_name
  from ${GROUP_ACCOUNTS} as reached
  union all
  select group_id, step, during, 'email', email, null, null from notification_group_email
  union all
  select group_id, step, during, 'webhook', id::text, null, null from notification_group_webhook where disabled_at is null)`;

/** Everybody who is ever on a rota, some more than once. */
export const ROTA_ACCOUNTS = sql`(
  select rota_id, account_id from rota_member
  union all
  select rota_id, account_id from rota_stand_in)`;

/**
 * By account, whatever the step and whoever is on duty: at once, on a rota, or, administrators, as the last resort
 * (`only_step`).
 */
export const REACHED_ACCOUNTS = sql`(
  select group_id, id, email, null::smallint as only_step from ${GROUP_ACCOUNTS} as own
  union all
  select group_id, account.id, account.email, null from notification_group_rota
  join notification_group on notification_group.id = group_id
  join ${ROTA_ACCOUNTS} as on_rota using (rota_id)
  join membership using (account_id, organization_id)
  join account on account.id = account_id
  where is_active
  union all
  select notification_group.id, account.id, account.email, ${LAST_RESORT}::smallint from notification_group
  join membership using (organization_id)
  join account on account.id = account_id
  where is_active and role = ${AN_ADMINISTRATOR})`;

const IN_USE = sql`(select id, account_id, kind, address, after_minutes, only_critical, during from contact_method
  where ${IS_IN_USE})`;

/** How members of an organization want to be told, as rows of `methods`. */
export const METHODS = sql`(
  select organization_id, own.* from ${IN_USE} as own join membership using (account_id))`;

/** All who may ever hear of an alarm through it, on duty or not. */
export const RECIPIENTS = sql`(
  select group_id, 'email' as transport, email as recipient, only_step from ${REACHED_ACCOUNTS} as reached
  union all
  select group_id, 'email', email, null from notification_group_email
  union all
  select group_id, 'webhook', id::text, null from notification_group_webhook where disabled_at is null
  union all
  select group_id, case kind when 'email' then 'email' else 'method' end, case kind when 'email' then address else own.id::text end, only_step
  from ${REACHED_ACCOUNTS} as owner join ${IN_USE} as own on own.account_id = owner.id)`;

/** Groups of which somebody is told by mail: an address, or who has no other way that is always there. */
const MAILED_GROUPS = sql`(
  select group_id from notification_group_email
  union
  select group_id from ${REACHED_ACCOUNTS} as reached
  where exists (select from ${IN_USE} as own where own.account_id = reached.id and kind = 'email')
    or not exists (select from ${IN_USE} as own where own.account_id = reached.id and after_minutes = 0
      and not only_critical and during = 'always'))`;

/** Whether somebody is to be told by mail of a service that is there; a lab that is made up tells nobody. */
export const IS_MAIL_NEEDED = sql`exists (
  select from service join service_settings on service_id = service.id
  join ${MAILED_GROUPS} as mailed on group_id = notification_group_id
  where archived_at is null and not exists (select from demonstration))`;

/** Whom a letter to the id of a method, or to the address of one, goes to. */
export const REACHED_METHODS = sql`(
  select group_id, own.id, kind, address, only_step from ${REACHED_ACCOUNTS} as owner
  join ${IN_USE} as own on own.account_id = owner.id)`;
