import fc from 'fast-check';
import sql, { raw } from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { floorTo, HOUR_MS } from '../../src/domain/readings/rollup.ts';
import { createRollUp, findRollupLag } from '../../src/engine/readings/roll-up.ts';
import { joinSeal, markDirty } from '../../src/engine/readings/rollup-marks.ts';
import { selectProgress } from '../../src/engine/readings/rollup-queries.ts';
import { nameChannels, storeReadings } from '../../src/features/simulation/demo/store-readings.ts';
import { failingDatabase } from '../support/failing-database.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

type Freezer = Awaited<ReturnType<Lab['freezer']>>;
const RETENTION_DAYS = 400;
/** However slow the machine is. */
const ALL_THE_TIME = Number.POSITIVE_INFINITY;
let server: TestServer;
let lab: Lab;
let rollUp: ReturnType<typeof createRollUp>;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
  rollUp = createRollUp(server.db, RETENTION_DAYS, ALL_THE_TIME);
});

const now = () => server.clock.read();
const rolledUntil = async () => (await selectProgress(server.db))?.rolledUntil ?? Number.NaN;

/** Finished minutes and hours that are not what the readings themselves come to. */
async function findDifferences() {
  const until = await rolledUntil();
  const compare = (table: string, width: string, before: number) =>
    server.db.query(sql`
      with wanted as (
        select service_id, channel_id, date_bin(${width}::interval, taken_at, 'epoch') as starts_at,
          min(value), max(value), avg(value) as mean, count(*)
        from reading where taken_at < ${new Date(before)} group by 1, 2, 3
      ), found as (select * from ${raw(table)} where starts_at < ${new Date(before)})
      select ${table} as "table", starts_at as "startsAt", wanted.count as "wanted", found.count as "found"
      from wanted full join found using (service_id, channel_id, starts_at)
      where (wanted.min, wanted.max, wanted.count) is distinct from (found.min, found.max, found.count)
        or abs(wanted.mean - found.mean) > 1e-12 * greatest(abs(wanted.min), abs(wanted.max))`);
  return [
    ...(await compare('reading_minute', '1 minute', until)),
    ...(await compare('reading_hour', '1 hour', floorTo(until, HOUR_MS))),
  ];
}

const hoursOf = (freezer: Freezer) =>
  server.db.query(sql`
    select starts_at as "startsAt", min, max, mean, count from reading_hour
    where service_id = ${freezer.id} order by starts_at`);

describe('a freezer over three hours', () => {
  test('finished hours come to min, max, mean and count; a late reading joins its hour', async () => {
    const freezer = await lab.freezer();
    const beginsAt = floorTo(now().getTime() + hours(1), HOUR_MS);
    server.clock.advance(beginsAt - now().getTime());
    for (const temperature of [-80, -78, -79]) {
      await freezer.reads(temperature);
      server.clock.advance(minutes(20));
    }
    await freezer.reads(-50);
    await rollUp(now());
    expect(await hoursOf(freezer)).toEqual([]);

    server.clock.advance(minutes(10));
    expect(await rollUp(now())).toBe('caught_up');
    const hour = { startsAt: new Date(beginsAt), min: -80, max: -78, mean: -79, count: 3 };
    expect(await hoursOf(freezer)).toEqual([hour]);

    await freezer.sends({ time: beginsAt + minutes(30), values: { temperature: -71 } });
    await freezer.sends({ time: beginsAt + minutes(30), values: { temperature: -30 } });
    await rollUp(now());
    expect(await hoursOf(freezer)).toEqual([{ ...hour, max: -71, mean: -77, count: 4 }]);
    expect(await findDifferences()).toEqual([]);
  });

  test('a device that kept its readings for a day hands them in at once', async () => {
    const freezer = await lab.freezer();
    await rollUp(now());
    const kept = Array.from({ length: 96 }, (_, index) => ({
      time: now().getTime() - hours(24) + minutes(15 * index),
      values: { temperature: -80 + (index % 7) },
    }));
    expect(await (await freezer.sends(...kept)).json()).toMatchObject({ accepted: 96 });
    expect((await findDifferences()).length).toBeGreaterThan(0);
    await rollUp(now());
    expect(await findDifferences()).toEqual([]);
  });
});

