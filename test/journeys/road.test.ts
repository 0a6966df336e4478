import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});

const LIMITS = (sustained = 0) => ({
  limits: [
    {
      channel: 'temperature',
      bands: { CRITICAL_HIGH: { limit: -60, sustained }, WARNING_HIGH: { limit: -65 } },
    },
  ],
});
const stateOf = async (serviceId: number) => {
  const [row] = await server.db.query(sql`
    select severity, channel, message, stale_since is not null as "isStale" from alarm_state where service_id = ${serviceId}`);
  return row;
};

describe('one reading on its way', () => {
  test('200 means stored, judged and visible', async () => {
    const freezer = await lab.freezer(LIMITS());
    const answer = await freezer.reads(-55.2);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
    expect(await stateOf(freezer.id)).toEqual({
      severity: 'critical',
      channel: 'temperature',
      message: 'Temperature -55.2 °C is above the critical limit of -60 °C',
      isStale: false,
    });
  });

  test('a sustained breach becomes active when its time is up, without a new reading', async () => {
    const freezer = await lab.freezer(LIMITS(5));
    await freezer.reads(-50);
    expect(await stateOf(freezer.id)).toMatchObject({ severity: 'warning' });
    await lab.advance(minutes(5) - seconds(1));
    expect(await stateOf(freezer.id)).toMatchObject({ severity: 'warning' });
    await lab.advance(seconds(1));
    expect(await stateOf(freezer.id)).toMatchObject({ severity: 'critical' });
    await freezer.reads(-80);
    expect(await stateOf(freezer.id)).toMatchObject({ severity: 'normal', channel: null });
    expect(
      await server.db.query(sql`
        select kind, from_severity as "from", to_severity as "to", value, limit_value as "limit" from alarm_event
        where service_id = ${freezer.id} order by id`),
    ).toEqual([
      { kind: 'raised', from: 'normal', to: 'warning', value: -50, limit: -65 },
      { kind: 'changed', from: 'warning', to: 'critical', value: -50, limit: -60 },
      { kind: 'recovered', from: 'critical', to: 'normal', value: -80, limit: null },
    ]);
  });

  test('stale is noticed, also of a service that never reported', async () => {
    const freezer = await lab.freezer(LIMITS());
    await lab.advance(minutes(15) - seconds(1));
    expect(await stateOf(freezer.id)).toMatchObject({ isStale: false });
    await lab.advance(seconds(1));
    expect(await stateOf(freezer.id)).toMatchObject({ severity: 'normal', isStale: true });
    await freezer.reads(-80);
    expect(await stateOf(freezer.id)).toMatchObject({ isStale: false });
    await lab.advance(minutes(15));
    expect(await stateOf(freezer.id)).toMatchObject({ isStale: true });
  });

  test('a retry of the same body changes nothing', async () => {
    const freezer = await lab.freezer(LIMITS());
    const readings = [
      { time: '2026-11-15T02:00:00Z', values: { temperature: -50 } },
      { time: '2026-11-15T02:01:00Z', values: { temperature: -80, door: true } },
    ];
    expect(await (await freezer.sends(...readings)).json()).toEqual({
      accepted: 3,
      duplicates: 0,
      rejected: [],
    });
    expect(await (await freezer.sends(...readings)).json()).toEqual({
      accepted: 0,
      duplicates: 3,
      rejected: [],
    });
  });
});
