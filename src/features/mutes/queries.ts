import sql from 'sql-template-tag';
import type { AccountId, ServiceId } from '../../domain/ids.ts';
import type { ReadDatabase, Tx } from '../../platform/db/database.ts';

interface NewMute {
  serviceId: ServiceId;
  reason: string | null;
  accountId: AccountId;
  accountName: string;
}

export const insertMute = (tx: Tx, { serviceId, reason, accountId, accountName }: NewMute, now: Date) =>
  tx.query(sql`
    insert into mute (service_id, reason, account_id, account_name, created_at)
    values (${serviceId}, ${reason}, ${accountId}, ${accountName}, ${now})`);

/** Answers with the mutes that were still active. */
export const endMutes = (tx: Tx, serviceId: ServiceId, now: Date) =>
  tx.query<{ id: number }>(sql`
    update mute set ended_at = ${now} where service_id = ${serviceId} and ended_at is null returning id`);

interface ActiveMute {
  id: number;
  by: string;
  at: Date;
  reason: string | null;
}

/** The newest first. */
export const selectActiveMutes = (db: ReadDatabase, serviceId: ServiceId) =>
  db.query<ActiveMute>(sql`
    select id, account_name as "by", created_at as "at", reason
    from mute where service_id = ${serviceId} and ended_at is null order by id desc`);
