import sql from 'sql-template-tag';
import type { Requester } from '../../domain/accounts/requester.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { AuditAction } from '../../domain/words/audit-words.ts';
import type { Tx } from '../../platform/db/database.ts';

export interface AuditRecord {
  action: AuditAction;
  organizationId?: OrganizationId;
  serviceId?: ServiceId | null;
  detail?: Record<string, unknown>;
}

/** Commits with the change it tells of; there is no other way to write one. */
export const writeAudit = (tx: Tx, requester: Requester, record: AuditRecord, now: Date) =>
  tx.query(insertAudits(requester, [record], now));

/** The same, of many things at once. */
export const writeAudits = (tx: Tx, requester: Requester, records: readonly AuditRecord[], now: Date): void =>
  tx.later(insertAudits(requester, records, now));

const insertAudits = (requester: Requester, records: readonly AuditRecord[], now: Date) => sql`
  insert into audit (happened_at, organization_id, service_id, account_id, account_name, action, detail, address, request_id)
  select ${now}::timestamptz, "organizationId", "serviceId", ${requester.accountId}::int, ${requester.name}, action,
    coalesce(detail, '{}'), ${requester.address}, ${requester.requestId}
  from json_to_recordset(${JSON.stringify(records)}) as given ("organizationId" int, "serviceId" int, action text,
    detail jsonb)`;
