// Past alarms, the newest first: found by the index of their organization or unit, and no further than the page goes.
import sql, { empty, type Sql } from 'sql-template-tag';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import type { BandName } from '../../domain/judging/band.ts';
import type { StateChannel } from '../../domain/words/state-words.ts';
import { findWantedLocations } from '../../engine/equipment/branches.ts';
import { WITH_PLACE } from '../../engine/sql-parts/place.ts';
import { first, type ReadDatabase } from '../../platform/db/database.ts';
import type { EpisodeSearch } from './read-search.ts';

export interface EpisodeRow {
  /** A bigint. */
  id: string;
  serviceId: ServiceId;
  serviceName: string;
  isArchived: boolean;
  organizationId: OrganizationId;
  organizationName: string;
  locationName: string | null;
  assetName: string | null;
  severity: 'critical' | 'warning';
  channelName: string | null;
  /** null: it is gone, or it was about none. */
  channel: (StateChannel & { label: string | null; unit: string | null }) | null;
  band: BandName | null;
  limit: number | null;
  /** The limit is a deviation from the setpoint. */
  isPercentage: boolean;
  overSince: Date | null;
  beganAt: Date;
  /** To the microsecond: where the next page goes on. */
  cursorAt: string;
  endedAt: Date | null;
  acknowledgedAt: Date | null;
  /** Who took it first. */
  acknowledgedBy: string | null;
  /** What was written, a line each. */
  comments: string | null;
  worst: number | null;
  worstAt: Date | null;
  /** The worst was looked for in what is stored. */
  isLookedUp: boolean;
}

/** The last one of a page; the next one goes on below it. */
export interface EpisodeCursor {
  at: string;
  id: string;
}

const COLUMNS = sql`
  episode.id, episode.service_id as "serviceId", service.name as "serviceName",
  service.archived_at is not null as "isArchived", episode.organization_id as "organizationId",
  organization.name as "organizationName", location.name as "locationName", asset.name as "assetName",
  episode.severity, episode.channel as "channelName",
  case when channel.id is not null then json_build_object('name', channel.name, 'label', channel.label,
    'unit', channel.unit, 'kind', channel.kind, 'offWord', off_word, 'onWord', on_word) end as "channel",
  episode.band, episode.limit_value as "limit",
  coalesce((select is_percentage from limits_version where limits_version.id = limits_version_id), false) as "isPercentage",
  over_since as "overSince", began_at as "beganAt",
  to_char(began_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "cursorAt", ended_at as "endedAt",
  acknowledged_at as "acknowledgedAt", acknowledged_by as "acknowledgedBy", comments, worst_value as "worst",
  worst_at as "worstAt", looked_up_at is not null as "isLookedUp"`;

const JOINS = sql`
  join service on service.id = episode.service_id
  join organization on organization.id = episode.organization_id
  ${WITH_PLACE}
  left join channel on channel.service_id = episode.service_id and channel.name = episode.channel`;

export const and = (isAsked: boolean, condition: () => Sql): Sql =>
  isAsked ? sql`and ${condition()}` : empty;

/** What all ways to find them have in common, as conditions on `episode`. */
export function fits(search: EpisodeSearch, people: readonly number[] | null): Sql {
  const { severity, state, from, to } = search;
  return sql`
    ${and(severity !== null, () => sql`severity = ${severity}`)}
    ${and(state === 'running', () => sql`ended_at is null`)}
    ${and(state === 'unacknowledged', () => sql`acknowledged_at is null`)}
    ${and(people !== null, () => sql`acknowledged_by_ids && ${people}::int[]`)}
    ${and(from !== null, () => sql`began_at >= ${from}`)}
    ${and(to !== null, () => sql`began_at < ${to}`)}`;
}

/** What a search names beside the episodes themselves: looked up first, because it is little. */
export interface Named {
  /** Units that were asked for by themselves or by their place; null: all. */
  units: readonly ServiceId[] | null;
  /** Of those, the units whose own name or place has all the words; null: no words. */
  byWords: readonly ServiceId[] | null;
  /** Accounts; null: nobody was named. */
  people: readonly number[] | null;
}

export async function selectNamed(
  db: ReadDatabase,
  own: readonly OrganizationId[],
  search: EpisodeSearch,
): Promise<Named> {
  const { serviceId, words, who } = search;
  const locationIds = await findWantedLocations(db, own, search);
  const isPlaced = locationIds !== null || serviceId !== null;
  const wanted = { locationIds, serviceId };
  return {
    units: isPlaced ? await selectUnits(db, own, wanted, []) : null,
    byWords: words.length > 0 ? await selectUnits(db, own, wanted, words) : null,
    people: who === '' ? null : await selectPeople(db, own, who),
  };
}

