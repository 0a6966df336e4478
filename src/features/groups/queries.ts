import sql from 'sql-template-tag';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { WebhookKind } from '../../engine/transports/webhook/kinds.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface Group {
  id: number;
  organizationId: OrganizationId;
  organizationName: string;
  name: string;
  /** So long an acknowledgement stands; null: until it is taken back. */
  acknowledgedMinutes: number | null;
  /** Of recipients without an account; null: that of the organization. */
  language: string | null;
}

export const selectGroup = async (db: ReadDatabase, groupId: number) =>
  first(
    await db.query<Group>(sql`
      select grouped.id, grouped.organization_id as "organizationId", organization.name as "organizationName", grouped.name,
        acknowledged_minutes as "acknowledgedMinutes", grouped.language
      from notification_group grouped join organization on organization.id = grouped.organization_id
      where grouped.id = ${groupId}`),
  );

export const isNameTaken = async (db: ReadDatabase, organizationId: OrganizationId, name: string) =>
  first(
    await db.query(sql`
      select 1 from notification_group where organization_id = ${organizationId} and name = ${name}`),
  ) !== null;

export interface ListedGroup {
  id: number;
  name: string;
  people: number;
  emails: number;
  webhooks: number;
  services: number;
}

export const selectGroups = (db: ReadDatabase, organizationId: OrganizationId) =>
  db.query<ListedGroup>(sql`
    select id, name,
      (select count(distinct account_id)::int from notification_group_account where group_id = grouped.id) as "people",
      (select count(distinct email)::int from notification_group_email where group_id = grouped.id) as "emails",
      (select count(*)::int from notification_group_webhook
        where group_id = grouped.id and disabled_at is null) as "webhooks",
      (select count(*)::int from service_settings join service on service.id = service_id
        where notification_group_id = grouped.id and archived_at is null) as "services"
    from notification_group grouped where organization_id = ${organizationId} order by name`);

export interface GroupAccount {
  id: AccountId;
  name: string;
  email: string;
  isActive: boolean;
  isInGroup: boolean;
  /** Somebody who left the organization may still be told, until taken off the group. */
  isMember: boolean;
}

/** The members of the group and those of its organization, by name. */
export const selectAccounts = (db: ReadDatabase, { id, organizationId }: Group) =>
  db.query<GroupAccount>(sql`
    select account.id, account.name, account.email, account.is_active as "isActive",
      told.account_id is not null as "isInGroup", membership.account_id is not null as "isMember"
    from account
    left join notification_group_account told on told.account_id = account.id and told.group_id = ${id}
      and told.step = 0 and told.during = 'always'
    left join membership on membership.account_id = account.id and membership.organization_id = ${organizationId}
    where told.account_id is not null or membership.account_id is not null
    order by account.name, account.id`);

export const selectEmails = async (db: ReadDatabase, { id }: Group) =>
  (
    await db.query<{ email: string }>(sql`
      select email from notification_group_email
      where group_id = ${id} and step = 0 and during = 'always' order by email`)
  ).map(({ email }) => email);

export const selectSteps = (db: ReadDatabase, { id }: Group) =>
  db.query<{ step: number; afterMinutes: number }>(sql`
    select step, after_minutes as "afterMinutes" from notification_group_step where group_id = ${id} order by step`);

export interface GroupWebhook {
  id: number;
  kind: WebhookKind;
  url: string;
  hasSecret: boolean;
  disabledAt: Date | null;
  disabledReason: string | null;
}

export const selectWebhooks = (db: ReadDatabase, { id }: Group) =>
  db.query<GroupWebhook>(sql`
    select id, kind, url, secret is not null as "hasSecret", disabled_at as "disabledAt",
      disabled_reason as "disabledReason"
    from notification_group_webhook where group_id = ${id} order by id`);

/** Whom the group is told about, archived ones too. */
export const selectServices = (db: ReadDatabase, { id }: Group) =>
  db.query<{ id: ServiceId; name: string; isArchived: boolean }>(sql`
    select service.id, service.name, service.archived_at is not null as "isArchived"
    from service_settings settings join service on service.id = settings.service_id
    where settings.notification_group_id = ${id} order by service.name, service.id`);