test('after whatever came on time, late, twice and ahead of the clock, rollups are what the readings come to', async () => {
  const offset = fc.oneof(
    fc.integer({ min: -minutes(15), max: minutes(9) }),
    fc.integer({ min: -hours(30), max: 0 }),
    fc.constantFrom(0, -minutes(1), -minutes(10), -hours(1)),
  );
  const reading = fc.record({
    kind: fc.constant('reads' as const),
    offset,
    value: fc.integer({ min: -90, max: 30 }),
  });
  const step = fc.oneof(
    { arbitrary: reading, weight: 6 },
    {
      arbitrary: fc.record({
        kind: fc.constant('waits' as const),
        ms: fc.integer({ min: 0, max: hours(2) }),
      }),
      weight: 2,
    },
    { arbitrary: fc.record({ kind: fc.constant('rolls up' as const) }), weight: 2 },
    {
      arbitrary: fc.record({ kind: fc.constant('repeats' as const), back: fc.integer({ min: 0, max: 5 }) }),
      weight: 1,
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      const freezer = await lab.freezer();
      const sent: { time: number; values: { temperature: number } }[] = [];
      for (const each of steps) {
        if (each.kind === 'waits') server.clock.advance(each.ms);
        if (each.kind === 'rolls up') await rollUp(now());
        if (each.kind === 'reads')
          sent.push({ time: now().getTime() + each.offset, values: { temperature: each.value } });
        const again = each.kind === 'repeats' ? sent.at(-1 - each.back) : undefined;
        const next = each.kind === 'reads' ? sent.at(-1) : again;
        if (next) expect((await freezer.sends(next)).status).toBe(200);
      }
      server.clock.advance(hours(2));
      expect(await rollUp(now())).toBe('caught_up');
      expect(await findDifferences()).toEqual([]);
      expect(await findRollupLag(server.db, now())).toMatchObject({ lagSeconds: 0, marks: 0 });
    }),
    { numRuns: 25 },
  );
});

