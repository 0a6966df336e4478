// A broken probe raises an alarm: by what its device says in the place of a value, or by its silence while others talk.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openRoad } from '../../src/engine/ingest/road.ts';
import { packInbox } from '../../src/engine/packing/pack-inbox.ts';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
let freezer: Freezer;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
  freezer = await lab.freezer({
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
    stale_after_minutes: 10,
  });
});

const says = async (values: Record<string, unknown>) => (await freezer.sends({ values })).json();
const faults = async () =>
  (await listStored(server.db, freezer.id))
    .filter(({ name }) => name.endsWith('_fault'))
    .map(({ name, value }) => [name, value]);
const pass = async (count: number, values: Record<string, unknown> | null = null) => {
  for (let minute = 0; minute < count; minute += 1) {
    await lab.advance(minutes(1));
    if (values) await says(values);
  }
};
const alarm = async () => (await lab.alarms()).find(({ service_id }) => service_id === freezer.id);
const severity = async () => (await alarm())?.severity ?? 'normal';
/** Others would be told by the interface too. */
const channelsOf = async () =>
  (
    await server.db.query<{ name: string }>(
      sql`select name from channel where service_id = ${freezer.id} order by name`,
    )
  ).map(({ name }) => name);

const NULL = { temperature: null, battery: 90 };
const GOOD = { temperature: -80, battery: 90 };

describe('our own JSON', () => {
  test('still refuses what is no number, and the battery cannot hide it any more', async () => {
    await says(GOOD);
    await pass(1);
    expect(await says(NULL)).toEqual({
      accepted: 1,
      duplicates: 0,
      rejected: [{ index: 0, reason: 'values.temperature: not a number' }],
    });
    expect(await faults()).toEqual([['temperature_fault', 1]]);
    expect(await severity()).toBe('normal');
    await pass(5, NULL);
    expect(await alarm()).toMatchObject({
      severity: 'warning',
      channel: 'temperature_fault',
      channel_label: 'Probe of temperature',
      message: 'Probe of temperature is not measuring',
      is_stale: false,
    });
    await pass(5, NULL);
    expect(await severity()).toBe('critical');
    await pass(1, GOOD);
    expect(await severity()).toBe('normal');
    expect(await faults()).toEqual([
      ['temperature_fault', 1],
      ['temperature_fault', 0],
    ]);
  });

  test('takes every number, as it promises, and knows which of them no probe measures', async () => {
    await says(GOOD);
    await pass(1);
    expect(await says({ temperature: 85 })).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
    await pass(1);
    expect(await says({ temperature: 85 })).toMatchObject({ accepted: 1 });
    await pass(1, GOOD);
    expect(await faults()).toEqual([
      ['temperature_fault', 1],
      ['temperature_fault', 0],
    ]);
  });

  test('a device that says nothing but a fault is answered as before, known or not', async () => {
    const reason = 'values.temperature: not a number';
    const nothing = { accepted: 0, duplicates: 0, rejected: [{ index: 0, reason }] };
    expect(await says({ temperature: null })).toEqual(nothing);
    expect(await faults()).toEqual([['temperature_fault', 1]]);
    const stranger = await lab.post({ device: 'stranger', values: { temperature: null } });
    expect(await stranger.json()).toEqual(nothing);
  });

  test('empty places of what is never measured say nothing', async () => {
    await says({ ...GOOD, humidity: null, rssi: null });
    await says({ ...GOOD, battery: null });
    expect(await channelsOf()).toEqual(['battery', 'temperature']);
  });
});

describe('what comes late or twice', () => {
  test('changes nothing', async () => {
    await says(GOOD);
    await pass(3);
    const at = (minute: number) => server.clock.read().getTime() + minutes(minute);
    await freezer.sends({ time: at(-1), values: { temperature: null } });
    await freezer.sends({ time: at(-1), values: { temperature: null } });
    await freezer.sends({ time: at(-2), values: GOOD });
    expect(await faults()).toEqual([['temperature_fault', 1]]);
    await freezer.sends({ time: at(0), values: GOOD });
    await freezer.sends({ time: at(-0.5), values: { temperature: null } });
    expect(await faults()).toEqual([
      ['temperature_fault', 1],
      ['temperature_fault', 0],
    ]);
    expect(await severity()).toBe('normal');
  });

  test('a post out of order is heard in the order of its times', async () => {
    await says(GOOD);
    await pass(5);
    const at = (minute: number) => server.clock.read().getTime() + minutes(minute);
    await freezer.sends(
      { time: at(-1), values: GOOD },
      { time: at(-3), values: { temperature: null } },
      { time: at(-2), values: { temperature: null } },
    );
    expect(await faults()).toEqual([
      ['temperature_fault', 1],
      ['temperature_fault', 0],
    ]);
  });
});

