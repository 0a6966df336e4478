// Days of past alarms, packed: who asks for figures of a year reads one row a day. A day in which something changed since has a mark,
// and is read from its episodes.
import sql, { type Sql } from 'sql-template-tag';
import type { OrganizationId } from '../../domain/ids.ts';
import { DAY_MS } from '../../domain/readings/span.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import { LOCK_KEYS } from '../../platform/lock-keys.ts';

/** Packed in one transaction: some milliseconds each. */
const MOST_AT_ONCE = 60;
const BUDGET_MS = 2_000;
/** Alarms of these days still change: they are read as they are. */
const CHANGING_DAYS = 2;

/** Episodes as `readPastEpisodes` of the domain reads them; null: there are none. */
export const PACKED_EPISODES = sql`
  string_agg(int4send(service_id) || case severity when 'critical' then '\\x01'::bytea else '\\x00'::bytea end
    || ${sendMs(sql`date_part('epoch', began_at)`)} || ${sendMs(sql`date_part('epoch', ended_at - began_at)`)}
    || ${sendMs(sql`date_part('epoch', acknowledged_at - began_at)`)}, ''::bytea)`;

function sendMs(seconds: Sql): Sql {
  return sql`float8send(coalesce(round((${seconds})::numeric * 1000, 3)::float8, 'NaN'))`;
}

const beginOf = (day: Sql) => sql`(${day}::timestamp at time zone 'UTC')`;

const ofDay = (organizationId: Sql, day: Sql) => sql`
  episode.organization_id = ${organizationId}
  and began_at >= ${beginOf(day)} and began_at < ${beginOf(sql`(${day} + 1)`)}`;

/** As many as can be done in time, the newest first. */
export async function packEpisodeDays(db: Database, now: Date): Promise<void> {
  const startedAt = performance.now();
  while ((await packSome(db, now)) === MOST_AT_ONCE && performance.now() - startedAt < BUDGET_MS);
}

/** Marks and episodes are those of one moment: what changes meanwhile has a mark that stays. */
const packSome = (db: Database, now: Date): Promise<number> =>
  db.transaction(async (tx) => {
    // An earlier look at the episodes must not come after a later one.
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK_KEYS.episodeDays})`);
    const [row] = await tx.query<{ count: number }>(sql`
      with due as materialized (
        select distinct organization_id, day from episode_day_mark
        where day < ${dayOf(now.getTime() - CHANGING_DAYS * DAY_MS)}::date order by day desc limit ${MOST_AT_ONCE}),
      unmarked as (
        delete from episode_day_mark using due
        where episode_day_mark.organization_id = due.organization_id and episode_day_mark.day = due.day),
      found as materialized (
        select due.*, (select ${PACKED_EPISODES} from episode where ${ofDay(sql`due.organization_id`, sql`due.day`)}) as packed
        from due),
      emptied as (
        delete from episode_day using found
        where episode_day.organization_id = found.organization_id and episode_day.day = found.day and found.packed is null),
      filled as (
        insert into episode_day (organization_id, day, packed)
        select organization_id, day, packed from found where packed is not null
        on conflict (organization_id, day) do update set packed = excluded.packed)
      select count(*)::int as "count" from due`);
    return row?.count ?? 0;
  });

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** All that began on the days of UTC that hold some of the span, and perhaps little more; a buffer a day and organization. */
export const selectEpisodeDays = async (
  db: ReadDatabase,
  own: readonly OrganizationId[],
  { from, to }: { from: Date; to: Date },
): Promise<Buffer[]> => {
  const within = sql`organization_id = any(${own}::int[])
    and day between ${dayOf(from.getTime())}::date and ${dayOf(to.getTime())}::date`;
  const rows = await db.query<{ packed: Buffer }>(sql`
    with marked as materialized (select distinct organization_id, day from episode_day_mark where ${within})
    select packed from episode_day
    where ${within} and not exists (
      select from marked where marked.organization_id = episode_day.organization_id and marked.day = episode_day.day)
    union all
    select late.packed from marked cross join lateral (
      select ${PACKED_EPISODES} as packed from episode
      where ${ofDay(sql`marked.organization_id`, sql`marked.day`)}) as late
    where late.packed is not null`);
  return rows.map(({ packed }) => packed);
};
