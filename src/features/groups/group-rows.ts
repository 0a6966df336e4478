// The statements that change groups. Each answers with what it changed: nothing changed, nothing goes on record.
import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { first, type Tx } from '../../platform/db/database.ts';

/** null: the name is taken. */
export const insertGroup = async (tx: Tx, organizationId: OrganizationId, name: string, now: Date) =>
  first(
    await tx.query<{ id: number }>(sql`
      insert into notification_group (organization_id, name, created_at)
      values (${organizationId}, ${name}, ${now})
      on conflict (organization_id, name) do nothing returning id`),
  );

/** Those who give names wait for each other, so that two cannot take the same one at once. */
export const lockGroupNames = (tx: Tx, organizationId: OrganizationId) =>
  tx.query(sql`select from organization where id = ${organizationId} for no key update`);

export const isNameTaken = async (tx: Tx, organizationId: OrganizationId, name: string) =>
  first(
    await tx.query(sql`
      select 1 from notification_group where organization_id = ${organizationId} and name = ${name}`),
  ) !== null;

export const renameGroup = (tx: Tx, groupId: number, name: string) =>
  tx.query(sql`update notification_group set name = ${name} where id = ${groupId}`);

export const deleteGroup = (tx: Tx, groupId: number) =>
  tx.query<{ id: number }>(sql`delete from notification_group where id = ${groupId} returning id`);
