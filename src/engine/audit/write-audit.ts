import sql from 'sql-template-tag';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { Tx } from '../../platform/db/database.ts';

/** Who acts, and from where. At the command line there is no account. */
export interface Actor {
  accountId: AccountId | null;
  name: string;
  address: string | null;
  requestId: string | null;
}

export const COMMAND_LINE: Actor = { accountId: null, name: 'command line', address: null, requestId: null };

export interface AuditRecord {
  action: string;
  organizationId?: OrganizationId;
  serviceId?: ServiceId;
  detail?: Record<string, unknown>;
}

/** Commits with the change it tells of; there is no other way to write one. */
export const writeAudit = (tx: Tx, actor: Actor, record: AuditRecord, now: Date) =>
  tx.query(insertAudits(actor, [record], now));

/** The same, of many things at once. */
export const writeAudits = (tx: Tx, actor: Actor, records: readonly AuditRecord[], now: Date): void =>
  tx.later(insertAudits(actor, records, now));

const insertAudits = (actor: Actor, records: readonly AuditRecord[], now: Date) => sql`
  insert into audit (happened_at, organization_id, service_id, account_id, account_name, action, detail, address, request_id)
  select ${now}::timestamptz, "organizationId", "serviceId", ${actor.accountId}::int, ${actor.name}, action,
    coalesce(detail, '{}'), ${actor.address}, ${actor.requestId}
  from json_to_recordset(${JSON.stringify(records)}) as given ("organizationId" int, "serviceId" int, action text,
    detail jsonb)`;
