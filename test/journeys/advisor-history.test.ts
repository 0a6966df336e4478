// What the advisor looks at: the stored readings, few or many, and what is on record as not normal.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { readHistories } from '../../src/engine/advice/read-histories.ts';
import { selectIgnored } from '../../src/engine/advice/select-ignored.ts';
import { setDowntime } from '../support/equipment.ts';
import { storeReadings } from '../support/history.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const DAY = hours(24);

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  lab = await openLab(server);
});

const now = () => server.clock.read().getTime();
const lastDays = (days: number) => ({ from: new Date(now() - days * DAY), to: new Date(now() + 1) });

describe('readings', () => {
  const channelsOf = (id: ServiceId) =>
    server.db.query<{ id: number; name: string }>(sql`
      select id, name from channel where service_id = ${id} order by name`);
  const openService = async () => {
    const { id } = await lab.freezer({
      channels: [
        { name: 'a', kind: 'metric' },
        { name: 'b', kind: 'setpoint' },
      ],
    });
    return { id, channels: await channelsOf(id) };
  };
  const listPoints = ({ at, value }: { at: Float64Array; value: Float64Array }) =>
    [...at].map((each, index) => [(each - now()) / minutes(1), value[index]]);

  test('few: each one, in order, across weeks, inside the span alone', async () => {
    const { id, channels } = await openService();
    await storeReadings(server, id, { channel: 'a', count: 20, everyMs: DAY, value: (index) => index });
    const found = await readHistories(server.db, { serviceId: id, channels, related: [], ...lastDays(16) });
    expect(found.readings).toBe(17);
    expect(listPoints(found.byChannel.get('a') as never)).toEqual(
      Array.from({ length: 17 }, (_, index) => [(index - 16) * 1440, index + 3]),
    );
    expect(found.byChannel.get('b')?.at).toHaveLength(0);
  });

  test('the last value before the span counts for related channels only', async () => {
    const { id, channels } = await openService();
    for (const channel of ['a', 'b'])
      await storeReadings(server, id, { channel, count: 3, everyMs: 10 * DAY, value: (index) => index });
    const related = channels.filter(({ name }) => name === 'b');
    const found = await readHistories(server.db, { serviceId: id, channels, related, ...lastDays(5) });
    expect(listPoints(found.byChannel.get('a') as never)).toEqual([[0, 2]]);
    expect(listPoints(found.byChannel.get('b') as never)).toEqual([
      [-14_400, 1],
      [0, 2],
    ]);
    expect(found.readings).toBe(2);
  });

  test('many: the lowest and the highest of each step, nothing lost of the extremes', async () => {
    const { id, channels } = await openService();
    const count = hours(2) / seconds(10);
    const spike = (index: number) => (index === 300 ? 50 : index === 301 ? -50 : index % 6);
    await storeReadings(server, id, { channel: 'a', count, everyMs: seconds(10), value: spike });
    const request = { serviceId: id, channels, related: [], ...lastDays(1 / 12) };
    const found = await readHistories(server.db, request, 600);
    expect(found.readings).toBe(count);
    const { at, value } = found.byChannel.get('a') as { at: Float64Array; value: Float64Array };
    expect(at.length).toBeLessThanOrEqual(600);
    expect(at.length).toBeGreaterThan(200);
    expect([...at]).toEqual([...at].sort((one, other) => one - other));
    expect([Math.min(...value), Math.max(...value)]).toEqual([-50, 50]);
  });

  test('the more is looked at, the longer the steps', async () => {
    const { id, channels } = await openService();
    await storeReadings(server, id, { channel: 'a', count: 3_000, value: (index) => index });
    const request = { serviceId: id, channels, related: [], ...lastDays(3) };
    const points = async (most: number) =>
      (await readHistories(server.db, request, most)).byChannel.get('a')?.at.length ?? 0;
    expect(await points(3_000)).toBe(3_000);
    expect(await points(2_999)).toBeLessThanOrEqual(1_204);
    expect(await points(100)).toBeLessThanOrEqual(100);
  });
});

describe('not normal', () => {
  const ignoredOf = async (serviceId: ServiceId, channel = 'temperature') => {
    const spans = await selectIgnored(server.db, {
      serviceId,
      channel,
      ...lastDays(30),
      to: new Date(now()),
    });
    return spans.map(({ from, to }) => [(from - now()) / hours(1), (to - now()) / hours(1)]);
  };
  const limits = [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }];

  test('downtimes that touch the time looked at', async () => {
    const { id } = await lab.freezer();
    const freezer = { id, name: '' };
    await setDowntime(server, freezer, -hours(50), -hours(48));
    await setDowntime(server, freezer, -hours(24), hours(24));
    await setDowntime(server, freezer, -31 * DAY, -30 * DAY - 1);
    expect(await ignoredOf(id)).toEqual([
      [-50, -48],
      [-24, 24],
    ]);
  });

  test('rare alarms of the channel, one that runs up to now', async () => {
    const freezer = await lab.freezer({ limits });
    await freezer.reads(-50);
    await lab.advance(hours(3));
    await freezer.reads(-80);
    await lab.advance(hours(1));
    await freezer.reads(-50);
    await lab.advance(hours(2));
    expect(await ignoredOf(freezer.id)).toEqual([
      [-6, -3],
      [-2, 0],
    ]);
    expect(await ignoredOf(freezer.id, 'humidity')).toEqual([]);
  });

  test('alarms that come often are how the equipment works', async () => {
    const freezer = await lab.freezer({ limits });
    for (let count = 0; count < 5; count += 1) {
      await freezer.reads(-50);
      await lab.advance(minutes(10));
      await freezer.reads(-80);
      await lab.advance(minutes(10));
    }
    expect(await ignoredOf(freezer.id)).toEqual([]);
  });

  test('an alarm that lasts for days is a wrong limit, not an excursion', async () => {
    const freezer = await lab.freezer({ limits });
    await freezer.reads(-50);
    await lab.advance(4 * DAY);
    expect(await ignoredOf(freezer.id)).toEqual([]);
  });
});
