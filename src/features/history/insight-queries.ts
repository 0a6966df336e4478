// What figures of past alarms are made of: whole days as they are packed, or the few alarms that a filter leaves.
import sql, { empty, type Sql } from 'sql-template-tag';
import { type PastEpisodes, readPastEpisodes } from '../../domain/history/past-episodes.ts';
import type { HeldChange } from '../../domain/history/unit-time.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { PACKED_EPISODES, selectEpisodeDays } from '../../engine/alarm-state/episode-days.ts';
import { WITH_PLACE } from '../../engine/sql-parts/place.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { and, fits, type Named, withComments } from './queries.ts';
import type { EpisodeSearch } from './read-search.ts';

export interface AskedFigures {
  search: EpisodeSearch;
  named: Named;
}

interface Span {
  from: Date;
  to: Date;
}

/** Alarms of so few units are found one by one. */
const FEW_UNITS = 30;

type Units = readonly ServiceId[] | null;

const ofUnits = (units: Units): Sql => and(units !== null, () => sql`service_id = any(${units}::int[])`);

/** Of these units, and perhaps of others, all that began in the span, and perhaps some beside it. */
export async function readEpisodesBegun(
  db: ReadDatabase,
  own: readonly OrganizationId[],
  units: Units,
  span: Span,
): Promise<PastEpisodes> {
  const isFew = units !== null && units.length <= FEW_UNITS;
  const packs = isFew
    ? await selectPacked(db, own, sql`began_at >= ${span.from} and began_at < ${span.to} ${ofUnits(units)}`)
    : await selectEpisodeDays(db, own, span);
  return inSlices(readPastEpisodes(packs));
}

/** What was written, or who took it: exactly those. */
export async function readEpisodesFound(
  db: ReadDatabase,
  own: readonly OrganizationId[],
  { search, named }: AskedFigures,
): Promise<PastEpisodes> {
  return inSlices(
    readPastEpisodes(
      await selectPacked(db, own, sql`true ${fits(search, named.people)} ${ofNamed(own, search, named)}`),
    ),
  );
}

/** Of these units, those that began before and held then. Of those that were over within a day, few are looked at. */
export async function readEpisodesHeld(
  db: ReadDatabase,
  own: readonly OrganizationId[],
  units: Units,
  at: Date,
): Promise<PastEpisodes> {
  const held = sql`began_at < ${at} ${ofUnits(units)}`;
  const packs = await Promise.all([
    selectPacked(
      db,
      own,
      sql`${held} and began_at >= ${at}::timestamptz - interval '1 day' and ended_at > ${at}
        and ended_at - began_at < interval '1 day'`,
    ),
    selectPacked(db, own, sql`${held} and ended_at > ${at} and ended_at - began_at >= interval '1 day'`),
    selectPacked(db, own, sql`${held} and ended_at is null`),
  ]);
  return inSlices(readPastEpisodes(packs.flat()));
}

const selectPacked = async (
  db: ReadDatabase,
  own: readonly OrganizationId[],
  condition: Sql,
): Promise<Buffer[]> =>
  (
    await db.query<{ packed: Buffer | null }>(sql`
      select ${PACKED_EPISODES} as "packed" from episode
      where organization_id = any(${own}::int[]) and ${condition}`)
  ).flatMap(({ packed }) => packed ?? []);

/** By unit, place and words. */
function ofNamed(own: readonly OrganizationId[], { words }: EpisodeSearch, { units, byWords }: Named): Sql {
  return sql`
    ${and(units !== null, () => sql`service_id = any(${units}::int[])`)}
    ${and(byWords !== null, () => sql`(service_id = any(${byWords}::int[]) or id = any(${withComments(own, words)}))`)}`;
}

export async function countEpisodes(
  db: ReadDatabase,
  own: readonly OrganizationId[],
  { search, named }: AskedFigures,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as "count" from episode
    where organization_id = any(${own}::int[]) ${fits(search, named.people)} ${ofNamed(own, search, named)}`);
  return row?.count ?? 0;
}

export interface NamedUnit {
  id: ServiceId;
  name: string;
  isArchived: boolean;
  organizationId: OrganizationId;
  locationName: string | null;
}

export const selectNamedUnits = (
  db: ReadDatabase,
  own: readonly OrganizationId[],
  ids: readonly number[],
): Promise<NamedUnit[]> =>
  db.query<NamedUnit>(sql`
    select service.id, service.name, archived_at is not null as "isArchived",
      service.organization_id as "organizationId", location.name as "locationName"
    from service ${WITH_PLACE}
    where service.id = any(${ids}::int[]) and service.organization_id = any(${own}::int[])`);

/** Between each edge and the next: which units came and went. Those that came and went together are counted as one. */
export const selectUnitsStood = (
  db: ReadDatabase,
  own: readonly OrganizationId[],
  units: Units,
  edges: readonly Date[],
): Promise<HeldChange[]> => {
  const [from, to] = [edges[0], edges.at(-1)];
  return db.query<HeldChange>(sql`
    with stood as materialized (
      select greatest(created_at, ${from}) as since, archived_at as until, count(*) as units from service
      where organization_id = any(${own}::int[]) ${units === null ? empty : sql`and id = any(${units}::int[])`}
        and created_at < ${to} and (archived_at is null or archived_at > ${from})
      group by 1, 2),
    turned as (
      select width_bucket(at, ${edges}::timestamptz[]) as place, sign * units as turns, at
      from stood cross join lateral (values (1, since), (-1, until)) as turn (sign, at)
      where at < ${to})
    select place - 1 as "place", sum(turns)::int as "count",
      sum(turns * round(date_part('epoch', at - (${edges}::timestamptz[])[place]) * 1000)) as "ms"
    from turned group by place`);
};
