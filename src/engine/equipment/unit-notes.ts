// Notes that people pinned to a moment of a unit.
import sql from 'sql-template-tag';
import type { AccountId, OrganizationId, ServiceId } from '../../domain/ids.ts';
import { first, type ReadDatabase, type Tx } from '../../platform/db/database.ts';
import { keeping } from '../mosts/keep-most.ts';

export interface UnitNote {
  /** A bigint. */
  id: string;
  serviceId: ServiceId;
  organizationId: OrganizationId;
  at: Date;
  text: string;
  authorId: AccountId;
  authorName: string;
  changedAt: Date | null;
  changedByName: string | null;
}

const COLUMNS = sql`
  unit_note.id, service_id as "serviceId", organization_id as "organizationId", at, text, author_id as "authorId",
  author_name as "authorName", changed_at as "changedAt", changed_by_name as "changedByName"`;

/** The newest of them, in order of time. */
export const selectUnitNotes = async (
  db: ReadDatabase,
  serviceId: ServiceId,
  { from, to }: { from: Date; to: Date },
  most: number,
) =>
  (
    await db.query<UnitNote>(sql`
      select ${COLUMNS} from unit_note join service on service.id = service_id
      where service_id = ${serviceId} and at >= ${from} and at <= ${to}
      order by at desc, unit_note.id desc limit ${most}`)
  ).reverse();

/** null: there is none, or it is of another unit. */
export const selectUnitNote = async (db: ReadDatabase, serviceId: ServiceId, id: string) =>
  first(
    await db.query<UnitNote>(sql`
      select ${COLUMNS} from unit_note join service on service.id = service_id
      where unit_note.id = ${id}::bigint and service_id = ${serviceId}`),
  );

interface NewNote {
  serviceId: ServiceId;
  at: Date;
  text: string;
  author: { accountId: AccountId; name: string };
}

export const insertUnitNote = (tx: Tx, { serviceId, at, text, author }: NewNote, now: Date) =>
  keeping(
    tx,
    'unitNotes',
    [serviceId],
    tx.query<{ id: string }>(sql`
      insert into unit_note (service_id, at, text, author_id, author_name, created_at)
      values (${serviceId}, ${at}, ${text}, ${author.accountId}, ${author.name}, ${now}) returning id`),
  );

/** null: somebody removed it meanwhile. */
export const updateUnitNote = async (
  tx: Tx,
  { id, at, text, by }: { id: string; at: Date; text: string; by: string },
  now: Date,
) =>
  first(
    await tx.query<{ id: string }>(sql`
      update unit_note set at = ${at}, text = ${text}, changed_at = ${now}, changed_by_name = ${by}
      where id = ${id}::bigint returning id`),
  );

export const deleteUnitNote = async (tx: Tx, id: string) =>
  first(await tx.query<{ id: string }>(sql`delete from unit_note where id = ${id}::bigint returning id`));
