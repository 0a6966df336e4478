// A database whose readings were a row each is brought up to date: nothing is lost, and who is ended goes on.
import sql, { raw, type Sql } from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { PREPARING } from '../../src/engine/program/prepare-migrations.ts';
import { readStored } from '../../src/engine/readings/read-stored.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { readMigrations } from '../../src/platform/db/migrations.ts';
import type { Session } from '../../src/platform/db/session.ts';
import { STORY_BEGINS_AT as now } from '../support/movable-clock.ts';
import { createEmptyDatabase } from '../support/test-database.ts';

let db: Database;
/** Four weeks: a reading every ten minutes of two channels, and one value that no decimal is. */
beforeEach(async () => {
  ({ db } = await createEmptyDatabase());
  const old = (await readMigrations()).filter(({ name }) => name < '0014');
  await migrate(db, now, { migrations: old });
  for (const week of ['10_19', '10_26', '11_02', '11_09']) {
    const from = `2026-${week.replace('_', '-')}`;
    for (const table of ['reading', 'reading_minute', 'reading_hour'])
      await db.query(
        raw(`create table ${table}_2026_${week} partition of ${table}
          for values from ('${from}') to ('${new Date(Date.parse(from) + 7 * 86_400_000).toISOString()}')`),
      );
  }
  await db.query(sql`
    insert into reading select service, service, taken_at, case service when 1 then -80 + extract(minute from taken_at) / 10
      else random() * 1e9 end
    from generate_series(1, 2) as service,
      generate_series('2026-10-19 00:00:07.123Z'::timestamptz, '2026-11-15Z', interval '10 minutes') as taken_at`);
  await db.query(
    sql`insert into reading values (2, 3, '2026-11-11Z', ${1 / 3}), (2, 3, '2026-11-12Z', '-0')`,
  );
});

const selectOld = () =>
  db.query<{ channelId: number; at: number; value: number }>(sql`
    select channel_id as "channelId", round(extract(epoch from taken_at) * 1000)::float8 as "at", value
    from reading order by channel_id, taken_at`);

async function readNew() {
  const channels = [
    { serviceId: 1 as ServiceId, channelId: 1 },
    { serviceId: 2 as ServiceId, channelId: 2 },
    { serviceId: 2 as ServiceId, channelId: 3 },
  ];
  const { byChannel } = await readStored(db, channels, { from: 0, to: now.getTime() + 7 * 86_400_000 });
  return channels.flatMap(({ channelId }) => {
    const { ats = [], values = [] } = byChannel.get(channelId) ?? {};
    return Array.from(ats, (at, index) => ({ channelId, at, value: values[index] }));
  });
}

test('every reading is there afterwards to the bit, and the old tables are gone', async () => {
  const before = await selectOld();
  expect(before.length).toBeGreaterThan(7_000);
  const said: string[] = [];
  const { applied } = await migrate(db, now, { preparing: PREPARING, say: (line) => said.push(line) });
  expect(applied).toContain('0015_readings_moved.sql');
  expect(said.at(-1)).toMatch(/^Packed \d+ readings of the week 4 of 4\.$/);
  expect(await readNew()).toEqual(before);
  const left = await db.query(
    sql`select 1 from pg_class where relname ~ '^(reading(_minute|_hour)?|rollup)(_2026.*)?$'`,
  );
  expect(left).toEqual([]);
});

test('who is ended in the middle goes on with the next week', async () => {
  const before = await selectOld();
  let weeks = 0;
  const doomed = migrate(db, now, {
    preparing: PREPARING,
    say: () => {
      weeks += 1;
      if (weeks === 2) throw new Error('ended');
    },
  });
  await expect(doomed).rejects.toThrow('ended');
  const [left] = await db.query<{ weeks: number }>(
    sql`select count(*)::int as weeks from pg_inherits where inhparent = 'reading'::regclass`,
  );
  expect(left).toEqual({ weeks: 2 });
  await migrate(db, now, { preparing: PREPARING });
  expect(await readNew()).toEqual(before);
});

describe('ended by the server in the second week', () => {
  test.each([
    ['when it knows what there is', /from reading_2026_10_26/],
    ['when it has read some', /string_agg.*from reading_2026_10_26/s],
    ['when it has packed some', /insert into reading_pack/],
    ['when the old tables are dropped', /drop table.*reading_2026_10_26/],
  ])('%s, it begins this week anew', async (_, stage) => {
    const before = await selectOld();
    const said: string[] = [];
    const endedDatabase = watchedDatabase(stage, async (session) => {
      if (said.length !== 1) return;
      const [own] = await session.query<{ pid: number }>(sql`select pg_backend_pid() as "pid"`);
      await db.query(sql`select pg_terminate_backend(${own?.pid}::int, 10000)`);
    });
    const doomed = migrate(endedDatabase, now, {
      preparing: PREPARING,
      say: (line) => said.push(line),
    });
    await expect(doomed).rejects.toThrow();
    expect(said).toHaveLength(1);
    const [left] = await db.query<{ weeks: number }>(
      sql`select count(*)::int as weeks from pg_inherits where inhparent = 'reading'::regclass`,
    );
    expect(left).toEqual({ weeks: 3 });
    await migrate(db, now, { preparing: PREPARING });
    expect(await readNew()).toEqual(before);
  });
});

/** Something happens after each statement that matches, before the next. */
const watchedDatabase = (statements: RegExp, happen: (session: Session) => Promise<unknown>): Database => ({
  ...db,
  alone: (work) =>
    db.alone((session) =>
      work({
        ...session,
        async query<Row>(statement: Sql) {
          const rows = await session.query<Row>(statement);
          if (statements.test(statement.text)) await happen(session);
          return rows;
        },
        async run(script) {
          await session.run(script);
          if (statements.test(script)) await happen(session);
        },
      }),
    ),
});

test('what an older program stores meanwhile is moved too, or refused', async () => {
  const stored = await selectOld();
  const answered: typeof stored = [];
  const store = (at: number, value: number) =>
    db.query(sql`insert into reading values (2, 3, ${new Date(at)}, ${value})`).then(
      () => answered.push({ channelId: 3, at, value }),
      () => {},
    );
  let isOver = false;
  const pour = async () => {
    for (let number = 0; !isOver; number += 1)
      await store(Date.parse('2026-11-14T00:00:00Z') + number, number);
  };
  const pouring = pour();
  const makeNextWeek = async () => {
    for (const table of ['reading', 'reading_minute', 'reading_hour'])
      await db.query(
        raw(`create table if not exists ${table}_2026_11_16 partition of ${table}
          for values from ('2026-11-16') to ('2026-11-23')`),
      );
    await store(Date.parse('2026-11-16T01:00:00Z') + answered.length, 7);
  };
  let looks = 0;
  const watched = watchedDatabase(/inhparent = 'reading'::regclass/, async () => {
    looks += 1;
    if (looks === 1) await makeNextWeek();
  });
  await migrate(watched, now, { preparing: PREPARING });
  isOver = true;
  await pouring;
  expect(answered.length).toBeGreaterThan(1);
  const inOrder = [...stored, ...answered].sort(
    (one, other) => one.channelId - other.channelId || one.at - other.at,
  );
  expect(await readNew()).toEqual(inOrder);
});
