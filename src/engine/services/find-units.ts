// Units by words, as the search and whoever else looks for some asks for them.
import sql, { empty, type Sql } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { likePattern } from '../../domain/search-words.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { WITH_PLACE } from '../sql-parts/place.ts';

export interface FoundUnit {
  id: ServiceId;
  name: string;
  organizationId: OrganizationId;
  assetName: string | null;
  locationName: string | null;
}

/** Those that are watched, in the order of their names. Many are found soon, few take one look at all of them. */
export const findUnits = (
  db: ReadDatabase,
  organizationIds: readonly OrganizationId[],
  words: readonly string[],
  limit: number,
) =>
  db.query<FoundUnit>(sql`
    select service.id, service.name, service.organization_id as "organizationId", asset.name as "assetName",
      location.name as "locationName"
    from (
      select found.* from unnest(${[...organizationIds]}::int[]) as own (id)
      cross join lateral (
        select service.id, organization_id, name, asset_id, natural_order(name) as rank from service
        where organization_id = own.id and archived_at is null
          ${words.reduce((all, word) => sql`${all} and ${mentions(word, organizationIds)}`, empty)}
        order by natural_order(name), id limit ${limit}) found
      order by rank, id limit ${limit}) service
    ${WITH_PLACE}
    order by service.rank, service.id`);

/** In its name, location, asset, devices or organization: each looked through once, not once for every unit. */
function mentions(word: string, organizationIds: readonly OrganizationId[]): Sql {
  const pattern = likePattern(word);
  const own = sql`any(${[...organizationIds]}::int[])`;
  return sql`(service.name ilike ${pattern}
    or service.organization_id in (select id from organization where id = ${own} and name ilike ${pattern})
    or service.asset_id in (
      select asset.id from asset left join location on location.id = asset.location_id
      where asset.organization_id = ${own} and (asset.name ilike ${pattern} or location.name ilike ${pattern}))
    or service.id in (
      select service_id from device
      where organization_id = ${own} and service_id is not null and key ilike ${pattern}))`;
}
