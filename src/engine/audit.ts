import sql from 'sql-template-tag';
import type { AccountId, OrganizationId, ServiceId } from '../domain/ids.ts';
import type { Tx } from '../platform/db/database.ts';

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
  tx.query(sql`
    insert into audit (happened_at, organization_id, service_id, account_id, account_name, action, detail, address, request_id)
    values (${now}, ${record.organizationId ?? null}, ${record.serviceId ?? null}, ${actor.accountId}, ${actor.name},
      ${record.action}, ${JSON.stringify(record.detail ?? {})}, ${actor.address}, ${actor.requestId})`);
