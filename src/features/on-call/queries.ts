import sql from 'sql-template-tag';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';

export const selectMembers = (db: ReadDatabase, organizationIds: readonly OrganizationId[]) =>
  db.query<{ id: AccountId; name: string; organizationId: OrganizationId }>(sql`
    select account.id, account.name, organization_id as "organizationId"
    from membership join account on account.id = account_id
    where organization_id = any(${organizationIds}::int[]) and is_active order by account.name, account.id`);

export interface ChosenService {
  id: ServiceId;
  name: string;
  organizationId: OrganizationId;
  groupId: number | null;
}

export const selectServices = (db: ReadDatabase, organizationIds: readonly OrganizationId[]) =>
  db.query<ChosenService>(sql`
    select service.id, service.name, service.organization_id as "organizationId", notification_group_id as "groupId"
    from service join service_settings on service_id = service.id
    where service.organization_id = any(${organizationIds}::int[]) and archived_at is null
    order by service.name, service.id`);

export interface ShiftReceipt {
  rotaId: number;
  accountId: AccountId;
  confirmedAt: Date | null;
}

/** Of the newest shift of each rota that began with a message. */
export const selectReceipts = (db: ReadDatabase, organizationIds: readonly OrganizationId[]) =>
  db.query<ShiftReceipt>(sql`
    select distinct on (1) split_part(about, ' ', 1)::int as "rotaId", account_id as "accountId",
      confirmed_at as "confirmedAt"
    from reminder where kind = 'shift' and organization_id = any(${organizationIds}::int[])
    order by 1, id desc`);
