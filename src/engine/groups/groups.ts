import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { type Database, first, type Tx } from '../../platform/db/database.ts';
import { keeping } from '../mosts/keep-most.ts';
import type { ReconfiguringTx } from '../services/reconfigure-services.ts';

/** Clocks never agree exactly, and nobody minds this much. */
const TOLERATED_MS = 60_000;

/** null: the name is taken. */
export const insertGroup = async (tx: Tx, organizationId: OrganizationId, name: string, now: Date) =>
  first(
    await keeping(
      tx,
      'groups',
      [organizationId],
      tx.query<{ id: number }>(sql`
      insert into notification_group (organization_id, name, created_at)
      values (${organizationId}, ${name}, ${now})
      on conflict (organization_id, name) do nothing returning id`),
    ),
  );

export const renameGroup = (tx: Tx, groupId: number, name: string) =>
  tx.query(sql`update notification_group set name = ${name} where id = ${groupId}`);

/** null: an acknowledgement stands until somebody takes it back. Answers whether it changed. */
export const setAcknowledgedMinutes = async (tx: Tx, groupId: number, minutes: number | null) =>
  (
    await tx.query(sql`
      update notification_group set acknowledged_minutes = ${minutes}
      where id = ${groupId} and acknowledged_minutes is distinct from ${minutes} returning id`)
  ).length > 0;

/** Of those of its recipients who have no account; null: that of its organization. Answers whether it changed. */
export const setGroupLanguage = async (tx: Tx, groupId: number, language: string | null) =>
  (
    await tx.query(sql`
      update notification_group set language = ${language}
      where id = ${groupId} and language is distinct from ${language} returning id`)
  ).length > 0;

/** The services that tell it tell nobody from now on. */
export const deleteGroup = (tx: ReconfiguringTx, groupId: number) =>
  tx.query<{ id: number }>(sql`delete from notification_group where id = ${groupId} returning id`);

/** null: no storm any more. */
export const planDigests = (tx: Tx, plans: { groupId: number; nextDigestAt: Date | null }[]): void =>
  tx.later(sql`
    update notification_group set next_digest_at = plan.next_digest_at
    from unnest(${plans.map(({ groupId }) => groupId)}::int[],
      ${plans.map(({ nextDigestAt }) => nextDigestAt?.toISOString() ?? null)}::timestamptz[])
      as plan (id, next_digest_at)
    where notification_group.id = plan.id`);

/** Digests that a clock ahead of this one has planned. */
export const setBackDigests = (db: Database, now: Date) =>
  db.query(sql`
    update notification_group set next_digest_at = ${now}
    where next_digest_at > ${new Date(now.getTime() + TOLERATED_MS)}`);
