import sql from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { type Database, first, type ReadDatabase } from '../../platform/db/database.ts';

export interface Announcement {
  topic: string;
  body: string;
}

/** Of those bodies that one knows already nothing more is needed. */
export const selectAnnouncementDigests = (db: Database, sourceId: number) =>
  db.query<{ topic: string; digest: string }>(sql`
    select topic, encode(sha256(convert_to(body, 'UTF8')), 'hex') as "digest"
    from source_announcement where source_id = ${sourceId} order by topic`);

export const selectAnnouncements = (db: Database, sourceId: number, topics: readonly string[]) =>
  db.query<Announcement>(sql`
    select topic, body from source_announcement
    where source_id = ${sourceId} and topic = any(${topics}::text[])`);

/** Of the source of this name. */
export const selectAnnouncementsThrough = (
  db: ReadDatabase,
  organizationId: OrganizationId,
  sourceName: string,
) =>
  db.query<Announcement>(sql`
    select topic, body from source_announcement join source on source.id = source_id
    where organization_id = ${organizationId} and name = ${sourceName}`);

/** false: the source is gone. */
export const writeAnnouncement = async (
  db: Database,
  sourceId: number,
  { topic, body }: Announcement,
): Promise<boolean> =>
  first(
    await db.query(sql`
      insert into source_announcement (source_id, topic, body)
      select id, ${topic}, ${body} from source where id = ${sourceId}
      on conflict (source_id, topic) do update set body = excluded.body returning 1`),
  ) !== null;

export const deleteAnnouncement = (db: Database, sourceId: number, topic: string) =>
  db.query(sql`delete from source_announcement where source_id = ${sourceId} and topic = ${topic}`);
