// New limits look back as far as the longest sustained time, and that may be for ever: day by day, and not without end.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { decodePack } from '../../src/domain/readings/pack.ts';
import { reassess } from '../../src/engine/alarm-state/reassess.ts';
import { takeTurns } from '../../src/engine/journal/take-turn.ts';
import { adoptLimits, type LimitsAdoption } from '../../src/engine/services/adopt-limits.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import type { Statements } from '../../src/platform/db/statement.ts';
import { countTrips } from '../support/count-trips.ts';
import { storeReadings } from '../support/history.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { BLANK_EDIT } from '../support/limits-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const LONGEST_MINUTES = 2_147_483_647;
const DAYS = 6;
const COUNT = DAYS * 24 * 60;

let server: TestServer;
let lab: Lab;
let freezer: Awaited<ReturnType<Lab['freezer']>>;
beforeAll(async () => {
  server = await startServer();
});

/** Warm for the last 5,000 of its readings, one a minute. */
beforeEach(async () => {
  lab = await openLab(server);
  freezer = await lab.freezer();
  await freezer.reads(-60);
  server.clock.advance(-minutes(1));
  await storeReadings(server, freezer.id, {
    count: COUNT,
    value: (index) => (index < COUNT - 5_000 ? -80 : -60),
  });
  server.clock.advance(minutes(1));
});

const edit = (sustained: number) =>
  lab.ada.post(`/api/v1/services/${freezer.id}/edit`, {
    ...BLANK_EDIT,
    ch_high: '-65',
    ch_sustained: String(sustained),
  });

/** Minutes from the beginning of the running breach until now. */
async function runningFor(): Promise<number | null> {
  const [row] = await server.db.query<{ since: number | null }>(sql`
    select (channel_alarms -> channel_ids[1]::text -> 'breaches' ->> 'CRITICAL_HIGH')::float8 as "since"
    from alarm_state where service_id = ${freezer.id}`);
  return row?.since == null ? null : (server.clock.read().getTime() - row.since) / minutes(1);
}

const adopt = (limit: number): LimitsAdoption => ({
  serviceId: freezer.id,
  organizationId: lab.organization,
  limits: {
    channel: 'temperature',
    isPercentage: false,
    setpointChannel: null,
    stateChannel: null,
    bands: [{ band: 'CRITICAL_HIGH', limit, delayMinutes: 0, sustainedMinutes: LONGEST_MINUTES }],
  },
  origin: 'edit',
  author: { id: null, name: 'Ada' },
  now: server.clock.read(),
});

const countReadings = (rows: unknown[]): number =>
  (rows as { data?: Buffer; part?: string }[]).reduce(
    (sum, { data, part }) => sum + (data && part ? decodePack(data).ats.length : 0),
    0,
  );

test('what is in memory at a time is some days, however long the sustained time', async () => {
  let longest = 0;
  await server.db.transaction(async (tx) => {
    const queryAll = async (statements: Statements) => {
      const answers = await tx.queryAll(statements);
      for (const rows of Object.values(answers))
        longest = Math.max(longest, countReadings(rows as unknown[]));
      return answers;
    };
    await adoptLimits({ ...tx, queryAll } as unknown as Tx, adopt(-65));
  });
  // Whole days of a reading a minute.
  expect(longest).toBeGreaterThan(1_440);
  expect(longest).toBeLessThanOrEqual(5_000);
  expect(await runningFor()).toBe(5_000);
});

test.for([
  [4_999, 'critical'],
  [5_000, 'critical'],
  [5_001, undefined],
] as const)('a breach of 5,000 minutes under limits that ask for %i', async ([sustained, severity]) => {
  expect((await edit(sustained)).headers.get('location')).toBe(`/services/${freezer.id}`);
  expect((await lab.alarms())[0]?.severity).toBe(severity);
  expect(await runningFor()).toBe(5_000);
});

test.for([
  [3_000, 3_061],
  [200_000, 5_000],
])(
  'of about so many readings, by whole packs, the first counts as the beginning: %i',
  async ([most = 0, running]) => {
    await edit(LONGEST_MINUTES);
    await server.db.transaction((tx) => {
      takeTurns(tx, [freezer.id]);
      return reassess(tx, [freezer.id], server.clock.read(), most);
    });
    expect(await runningFor()).toBe(running);
  },
);

test('limits under which nothing is breached ask for no reading, and hold the service for three round trips', async () => {
  const { db, read } = countTrips(server.db);
  await db.transaction((tx) => adoptLimits(tx, adopt(-50)));
  expect(read()).toBe(3);
  expect(await runningFor()).toBeNull();
});

test('however long the sustained time, it is asked for as often as there is much to read', async () => {
  const { db, read } = countTrips(server.db);
  await db.transaction((tx) => adoptLimits(tx, adopt(-65)));
  expect(await runningFor()).toBe(5_000);
  // Twice for six days and half a century before them, beside what an adoption asks anyway.
  expect(read()).toBeLessThan(12);
});
