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

/**
 * Newest first: what happened in the organization, and what its members did, or what was done to their accounts, outside
 * of any organization, such as signing in. Each part is read by its own index, and no further than the page goes.
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
  return db.query<AuditRow>(sql`
    with member as (select account_id as id from membership where organization_id = ${organizationId}),
    found as (
      (select id, happened_at from audit where organization_id = ${organizationId} ${newest})
      union
      (select own.id, own.happened_at from member cross join lateral (
        select id, happened_at from audit
        where organization_id is null and account_id = member.id ${newest}) own)
      union
      (select about.id, about.happened_at from member cross join lateral (
        select id, happened_at from audit
        where organization_id is null and detail ? 'account' and detail ->> 'account' = member.id::text ${newest}) about)),
    shown as (select id from found order by happened_at desc, id desc limit ${most})
    select audit.id, happened_at as "happenedAt", 
      to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "cursorAt", account_id as "accountId",
      account_name as "accountName", action, audit.service_id as "serviceId", service.name as "serviceName",
      coalesce(archived_at is not null, true) as "isServiceArchived", detail, address, request_id as "requestId"
    from shown join audit using (id) left join service on service.id = audit.service_id
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
