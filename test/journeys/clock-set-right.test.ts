// The clock of the server was ahead for a while and is set right, or the clocks of two servers differ. What arrives is
// judged all the same.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimLetters } from '../../src/engine/delivery/claim-letters.ts';
import { formLetters } from '../../src/engine/delivery/form-letters.ts';
import { createLanes } from '../../src/engine/delivery/lanes.ts';
import { setBackLetters } from '../../src/engine/delivery/set-back-letters.ts';
import { openDeliveryDesk } from '../support/delivery-desk.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { startServer, startServerOn, type TestServer } from '../support/test-server.ts';

const HOT = -50;
const COLD = -80;
const limited = (sustained = 0) => ({
  limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60, sustained } } }],
});

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
  // What earlier tests have left ahead of the clock.
  await server.road.setBack(now());
});

type Freezer = Awaited<ReturnType<Lab['freezer']>>;

const stateOf = async ({ id }: Freezer) => {
  const [row] = await server.db.query(sql`
    select severity, severity_since as "since", stale_since is not null as "isStale"
    from alarm_state where service_id = ${id}`);
  return row;
};
const eventsOf = async ({ id }: Freezer) => {
  const rows = await server.db.query<{ kind: string; at: Date }>(sql`
    select kind, happened_at as "at" from alarm_event where service_id = ${id} order by id`);
  return rows;
};
const now = () => server.clock.read();

describe.each([
  ['an hour', hours(1)],
  ['a day', hours(24)],
])('a clock that was %s ahead', (_, aheadMs) => {
  /** Readings that the wrong clock dates, and those after it was set right. */
  async function whileAhead(freezer: Freezer, ...temperatures: number[]) {
    server.clock.advance(aheadMs);
    for (const temperature of temperatures) {
      server.clock.advance(minutes(1));
      await freezer.reads(temperature);
    }
    server.clock.advance(-aheadMs);
  }

  test('a breach is an alarm at once', async () => {
    const freezer = await lab.freezer(limited());
    await freezer.reads(COLD);
    await whileAhead(freezer, COLD, COLD);
    server.clock.advance(minutes(1));
    expect(await (await freezer.reads(HOT)).json()).toMatchObject({ accepted: 1 });
    expect(await stateOf(freezer)).toEqual({ severity: 'critical', since: now(), isStale: false });
    expect(await lab.alarms()).toHaveLength(1);
  });

  test('so is one whose time lies a little back', async () => {
    const freezer = await lab.freezer(limited());
    await whileAhead(freezer, COLD);
    await freezer.sends({ time: now().getTime() - seconds(40), values: { temperature: HOT } });
    expect(await stateOf(freezer)).toMatchObject({ severity: 'critical' });
  });

  test('a recovery is one at once, and nothing that happened lies ahead', async () => {
    const freezer = await lab.freezer(limited());
    await whileAhead(freezer, HOT);
    server.clock.advance(minutes(1));
    await freezer.reads(COLD);
    expect(await stateOf(freezer)).toEqual({ severity: 'normal', since: null, isStale: false });
    const [raised, recovered] = await eventsOf(freezer);
    expect([raised?.kind, recovered]).toEqual(['raised', { kind: 'recovered', at: now() }]);
  });

  test('a breach that has to last counts from when the clock was right', async () => {
    const freezer = await lab.freezer(limited(5));
    await whileAhead(freezer, HOT);
    await freezer.reads(HOT);
    await lab.advance(minutes(5) - seconds(1));
    expect(await stateOf(freezer)).toMatchObject({ severity: 'normal' });
    await lab.advance(seconds(1));
    expect(await stateOf(freezer)).toEqual({ severity: 'critical', since: now(), isStale: false });
  });

  test('what is older than the newest reading in time still changes nothing', async () => {
    const freezer = await lab.freezer(limited());
    await freezer.reads(COLD);
    const earlier = now().getTime() - minutes(1);
    await whileAhead(freezer, COLD);
    await freezer.sends({ time: earlier, values: { temperature: HOT } });
    expect(await stateOf(freezer)).toMatchObject({ severity: 'normal' });
  });

  test('a device that stops sending goes stale, and is told apart from the clock within a minute', async () => {
    const freezer = await lab.freezer(limited());
    await whileAhead(freezer, COLD);
    expect(await server.road.setBack(now())).toEqual({ services: 1, aheadMs: expect.any(Number) });
    await lab.advance(minutes(15) - seconds(1));
    expect(await stateOf(freezer)).toMatchObject({ isStale: false });
    await lab.advance(seconds(1));
    expect(await stateOf(freezer)).toMatchObject({ isStale: true });
  });

  test('those that only the wrong clock took for stale are back within a minute', async () => {
    const freezer = await lab.freezer(limited());
    await freezer.reads(COLD);
    server.clock.advance(aheadMs);
    await lab.advance(0);
    expect(await stateOf(freezer)).toMatchObject({ isStale: true });
    server.clock.advance(-aheadMs);
    await server.road.setBack(now());
    expect(await stateOf(freezer)).toMatchObject({ isStale: false });
    await lab.advance(minutes(15));
    expect(await stateOf(freezer)).toMatchObject({ isStale: true });
  });

  test('new limits judge by what is known, and what is due is due from now', async () => {
    const freezer = await lab.freezer();
    await whileAhead(freezer, HOT);
    await lab.apply({ name: `Freezer of ${freezer.device}`, device: { key: freezer.device }, ...limited(5) });
    await lab.advance(minutes(5));
    expect(await stateOf(freezer)).toMatchObject({ severity: 'critical' });
  });
});

