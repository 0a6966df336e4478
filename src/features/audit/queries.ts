import sql, { empty, type Sql } from 'sql-template-tag';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';

export interface AuditRow {
  /** A bigint. */
  id: string;
  happenedAt: Date;
  /** To the microsecond: where the next page goes on. */
  cursorAt: string;
  accountId: AccountId | null;
  accountName: string | null;
  action: string;
  serviceId: ServiceId | null;
  serviceName: string | null;
  isServiceArchived: boolean;
  detail: Record<string, unknown>;
  address: string | null;
  requestId: string | null;
}

export interface AuditSearch {
  /** Part of the name or email of who did it. */
  who: string;
  /** Part of the name of the record. */
  action: string;
  /** Part of the name of the service, as it is called now. */
  service: string;
  from: Date | null;
  to: Date | null;
}

/** The last record of a page; the next one goes on below it. */
export interface Cursor {
  at: string;
  id: string;
}

/** A part of a text, whatever the case of its letters. */
const contains = (column: Sql, part: string): Sql => sql`strpos(lower(${column}), lower(${part})) > 0`;

const and = (isAsked: boolean, condition: () => Sql): Sql => (isAsked ? sql`and ${condition()}` : empty);

function fits(organizationId: OrganizationId, search: AuditSearch, below: Cursor | null): Sql {
  const { who, action, service, from, to } = search;
  return sql`
    ${and(
      who !== '',
      () => sql`(${contains(sql`coalesce(account_name, '')`, who)} or audit.account_id in (
      select account.id from account join membership on membership.account_id = account.id
      where organization_id = ${organizationId} and ${contains(sql`email`, who)}))`,
    )}
    ${and(action !== '', () => contains(sql`action`, action))}
    ${and(
      service !== '',
      () => sql`audit.service_id in (
        select id from service where organization_id = ${organizationId} and ${contains(sql`name`, service)})`,
    )}
    ${and(from !== null, () => sql`happened_at >= ${from}`)}
    ${and(to !== null, () => sql`happened_at < ${to}`)}
    ${and(below !== null, () => sql`(happened_at, audit.id) < (${below?.at}::timestamptz, ${below?.id}::bigint)`)}`;
}

/** Whether the account belonged to another organization too when the record was written. */
const isElsewhere = (organizationId: OrganizationId, accountId: Sql): Sql => sql`
  exists (
    select from membership other
    where other.account_id = ${accountId} and other.organization_id <> ${organizationId}
      and other.created_at <= happened_at)
  or exists (
    select from past_membership other
    where other.account_id = ${accountId} and other.organization_id <> ${organizationId}
      and happened_at between joined_at and left_at)`;

/**
 * Newest first: what happened in the organization, and what its members did, or what was done to their accounts, outside
 * of any organization, from when they joined until they left. A sign-in touches the organization if the account belonged
 * to no other at that time; of other records of an account that did, where it was is left out. Each part is read by its
 * own index, and no further than the page goes.
 */
export function selectAudit(
  db: ReadDatabase,
  organizationId: OrganizationId,
  search: AuditSearch,
  below: Cursor | null,
  most: number,
): Promise<AuditRow[]> {
  const condition = fits(organizationId, search, below);
  const newest = sql`${condition} order by happened_at desc, audit.id desc limit ${most}`;
  const withinStay = sql`
    audit.organization_id is null and happened_at >= stay.joined_at
    and (stay.left_at is null or happened_at <= stay.left_at)
    and (action not like 'auth.%' or not (${isElsewhere(organizationId, sql`stay.account_id`)}))`;
  const whose = sql`coalesce(audit.account_id, (detail ->> 'account')::int)`;
  return db.query<AuditRow>(sql`
    with stay as (
      select account_id, created_at as joined_at, null as left_at from membership
      where organization_id = ${organizationId}
      union all
      select account_id, joined_at, left_at from past_membership where organization_id = ${organizationId}),
    found as (
      (select id, happened_at from audit where organization_id = ${organizationId} ${newest})
      union
      (select own.id, own.happened_at from stay cross join lateral (
        select id, happened_at from audit where audit.account_id = stay.account_id and ${withinStay} ${newest}) own)
      union
      (select about.id, about.happened_at from stay cross join lateral (
        select id, happened_at from audit
        where detail ? 'account' and detail ->> 'account' = stay.account_id::text and ${withinStay} ${newest}) about)),
    shown as (select id from found order by happened_at desc, id desc limit ${most})
    select audit.id, happened_at as "happenedAt",
      to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "cursorAt", account_id as "accountId",
      account_name as "accountName", action, audit.service_id as "serviceId", service.name as "serviceName",
      coalesce(archived_at is not null, true) as "isServiceArchived", detail,
      case when touched then address end as "address", case when touched then request_id end as "requestId"
    from shown join audit using (id) left join service on service.id = audit.service_id
    cross join lateral (
      select audit.organization_id is not null or not (${isElsewhere(organizationId, whose)}) as touched) as place
    order by happened_at desc, audit.id desc`);
}

/** The names of records there are, to choose from. */
export const selectActions = async (db: ReadDatabase, organizationId: OrganizationId): Promise<string[]> =>
  first(
    await db.query<{ actions: string[] }>(sql`
      select array(
        select distinct action from (
          select action from audit where organization_id = ${organizationId}
          order by happened_at desc, id desc limit 1000) recent
        order by action) as actions`),
  )?.actions ?? [];
