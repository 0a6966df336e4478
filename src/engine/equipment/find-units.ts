// Units by the words of whoever looks for one: each word stands somewhere in name, asset, location, device or organization. The
// triggers of 0072_unit_search.sql keep what is looked through.
import sql, { join, type Sql } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { WITH_PLACE } from '../sql-parts/place.ts';

const MOST_WORDS = 8;

export const splitWords = (text: string): string[] =>
  text.replaceAll('\0', '').split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);

/** Of the row of `service_search` that the statement calls `found`. */
export const hasWords = (words: readonly string[], organizationIds: readonly OrganizationId[]): Sql =>
  join([sql`true`, ...words.map((word) => hasWord(word, organizationIds))], ' and ');

function hasWord(word: string, organizationIds: readonly OrganizationId[]): Sql {
  const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql`(found.words like lower(${pattern}) or found.organization_id in (
    select id from organization where id = any(${organizationIds}::int[]) and lower(name) like lower(${pattern})))`;
}

export interface FoundUnit {
  id: ServiceId;
  name: string;
  organizationId: OrganizationId;
  assetName: string | null;
  locationName: string | null;
}

/** None that is archived. Those whose name has the first word come before those where something behind it has. */
export function findUnits(
  db: ReadDatabase,
  organizationIds: readonly OrganizationId[],
  words: readonly string[],
  { limit }: { limit: number },
): Promise<FoundUnit[]> {
  const firstAt = sql`strpos(words, lower(${words[0] ?? ''}))`;
  return db.query<FoundUnit>(sql`
    select service.id, service.name, service.organization_id as "organizationId", asset.name as "assetName",
      location.name as "locationName"
    from (
      select service_id, row_number() over (order by ${firstAt} = 0, ${firstAt}, name_order, service_id) as rank
      from service_search found
      where organization_id = any(${organizationIds}::int[]) and not is_archived and ${hasWords(words, organizationIds)}
      order by rank limit ${limit}) found
    join service on service.id = found.service_id
    ${WITH_PLACE}
    order by found.rank`);
}
