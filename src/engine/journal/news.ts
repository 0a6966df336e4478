// What others have entered into an organization's journal since this program last looked.
import sql from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { OneRow, Statement } from '../../platform/db/statement.ts';

export interface NewsEntry {
  changed: ServiceId[];
  data: Buffer | null;
}

/** For whoever has the turn. In their order. */
export const selectNews = (organizationId: OrganizationId, since: number): Statement<NewsEntry> => sql`
  select changed, case when damaged_at is null then read_whole(data) end as "data" from reading_inbox
  where organization_id = ${organizationId} and position > ${since} order by position`;

/** Asked for after the news: entries up to this one may be gone. */
export const selectPackedUntil = (organizationId: OrganizationId): OneRow<{ packedUntil: number }> => sql`
  select coalesce(max(until), 0)::float8 as "packedUntil" from journal_packed
  where organization_id = ${organizationId}`;