describe('a channel that falls silent', () => {
  test('while its device talks, for as long as makes a service stale', async () => {
    await says(GOOD);
    await pass(9, { battery: 90 });
    expect(await faults()).toEqual([]);
    await pass(1, { battery: 90 });
    await lab.advance(1_000);
    expect(await faults()).toEqual([['temperature_fault', 1]]);
    await pass(5, { battery: 90 });
    expect(await alarm()).toMatchObject({
      severity: 'warning',
      channel: 'temperature_fault',
      is_stale: false,
    });
    await pass(5, { battery: 90 });
    expect(await severity()).toBe('critical');
    await pass(1, GOOD);
    expect(await severity()).toBe('normal');
  });

  test('is noticed after its readings were packed, again and again', async () => {
    await says(GOOD);
    for (let minute = 0; minute < 12; minute += 1) {
      await pass(1, { battery: 90 });
      await packInbox(server.db, server.clock.read(), { atOnce: true });
    }
    expect(await faults()).toEqual([['temperature_fault', 1]]);
  });

  test('is not to blame when the whole device does', async () => {
    await says(GOOD);
    await pass(1, { battery: 90 });
    await pass(30);
    expect(await faults()).toEqual([]);
    expect(await alarm()).toMatchObject({ severity: 'stale' });
    await says({ battery: 90 });
    await pass(1);
    expect(await faults()).toEqual([['temperature_fault', 1]]);
  });

  test('is not watched without limits', async () => {
    freezer = await lab.freezer({ stale_after_minutes: 10 });
    await says(GOOD);
    await pass(25, { battery: 90 });
    expect(await channelsOf()).toEqual(['battery', 'temperature']);
  });
});

describe('several programs', () => {
  const openProgram = () => openRoad({ db: server.db, clock: server.clock.read, retentionDays: 400 });
  const take = (road: ReturnType<typeof openProgram>, temperature: number | null) =>
    road.take(
      {
        sourceId: null,
        organizationId: lab.organization,
        entries: [
          {
            index: 0,
            target: { device: freezer.device },
            at: server.clock.read().getTime(),
            values: temperature === null ? [['battery', 90, false]] : [['temperature', temperature, false]],
            ...(temperature === null && { faults: ['temperature'] }),
          },
        ],
        rejected: [],
      },
      1,
    );

  test('take turns, and one that has just started knows as much', async () => {
    const [one, other] = [openProgram(), openProgram()];
    await take(one, -80);
    await take(other, -80);
    for (const [road, temperature] of [
      [one, null],
      [other, null],
      [openProgram(), null],
      [other, -80],
      [one, -80],
      [openProgram(), -80],
      [one, null],
    ] as const) {
      server.clock.advance(minutes(1));
      await take(road, temperature);
    }
    expect((await faults()).map(([, value]) => value)).toEqual([1, 0, 1]);
  });

  test('sweep at once, and it is said once', async () => {
    await says(GOOD);
    for (let minute = 0; minute < 10; minute += 1) {
      server.clock.advance(minutes(1));
      await says({ battery: 90 });
    }
    await Promise.all([1, 2, 3].map(() => openProgram().sweep(server.clock.read())));
    expect(await faults()).toEqual([['temperature_fault', 1]]);
    server.clock.advance(minutes(1));
    await take(openProgram(), -80);
    expect((await faults()).map(([, value]) => value)).toEqual([1, 0]);
  });
});

describe('its limits', () => {
  test('are there from the first fault on, and can be changed like any others', async () => {
    await says(GOOD);
    await pass(1, NULL);
    const history = await server.db.query(sql`
      select origin, author_name as author from limits_version
      where service_id = ${freezer.id} and channel = 'temperature_fault'`);
    expect(history).toEqual([{ origin: 'preset', author: 'Tocsin' }]);
    await lab.apply({
      name: freezer.device.replace('freezer-', 'Freezer '),
      limits: [{ channel: 'temperature_fault', bands: { WARNING_HIGH: { limit: 0.5, sustained: 60 } } }],
    });
    await pass(30, NULL);
    expect(await severity()).toBe('normal');
    await pass(31, NULL);
    expect(await severity()).toBe('warning');
  });

  test('that somebody set before stay', async () => {
    freezer = await lab.freezer({
      limits: [
        { channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } },
        { channel: 'temperature_fault', bands: { CRITICAL_HIGH: { limit: 0.5 } } },
      ],
    });
    await says(GOOD);
    await pass(1, NULL);
    expect(await severity()).toBe('critical');
  });
});
