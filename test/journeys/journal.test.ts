// Readings of quiet services stand in the journal alone: whoever looks, and whichever program takes the next ones, knows them.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { openRoad, type Road } from '../../src/engine/ingest/road.ts';
import { packInbox } from '../../src/engine/packing/pack-inbox.ts';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { listStored, packAll } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;

beforeAll(async () => {
  server = await startServer();
  lab = await openLab(server);
});

const LIMITED = { limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -70 } } }] };
const now = () => server.clock.read();
const openAnotherRoad = () => openRoad({ db: server.db, clock: server.clock.read, retentionDays: null });

const takeBy = (
  road: Road,
  { device }: Freezer,
  temperature: number,
  at = now().getTime(),
  sourceId: number | null = null,
) =>
  road.take(
    {
      sourceId,
      organizationId: lab.organization,
      entries: [{ index: 0, target: { device }, at, values: [['temperature', temperature, false]] }],
      rejected: [],
    },
    1,
  );

/** The version of its row, by which it is seen whether anybody has written it. */
const rowOf = async ({ id }: Freezer) => {
  const [row] = await server.db.query<{ version: string; at: number[]; nextDueAt: Date }>(sql`
    select xmin::text as "version", channel_at_ms::float8[] as "at", next_due_at as "nextDueAt"
    from alarm_state where service_id = ${id}`);
  return row;
};
const shownValue = async ({ id }: Freezer) =>
  /-\d+(?:\.\d+)?(?= °C)|−\d+(?:\.\d+)?(?= °C)/.exec(
    await (await lab.vera.get(`/services/${id}`)).text(),
  )?.[0];
const severityOf = async ({ id }: Freezer) =>
  (await lab.alarms()).find(({ service_id }) => service_id === id)?.severity;
const NEW = { accepted: 1, duplicates: 0, rejected: [] };
const DOUBLE = { accepted: 0, duplicates: 1, rejected: [] };

test('a quiet reading writes no row, and is shown at once; the packer writes the row', async () => {
  const freezer = await lab.freezer(LIMITED);
  await freezer.reads(-80);
  await server.road.sweep(now());
  const before = await rowOf(freezer);
  for (const value of [-81, -82, -83]) {
    server.clock.advance(seconds(30));
    await freezer.reads(value);
  }
  expect(await rowOf(freezer)).toEqual(before);
  expect(await shownValue(freezer)).toMatch(/83$/);
  expect(await (await lab.vera.get('/services')).text()).toMatch(/[−-]83 °C/);
  await packAll(server.db, now());
  expect((await rowOf(freezer))?.at).toEqual([now().getTime()]);
  expect(await shownValue(freezer)).toMatch(/83$/);
});

describe('several programs', () => {
  test('each knows what the others took: doubles are doubles, late is late', async () => {
    const freezer = await lab.freezer(LIMITED);
    const [one, other] = [openAnotherRoad(), openAnotherRoad()];
    await takeBy(one, freezer, -80);
    server.clock.advance(minutes(1));
    expect(await takeBy(other, freezer, -81)).toEqual(NEW);
    server.clock.advance(minutes(1));
    const at = now().getTime();
    expect(await takeBy(one, freezer, -82, at)).toEqual(NEW);
    expect(await takeBy(other, freezer, -82, at)).toEqual(DOUBLE);
    // Too warm, and older than what the other program took: it changes nothing.
    expect(await takeBy(other, freezer, 20, at - seconds(5))).toEqual(NEW);
    expect(await lab.alarms()).toEqual([]);
    server.clock.advance(minutes(1));
    expect(await takeBy(other, freezer, 20)).toEqual(NEW);
    expect(await lab.alarms()).toMatchObject([{ service_id: freezer.id, severity: 'critical' }]);
    server.clock.advance(minutes(1));
    expect(await takeBy(one, freezer, -80)).toEqual(NEW);
    expect(await lab.alarms()).toEqual([]);
    expect(await listStored(server.db, freezer.id)).toHaveLength(6);
  });

  test('one that was alone for a while hears of another that takes a turn between two of its own', async () => {
    const freezer = await lab.freezer(LIMITED);
    const [alone, other] = [openAnotherRoad(), openAnotherRoad()];
    await takeBy(alone, freezer, -80);
    await takeBy(other, freezer, -80);
    for (let round = 0; round < 3; round += 1) {
      // Long enough to be sure that nobody else is about.
      for (let count = 0; count < 4; count += 1) {
        server.clock.advance(seconds(1));
        expect(await takeBy(alone, freezer, -80)).toEqual(NEW);
      }
      server.clock.advance(seconds(1));
      const at = now().getTime();
      expect(await takeBy(other, freezer, -81, at)).toEqual(NEW);
      expect(await takeBy(alone, freezer, -82, at)).toEqual(DOUBLE);
      expect(await takeBy(alone, freezer, 20, at - 1)).toEqual(NEW);
      expect(await lab.alarms()).toEqual([]);
    }
    expect(await listStored(server.db, freezer.id)).toHaveLength(1 + 3 * 6);
  });

  test('nor does one that was alone take readings of a source that is gone', async () => {
    const freezer = await lab.freezer(LIMITED);
    const [source] = await server.db.query<{ id: number }>(sql`
      insert into source (organization_id, name, secret_hash, created_at)
      values (${lab.organization}, 'Soon gone', ${Buffer.alloc(32)}, ${now()}) returning id`);
    const alone = openAnotherRoad();
    const take = () => {
      server.clock.advance(seconds(1));
      return takeBy(alone, freezer, -80, now().getTime(), source?.id);
    };
    for (let count = 0; count < 4; count += 1) expect(await take()).toEqual(NEW);
    await server.db.query(sql`delete from source where id = ${source?.id}`);
    expect(await take()).toBe('unknown_source');
    expect(await listStored(server.db, freezer.id)).toHaveLength(4);
  });

  test('one that has not looked for so long that entries are packed begins anew', async () => {
    const freezer = await lab.freezer(LIMITED);
    const [idle, busy] = [openAnotherRoad(), openAnotherRoad()];
    await takeBy(idle, freezer, -80);
    const times: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      server.clock.advance(minutes(1));
      times.push(now().getTime());
      expect(await takeBy(busy, freezer, -81)).toEqual(NEW);
    }
    while ((await packInbox(server.db, now(), { atOnce: true })) !== 'nothing_to_do');
    for (const at of times) expect(await takeBy(idle, freezer, -81, at)).toEqual(DOUBLE);
  });

  test('two that take the same readings at once store each of them once', async () => {
    const freezer = await lab.freezer(LIMITED);
    const roads = [openAnotherRoad(), openAnotherRoad(), openAnotherRoad()];
    for (let count = 0; count < 20; count += 1) {
      server.clock.advance(seconds(1));
      const at = now().getTime();
      const outcomes = await Promise.all(roads.map((road) => takeBy(road, freezer, -80, at)));
      expect(
        outcomes.filter((outcome) => outcome !== 'unknown_source' && outcome.accepted === 1),
      ).toHaveLength(1);
    }
    expect(await listStored(server.db, freezer.id)).toHaveLength(20);
  });
});

