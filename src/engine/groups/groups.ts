import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type Tx } from '../../platform/db/database.ts';
import type { ReconfiguringTx } from '../services/reconfigure-services.ts';

/** null: the name is taken. */
export const insertGroup = async (tx: Tx, organizationId: OrganizationId, name: string, now: Date) =>
  first(
    await tx.query<{ id: number }>(sql`
      insert into notification_group (organization_id, name, created_at)
      values (${organizationId}, ${name}, ${now})
      on conflict (organization_id, name) do nothing returning id`),
  );

export const renameGroup = (tx: Tx, groupId: number, name: string) =>
  tx.query(sql`update notification_group set name = ${name} where id = ${groupId}`);

/** The services that tell it tell nobody from now on. */
export const deleteGroup = (tx: ReconfiguringTx, groupId: number) =>
  tx.query<{ id: number }>(sql`delete from notification_group where id = ${groupId} returning id`);