test('where all is well nothing is set back', async () => {
  const freezer = await lab.freezer(limited());
  await freezer.reads(COLD);
  await server.road.setBack(now());
  server.clock.advance(seconds(1));
  expect(await server.road.setBack(now())).toBeNull();
});

describe('two programs whose clocks differ by five minutes', () => {
  let behind: TestServer;
  beforeAll(async () => {
    behind = await startServerOn(server.db);
  });
  const otherReads = (freezer: Freezer, temperature: number, time?: number) => {
    behind.clock.advance(now().getTime() - minutes(5) - behind.clock.read().getTime());
    return fetch(`${behind.url}/api/v1/telemetry`, {
      method: 'POST',
      headers: { authorization: `Bearer ${lab.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ device: freezer.device, time, values: { temperature } }),
    });
  };

  test.each([
    ['dated by the programs', () => undefined],
    ['dated by the device', () => now().getTime()],
  ])('judge what arrives, in the order it arrives: %s', async (_, time) => {
    const freezer = await lab.freezer(limited());
    const severities: unknown[] = [];
    for (const [isOther, temperature] of [
      [false, COLD],
      [true, HOT],
      [false, COLD],
      [true, COLD],
      [false, HOT],
      [true, COLD],
    ] as const) {
      server.clock.advance(seconds(10));
      const answer = isOther
        ? await otherReads(freezer, temperature, time())
        : await freezer.reads(temperature);
      expect(await answer.json()).toMatchObject({ accepted: 1 });
      severities.push(((await stateOf(freezer)) as { severity: string }).severity);
    }
    expect(severities).toEqual(['normal', 'critical', 'normal', 'normal', 'critical', 'normal']);
  });

  test('history that comes in by one does not disturb what the other knows', async () => {
    const freezer = await lab.freezer(limited());
    await freezer.reads(COLD);
    server.clock.advance(minutes(6));
    await freezer.reads(COLD);
    await otherReads(freezer, HOT, now().getTime() - hours(3));
    expect(await stateOf(freezer)).toMatchObject({ severity: 'normal', isStale: false });
  });
});

describe('messages that were dated by a clock ahead are sent when it was set right', () => {
  const AHEAD = hours(24);
  const minutePasses = async () => {
    await server.road.setBack(now());
    await setBackLetters(server.db, now());
  };

  test('what was raised and not yet told', async () => {
    const desk = await openDeliveryDesk(server);
    const { device } = await desk.freezer();
    server.clock.advance(AHEAD);
    // Its own clock is right, so that only the message is dated ahead.
    await desk.lab.post({ device, time: now().getTime() - AHEAD, values: { temperature: HOT } });
    server.clock.advance(-AHEAD);
    await minutePasses();
    await desk.strike();
    await desk.strike(seconds(3));
    expect(desk.postbox.tellAll()).toEqual(['cold@lab.example: Freezer 1']);
  });

  test('what was decided and waits for its letter', async () => {
    const desk = await openDeliveryDesk(server);
    const freezer = await desk.freezer();
    server.clock.advance(AHEAD);
    await freezer.warms();
    await desk.decide();
    server.clock.advance(-AHEAD);
    await minutePasses();
    await desk.strike(seconds(3));
    expect(desk.postbox.tellAll()).toEqual(['cold@lab.example: Freezer 1']);
  });

  test('what a program held that was killed', async () => {
    const desk = await openDeliveryDesk(server);
    const freezer = await desk.freezer();
    server.clock.advance(AHEAD);
    await freezer.warms();
    await desk.decide();
    server.clock.advance(seconds(3));
    await formLetters(server.db, now());
    const room = createLanes().room();
    expect((await claimLetters(server.db, room, seconds(40), now())).letters).not.toEqual([]);
    server.clock.advance(-AHEAD);
    await minutePasses();
    await desk.strike(seconds(3));
    expect(desk.postbox.tellAll()).toEqual(['cold@lab.example: Freezer 1']);
  });

  test('what comes after a storm', async () => {
    const desk = await openDeliveryDesk(server);
    const [last, ...storm] = await desk.freezers(8);
    server.clock.advance(AHEAD);
    await desk.warmAll(storm);
    await desk.strike();
    await desk.strike(seconds(3));
    const toldBefore = desk.postbox.arrivals.length;
    server.clock.advance(-AHEAD);
    await last?.warms();
    await minutePasses();
    await desk.strike();
    await desk.strike(seconds(31));
    expect(desk.postbox.arrivals.length).toBeGreaterThan(toldBefore);
  });
});