const selectUnits = async (
  db: ReadDatabase,
  own: readonly OrganizationId[],
  { locationIds, serviceId }: { locationIds: number[] | null; serviceId: ServiceId | null },
  words: readonly string[],
): Promise<ServiceId[]> =>
  (
    await db.query<{ id: ServiceId }>(sql`
      select service.id from service ${WITH_PLACE}
      where service.organization_id = any(${own}::int[])
        ${and(locationIds !== null, () => sql`location.id = any(${locationIds}::int[])`)}
        ${and(serviceId !== null, () => sql`service.id = ${serviceId}`)}
        and (select coalesce(bool_and(
            strpos(lower(concat_ws(' ', service.name, asset.name, location.name)), lower(word)) > 0), true)
          from unnest(${words}::text[]) as word)`)
  ).map(({ id }) => id);

/** Members of the organizations, now or in the past, and members of their groups. */
const selectPeople = async (
  db: ReadDatabase,
  own: readonly OrganizationId[],
  who: string,
): Promise<number[]> =>
  (
    await db.query<{ id: number }>(sql`
      select account.id from account
      where strpos(lower(account.name), lower(${who})) > 0 and (
        exists (select from membership where account_id = account.id and organization_id = any(${own}::int[]))
        or exists (select from past_membership where account_id = account.id and organization_id = any(${own}::int[])))
      union
      select account_id from notification_group_account
      join notification_group on notification_group.id = group_id
      where organization_id = any(${own}::int[]) and strpos(lower(notification_group.name), lower(${who})) > 0`)
  ).map(({ id }) => id);

export function selectEpisodes(
  db: ReadDatabase,
  own: readonly OrganizationId[],
  { search, named }: { search: EpisodeSearch; named: Named },
  below: EpisodeCursor | null,
  most: number,
): Promise<EpisodeRow[]> {
  const newest = sql`${fits(search, named.people)}
    ${and(below !== null, () => sql`(began_at, id) < (${below?.at}::timestamptz, ${below?.id}::bigint)`)}
    order by began_at desc, id desc limit ${most}`;
  return db.query<EpisodeRow>(sql`
    with found as (${findBy(own, { search, named }, newest)})
    select ${COLUMNS}
    from (select id from found order by began_at desc, id desc limit ${most}) as shown
    join episode using (id) ${JOINS}
    order by began_at desc, episode.id desc`);
}

function findBy(
  own: readonly OrganizationId[],
  { search, named: { units, byWords } }: { search: EpisodeSearch; named: Named },
  newest: Sql,
): Sql {
  const ofUnits = (ids: readonly ServiceId[]) => sql`
    select one.id, one.began_at from unnest(${ids}::int[]) as unit (id)
    cross join lateral (select id, began_at from episode where service_id = unit.id ${newest}) as one`;
  if (byWords !== null)
    return sql`
      ${ofUnits(byWords)}
      union
      (select id, began_at from episode
        where id = any(${withComments(own, search.words)})
          and organization_id = any(${own}::int[])
          ${and(units !== null, () => sql`service_id = any(${units}::int[])`)} ${newest})`;
  if (units !== null) return ofUnits(units);
  return sql`
    select one.id, one.began_at from unnest(${own}::int[]) as owner (id)
    cross join lateral (select id, began_at from episode where organization_id = owner.id ${newest}) as one`;
}

/** By what was written. Each word begins one of those; they are letters and digits alone. */
export const withComments = (own: readonly OrganizationId[], words: readonly string[]): Sql => sql`array(
  select id from episode where organization_id = any(${own}::int[]) and comments is not null
    and to_tsvector('pg_catalog.simple', comments)
      @@ to_tsquery('pg_catalog.simple', ${words.map((word) => `'${word}':*`).join(' & ')}))`;

/** null: there is none, or it is of somebody else. */
export const selectEpisode = async (db: ReadDatabase, own: readonly OrganizationId[], id: string) =>
  first(
    await db.query<EpisodeRow>(sql`
      select ${COLUMNS} from episode ${JOINS}
      where episode.id = ${id}::bigint and episode.organization_id = any(${own}::int[])`),
  );

export const selectPlaces = (db: ReadDatabase, own: readonly OrganizationId[]) =>
  db.query<{ id: number; name: string; organizationId: OrganizationId }>(sql`
    select id, name, organization_id as "organizationId" from location
    where organization_id = any(${own}::int[]) order by natural_order(name), id limit 500`);

export const selectUnitName = async (db: ReadDatabase, own: readonly OrganizationId[], id: ServiceId) =>
  first(
    await db.query<{ name: string }>(sql`
      select name from service where id = ${id} and organization_id = any(${own}::int[])`),
  )?.name ?? null;
