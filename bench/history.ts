// How long pages of past alarms take among five years of them: the list, a filter that fits few, one alarm, and its figures.
import sql, { raw } from 'sql-template-tag';
import { packEpisodeDays } from '../src/engine/alarm-state/episode-days.ts';
import type { Database } from '../src/platform/db/database.ts';
import type { Reader } from './alarms-list.ts';
import { median } from './load.ts';
import type { Stage } from './stage.ts';

const UNITS = 1000;
const WEEKS = 5 * 52;
const TIMES = 21;

export async function measureHistory({ bench, db, reader, now }: Stage): Promise<void> {
  await fillEpisodes(db, now);
  const [one] = await db.query<{ id: string }>(
    sql`select id from episode order by began_at desc offset 1000 limit 1`,
  );
  const year = new Date(now.getTime() - 365 * 86_400_000).toISOString().slice(0, 10);
  Object.assign(bench.figures, {
    history_list_ms: await timeOf(reader, '/history'),
    history_words_ms: await timeOf(reader, '/history?q=gasket'),
    history_unit_ms: await timeOf(reader, '/history?service=77'),
    history_person_ms: await timeOf(reader, '/history?who=Ada&severity=critical'),
    history_episode_ms: await timeOf(reader, `/history/${one?.id}`),
    insight_12_weeks_ms: await timeOf(reader, '/history/insight'),
    insight_a_year_ms: await timeOf(reader, `/history/insight?from=${year}`),
    insight_old_month_ms: await timeOf(reader, '/history/insight?month=2024-02'),
  });
}

/** One alarm a week of each unit; one in 50 holds for days. */
async function fillEpisodes(db: Database, now: Date): Promise<void> {
  await db.query(sql`
    insert into episode (id, service_id, organization_id, severity, channel, band, limit_value, began_at, ended_at,
      acknowledged_at, acknowledged_by, acknowledged_by_ids, comments)
    select nextval('episode_id'), service.id, organization_id, case when n % 3 = 0 then 'warning' else 'critical' end, 'temperature',
      'CRITICAL_HIGH', -60, began_at, began_at + case when n % 50 = 0 then interval '3 days' else n % 90 * interval '1 minute' end,
      case when n % 4 > 0 then began_at + n % 30 * interval '1 minute' end, case when n % 4 > 0 then 'Ada' end,
      case when n % 4 > 0 then array[1] else '{}' end,
      case when n % 997 = 0 then 'The gasket was frozen' when n % 4 > 0 then 'Door was open' end
    from (select id, organization_id from service where organization_id = 1 order by id limit ${UNITS}) as service
    cross join lateral (
      select service.id * 7919 + week * 104729 as n,
        ${now}::timestamptz - week * interval '7 days' - service.id * 7919 % 10000 * interval '1 minute' as began_at
      from generate_series(0, ${WEEKS - 1}::int) as week) as past`);
  // As the housekeeping does within some minutes.
  for (let round = 0; round < 5; round += 1) await packEpisodeDays(db, now);
  await db.query(raw('vacuum analyze episode, episode_day, episode_day_mark'));
}

/** The middle one of many, after those that are planned and compiled. */
async function timeOf({ url, token }: Reader, path: string): Promise<number> {
  const waits: number[] = [];
  for (let count = -3; count < TIMES; count += 1) {
    const startedAt = performance.now();
    const answer = await fetch(url + path, { headers: { cookie: `access_token=${token}` } });
    const html = await answer.text();
    if (answer.status !== 200 || !html.includes('</html>'))
      throw new Error(`${path} is answered with ${answer.status}`);
    if (count >= 0) waits.push(performance.now() - startedAt);
  }
  return Number(median(waits).toFixed(1));
}