describe('several programs', () => {
  test('while readings pour in, two roll up and nothing is missed or done twice', async () => {
    const freezers = await Promise.all(Array.from({ length: 4 }, () => lab.freezer()));
    const programs = [rollUp, createRollUp(server.db, RETENTION_DAYS, ALL_THE_TIME)];
    let isDone = false;
    const pour = async (freezer: Freezer, index: number) => {
      for (let count = 0; count < 60; count += 1) {
        // Around the seal, where a reading is on either side of it while the seal moves.
        const time = now().getTime() - minutes(10) + ((count * 7919 + index) % 120_000) - 60_000;
        expect((await freezer.sends({ time, values: { temperature: count } })).status).toBe(200);
        server.clock.advance(seconds(5));
      }
    };
    const roll = async (program: typeof rollUp) => {
      while (!isDone) {
        await program(now());
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const rolling = programs.map(roll);
    await Promise.all(freezers.map(pour));
    isDone = true;
    await Promise.all(rolling);
    expect(await rollUp(now())).toBe('caught_up');
    expect(await findDifferences()).toEqual([]);
  });

  test('one rolls up, the other leaves it to it', async () => {
    server.clock.advance(hours(1));
    await server.db.transaction(async (tx) => {
      await tx.query(sql`select * from rollup_progress for update`);
      expect(await rollUp(now())).toBe('another_program_does');
    });
    expect(await rollUp(now())).toBe('caught_up');
  });

  test('a reading that takes its time to be stored is waited for, not missed', async () => {
    const freezer = await lab.freezer();
    const at = now().getTime();
    expect((await freezer.sends({ time: at, values: { temperature: -80 } })).status).toBe(200);
    await rollUp(now());
    const before = await rolledUntil();
    await server.db.transaction(async (tx) => {
      const [channel] = await tx.query<{ id: number }>(
        sql`select id from channel where service_id = ${freezer.id}`,
      );
      const row = { serviceIds: [freezer.id], channelIds: [channel?.id ?? 0], ats: [at + 1] };
      await tx.query(
        sql`insert into reading values (${freezer.id}, ${channel?.id}, ${new Date(at + 1)}, -40)`,
      );
      const [seal] = await tx.query<{ sealedUntil: number }>(joinSeal());
      markDirty(tx, row, seal?.sealedUntil ?? Number.NaN, now());
      server.clock.advance(hours(2));
      expect(await rollUp(now())).toBe('ingest_in_the_way');
      expect(await rolledUntil()).toBe(before);
      expect(await findRollupLag(server.db, now())).toMatchObject({ lagSeconds: 7200 });
    });
    expect(await rollUp(now())).toBe('caught_up');
    expect(await findDifferences()).toEqual([]);
  });
});

test('a demonstration that waits for a reading holds nobody up: it joins the seal last', async () => {
  const freezer = await lab.freezer();
  const at = now().getTime();
  expect((await freezer.sends({ time: at, values: { temperature: -80 } })).status).toBe(200);
  const [channel] = await server.db.query<{ id: number }>(sql`
    select id from channel where service_id = ${freezer.id}`);
  const ids = { serviceId: freezer.id, id: channel?.id ?? 0 };
  const channels = nameChannels([{ device: 'demo', name: 'temperature', ...ids }]);
  const reading = { device: 'demo', at: at + 1, values: { temperature: -40 } };
  let storing: Promise<number> | undefined;
  await server.db.transaction(async (tx) => {
    await tx.query(sql`insert into reading values (${ids.serviceId}, ${ids.id}, ${new Date(at + 1)}, -40)`);
    storing = storeReadings(server.db, channels, [reading], now());
    await vi.waitUntil(
      async () =>
        (
          await server.db.query(sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        ).length > 0,
      { timeout: 60_000 },
    );
    const held = await server.db.query(sql`
      select from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and datname = current_database() and wait_event_type = 'Lock'`);
    expect(held).toHaveLength(0);
  });
  expect(await storing).toBe(1);
});

describe('a program that ends in the middle', () => {
  test('another goes on where it was, stretch by stretch', async () => {
    const freezer = await lab.freezer();
    for (let count = 0; count < 10; count += 1) {
      expect((await freezer.reads(-80 + count)).status).toBe(200);
      server.clock.advance(minutes(3));
    }
    server.clock.advance(minutes(20));
    let starts = 0;
    while ((await createRollUp(server.db, RETENTION_DAYS, 0)(now())) === 'more_to_do') {
      starts += 1;
      expect(await findDifferences()).toEqual([]);
    }
    expect(starts).toBeGreaterThan(20);
    expect(await rolledUntil()).toBe(floorTo(now().getTime() - minutes(10), minutes(1)));
  });

  test.each([
    ['after minutes were written', /insert into reading_minute/],
    ['after hours were written', /insert into reading_hour/],
    ['after marks were taken', /delete from rollup_dirty/],
    ['after the progress was noted', /update rollup_progress/],
  ])('%s, nothing is half done', async (_, blowsAfter) => {
    const freezer = await lab.freezer();
    await rollUp(now());
    const late = { time: now().getTime() - hours(3), values: { temperature: -20 } };
    expect((await freezer.sends(late)).status).toBe(200);
    expect((await freezer.reads(-80)).status).toBe(200);
    expect((await findRollupLag(server.db, now())).marks).toBe(1);
    server.clock.advance(hours(2));
    const fuse = { blowsAfter: blowsAfter as RegExp | null };
    const doomed = createRollUp(failingDatabase(server.db, fuse), RETENTION_DAYS, ALL_THE_TIME);
    await expect(doomed(now())).rejects.toThrow();
    expect(await rollUp(now())).toBe('caught_up');
    expect(await findDifferences()).toEqual([]);
  });
});

test('a clock that ran ahead for a while leaves no gap', async () => {
  const freezer = await lab.freezer();
  expect((await freezer.reads(-80)).status).toBe(200);
  await rollUp(new Date(now().getTime() + hours(24 * 5)));
  await freezer.sends({ time: now().getTime() - minutes(1), values: { temperature: -79 } });
  await rollUp(now());
  expect(await rolledUntil()).toBe(floorTo(now().getTime() - minutes(10), minutes(1)));
  await freezer.sends({ time: now().getTime() + 1, values: { temperature: -78 } });
  server.clock.advance(hours(3));
  await rollUp(now());
  expect(await hoursOf(freezer)).not.toEqual([]);
  expect(await findDifferences()).toEqual([]);
});

// The last one: the plain avg() that the others compare with cannot bear these.
test('numbers at the edge of what a number can be do not stop the others', async () => {
  const freezer = await lab.freezer();
  const values = [1.7976931348623157e308, 1.7976931348623157e308, 1e160, -1e160, 5e-324, 0, -5e-324, 5e-324];
  // An hour that has settled, wherever the tests before have left the clock.
  const beginsAt = floorTo(now().getTime(), HOUR_MS) - hours(2);
  for (const [index, value] of values.entries()) {
    await freezer.sends({
      time: beginsAt + minutes(Math.floor(index / 2)) + index,
      values: { temperature: value },
    });
  }
  await rollUp(now());
  const [hour] = (await hoursOf(freezer)) as { min: number; max: number; mean: number; count: number }[];
  expect(hour).toMatchObject({ min: -1e160, max: 1.7976931348623157e308, count: 8 });
  expect(hour?.mean).toBeCloseTo(1.7976931348623157e308 / 4, -294);
});

test('whoever stores readings looks at the seal by its key, so that the look is priced as the little it is', async () => {
  const { db } = await cloneDatabase();
  const scans = await db.transaction(async (tx) => {
    await tx.query(joinSeal());
    return tx.query(sql`
      select seq_scan::int as "wholeTable", idx_scan::int as "byKey" from pg_stat_xact_user_tables
      where relname = 'rollup_progress'`);
  }, 'by_index');
  expect(scans).toEqual([{ wholeTable: 0, byKey: 1 }]);
});
