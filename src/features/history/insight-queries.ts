// Figures of past alarms: one look at those of the span that is asked for, whatever is stored beside it.
import sql, { empty, type Sql } from 'sql-template-tag';
import { addUp, type HeldChange, type UnitTime } from '../../domain/history/unit-time.ts';
import type { OrganizationId, ServiceId } from '../../domain/ids.ts';
import { WITH_PLACE } from '../../engine/sql-parts/place.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { and, fits, type Named, withComments } from './queries.ts';
import type { EpisodeSearch } from './read-search.ts';

export interface AlarmFigures {
  alarms: number;
  critical: number;
  acknowledged: number;
  over: number;
  /** Medians in seconds; null: of none. */
  toAcknowledge: number | null;
  toRecover: number | null;
}

export interface NoisyUnit {
  serviceId: ServiceId;
  serviceName: string;
  isArchived: boolean;
  organizationId: OrganizationId;
  locationName: string | null;
  alarms: number;
  critical: number;
  /** In seconds. */
  inAlarm: number;
}

export interface StoredInsight {
  all: AlarmFigures;
  /** Those in which any began; counted from 1. */
  weeks: (AlarmFigures & { week: number })[];
  noisy: NoisyUnit[];
}

export interface AskedFigures {
  search: EpisodeSearch;
  named: Named;
}

const FIGURES = sql`
  count(*)::int as "alarms", count(*) filter (where severity = 'critical')::int as "critical",
  count(waited)::int as "acknowledged", count(lasted)::int as "over",
  percentile_cont(0.5) within group (order by waited) as "toAcknowledge",
  percentile_cont(0.5) within group (order by lasted) as "toRecover"`;

const MOST_NOISY = 10;

/** `weeks`: when each begins. */
export async function selectInsight(
  db: ReadDatabase,
  own: readonly OrganizationId[],
  { search, named }: AskedFigures,
  weeks: readonly Date[],
  now: Date,
): Promise<StoredInsight> {
  const [row] = await db.query<StoredInsight>(sql`
    with found as materialized (
      select service_id, severity, began_at, date_part('epoch', ended_at - began_at) as lasted,
        date_part('epoch', acknowledged_at - began_at) as waited
      from episode
      where organization_id = any(${own}::int[]) ${fits(search, named.people)} ${ofNamed(search, named)})
    select (select row_to_json(figures) from (select ${FIGURES} from found) as figures) as "all",
      coalesce((select json_agg(figures) from (
        select width_bucket(began_at, ${weeks}::timestamptz[]) as "week", ${FIGURES} from found group by 1 order by 1
      ) as figures), '[]') as "weeks",
      coalesce((select json_agg(noisy) from (
        select loud.*, service.name as "serviceName", service.archived_at is not null as "isArchived",
          service.organization_id as "organizationId", location.name as "locationName"
        from (
          select service_id as "serviceId", count(*)::int as "alarms",
            count(*) filter (where severity = 'critical')::int as "critical",
            sum(greatest(0, coalesce(lasted, date_part('epoch', ${now}::timestamptz - began_at)))) as "inAlarm"
          from found group by service_id order by 2 desc, 4 desc, 1 limit ${MOST_NOISY}) as loud
        join service on service.id = loud."serviceId" ${WITH_PLACE}
        order by "alarms" desc, "inAlarm" desc, "serviceId") as noisy), '[]') as "noisy"`);
  if (!row) throw new Error('A count has no answer');
  return row;
}

/** By unit, place and words. */
function ofNamed({ words }: EpisodeSearch, { units, byWords }: Named): Sql {
  return sql`
    ${and(units !== null, () => sql`service_id = any(${units}::int[])`)}
    ${and(byWords !== null, () => sql`(service_id = any(${byWords}::int[]) or id = any(${withComments(words)}))`)}`;
}

export async function countEpisodes(
  db: ReadDatabase,
  own: readonly OrganizationId[],
  { search, named }: AskedFigures,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as "count" from episode
    where organization_id = any(${own}::int[]) ${fits(search, named.people)} ${ofNamed(search, named)}`);
  return row?.count ?? 0;
}

/**
 * Between each edge and the next, a day at least from the first to the last: how long units were there, and how long in alarm.
 * Each begins and ends in one of them, so all are looked at once, however many edges there are.
 */
export async function selectUnitTime(
  db: ReadDatabase,
  own: readonly OrganizationId[],
  units: readonly ServiceId[] | null,
  edges: readonly Date[],
): Promise<UnitTime[]> {
  const [from, to] = [edges[0], edges.at(-1)];
  const ofUnits = (column: Sql) => (units === null ? empty : sql`and ${column} = any(${units}::int[])`);
  const held = (condition: Sql) => sql`
    select began_at as since, ended_at as until from episode
    where organization_id = any(${own}::int[]) ${ofUnits(sql`service_id`)} and ${condition}`;
  const turns = await db.query<HeldChange & { of: 'units' | 'alarms' }>(sql`
    with stood as (
      select 'units' as "of", created_at as since, archived_at as until from service
      where organization_id = any(${own}::int[]) ${ofUnits(sql`id`)}
        and created_at < ${to} and (archived_at is null or archived_at > ${from})
      union all select 'alarms', held.* from (
        ${held(sql`began_at >= ${from} and began_at < ${to}`)}
        union all ${held(sql`began_at < ${from} and ended_at > ${from} and ended_at <= ${to}`)}
        -- Through all of it: few are that long.
        union all ${held(sql`began_at < ${from} and ended_at > ${to} and ended_at - began_at >= interval '1 day'`)}
        union all ${held(sql`began_at < ${from} and ended_at is null`)}) as held),
    turned as (
      select "of", width_bucket(at, ${edges}::timestamptz[]) as place, sign, at
      from stood cross join lateral (values (1, greatest(since, ${from})), (-1, until)) as turn (sign, at)
      where at < ${to})
    select "of", place - 1 as "place", sum(sign)::int as "count",
      sum(sign * round(date_part('epoch', at - (${edges}::timestamptz[])[place]) * 1000)) as "ms"
    from turned group by "of", place`);
  const timeOf = (what: 'units' | 'alarms') =>
    addUp(
      edges,
      turns.filter(({ of }) => of === what),
    );
  const inAlarm = timeOf('alarms');
  return timeOf('units').map((total, index) => ({ total, inAlarm: inAlarm[index] ?? 0 }));
}