test('a program that starts knows what is not packed yet', async () => {
  const freezer = await lab.freezer(LIMITED);
  await freezer.reads(-80);
  server.clock.advance(minutes(1));
  await freezer.reads(-81);
  const at = now().getTime();
  expect(await takeBy(openAnotherRoad(), freezer, -81, at)).toEqual(DOUBLE);
});

test('a deadline that later readings have moved is moved by the sweep, and nobody is told of stale data', async () => {
  const freezer = await lab.freezer(LIMITED);
  await freezer.reads(-80);
  await server.road.sweep(now());
  const first = (await rowOf(freezer))?.nextDueAt.getTime() ?? 0;
  for (let count = 0; count < 4; count += 1) {
    server.clock.advance(minutes(4));
    await freezer.reads(-80);
  }
  expect((await rowOf(freezer))?.nextDueAt.getTime()).toBe(first);
  const last = now().getTime();
  await server.road.sweep(now());
  expect((await rowOf(freezer))?.nextDueAt.getTime()).toBe(last + minutes(15));
  expect(await severityOf(freezer)).toBeUndefined();
  server.clock.advance(minutes(15));
  await server.road.sweep(now());
  expect(await severityOf(freezer)).toBe('stale');
});

test('a deadline moves with what the packer brings, so that the sweep has nothing to do for it', async () => {
  const freezer = await lab.freezer(LIMITED);
  const breached = await lab.freezer({
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -70, sustained: 12 } } }],
  });
  await freezer.reads(-80);
  await breached.reads(-60);
  await server.road.sweep(now());
  const waits = (await rowOf(breached))?.nextDueAt;
  server.clock.advance(minutes(4));
  await freezer.reads(-80);
  await breached.reads(-61);
  const last = now().getTime();
  await packAll(server.db, now());
  const packed = await rowOf(freezer);
  expect(packed?.nextDueAt.getTime()).toBe(last + minutes(15));
  expect((await rowOf(breached))?.nextDueAt).toEqual(waits);
  server.clock.advance(minutes(14));
  await server.road.sweep(now());
  expect(await rowOf(freezer)).toEqual(packed);
  expect(await severityOf(breached)).toBe('critical');
  server.clock.advance(minutes(1));
  await server.road.sweep(now());
  expect(await severityOf(freezer)).toBe('stale');
});

test('a database that was set back is believed, not what was remembered', async () => {
  const freezer = await lab.freezer(LIMITED);
  const road = openAnotherRoad();
  await takeBy(road, freezer, -80);
  const [{ position } = { position: '' }] = await server.db.query<{ position: string }>(
    sql`select last_value as "position" from journal_position`,
  );
  server.clock.advance(minutes(1));
  const at = now().getTime();
  expect(await takeBy(road, freezer, -81, at)).toEqual(NEW);
  await server.db.query(sql`delete from reading_inbox where position > ${position}`);
  await server.db.query(sql`select setval('journal_position', ${position}::bigint)`);
  expect(await takeBy(road, freezer, -81, at)).toEqual(NEW);
  expect((await listStored(server.db, freezer.id)).at(-1)).toMatchObject({ value: -81 });
});
