// Gateways that keep posting while people change what the readings are judged by.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { openRoad } from '../../src/engine/ingest/road.ts';
import { countTrips } from '../support/count-trips.ts';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { BLANK_EDIT } from '../support/limits-desk.ts';
import { STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { countStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { untilOthersAreGivenUp, untilSomebodyWaits } from '../support/waiting.ts';

const GATEWAYS = 8;

let server: TestServer;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
});

/** Each gateway posts its next reading as soon as the last one is answered, until the work is done. */
async function postBeside(device: string, work: () => Promise<void>) {
  let isOver = false;
  let sent = 0;
  const beginsAt = STORY_BEGINS_AT.getTime() - 60 * 60_000;
  const statuses = new Map<number, number>();
  const gateways = Array.from({ length: GATEWAYS }, async () => {
    while (!isOver) {
      sent += 1;
      const answer = await lab.post({ device, time: beginsAt + sent, values: { temperature: 20 } });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  });
  await work().finally(() => {
    isOver = true;
  });
  await Promise.all(gateways);
  expect([...statuses.keys()]).toEqual([200]);
  return sent;
}

const countReadings = (serviceIds: ServiceId[]) => countStored(server.db, serviceIds);

test('edits of the limits cost no reading, and the last reading is judged by the last limits', async () => {
  const freezer = await lab.freezer();
  const edit = async (limit: number) => {
    const form = { ...BLANK_EDIT, ch_high: String(limit) };
    expect((await lab.ada.post(`/api/v1/services/${freezer.id}/edit`, form)).status).toBe(303);
  };
  const sent = await postBeside(freezer.device, async () => {
    for (let limit = 45; limit > 30; limit -= 1) await edit(limit);
    await edit(19);
  });
  expect(await countReadings([freezer.id])).toBe(sent);
  await freezer.reads(20);
  expect(await lab.alarms()).toMatchObject([
    { severity: 'critical', message: 'Temperature 20 °C is above the critical limit of 19 °C' },
  ]);
});

describe('a post that meets services which were edited since the last one', () => {
  /** As many round trips as `read` says went by. */
  const openCountedRoad = () => {
    const { db, read } = countTrips(server.db);
    const road = openRoad({ db, clock: server.clock.read, retentionDays: 400 });
    const take = async (freezers: Freezer[], temperatures: number[], agoMs = 0) => {
      server.clock.advance(1000);
      const at = server.clock.read().getTime() - agoMs;
      const entries = freezers.map(({ device }, index) => ({
        index,
        target: { device },
        at,
        values: [['temperature', temperatures[index] ?? 0, false]] as [string, number, boolean][],
      }));
      const before = read();
      const post = { sourceId: null, organizationId: lab.organization, entries, rejected: [] };
      const outcome = await road.take(post, entries.length);
      return { outcome, trips: read() - before };
    };
    return { take };
  };
  const limitedTo = (limit: number) => ({
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit } } }],
  });
  const openFour = async () => [
    await lab.freezer(limitedTo(10)),
    await lab.freezer(limitedTo(10)),
    await lab.freezer(limitedTo(10)),
    await lab.freezer(limitedTo(10)),
  ];
  const edit = async (freezer: Freezer | undefined, limit: number) => {
    const form = { ...BLANK_EDIT, metric_channel: 'temperature', ch_high: String(limit) };
    expect((await lab.ada.post(`/api/v1/services/${freezer?.id}/edit`, form)).status).toBe(303);
  };
  const idsInAlarm = async () => (await lab.alarms()).map(({ id }) => Number(id)).sort();

  test('judges those by their new limits, and does not do the others over', async () => {
    const road = openCountedRoad();
    const freezers = await openFour();
    await road.take(freezers, [0, 0, 0, 0]);
    expect(await road.take(freezers, [1, 1, 1, 1])).toMatchObject({ trips: 1 });
    await edit(freezers[3], 30);
    // The one message finds news, and stores nothing.
    const heard = await road.take(freezers, [2, 2, 2, 2]);
    expect(heard).toEqual({ outcome: { accepted: 4, duplicates: 0, rejected: [] }, trips: 4 });
    expect(await road.take(freezers, [1, 1, 1, 1])).toMatchObject({ trips: 1 });
    await edit(freezers[1], 4);
    await edit(freezers[2], 40);
    const answer = await road.take(freezers, [20, 5, 20, 20]);
    expect(answer).toEqual({ outcome: { accepted: 4, duplicates: 0, rejected: [] }, trips: 3 });
    expect(await idsInAlarm()).toEqual([freezers[0]?.id, freezers[1]?.id]);
    expect(await road.take(freezers, [0, 0, 0, 0])).toMatchObject({ trips: 2 });
    expect(await lab.alarms()).toEqual([]);
  });

  test('takes what is late and what was there already as it would have otherwise', async () => {
    const road = openCountedRoad();
    const freezers = await openFour();
    await road.take(freezers, [0, 0, 0, 0]);
    await edit(freezers[0], 4);
    const late = await road.take(freezers, [20, 20, 20, 20], 1500);
    expect(late).toEqual({ outcome: { accepted: 4, duplicates: 0, rejected: [] }, trips: 4 });
    await edit(freezers[0], 3);
    const doubled = await road.take(freezers, [20, 20, 20, 20], 2500);
    expect(doubled).toEqual({ outcome: { accepted: 0, duplicates: 4, rejected: [] }, trips: 4 });
    expect(await lab.alarms()).toEqual([]);
  });
});

test('a device that is handed to and fro loses no reading', async () => {
  const freezer = await lab.freezer({ key: 'one' });
  const other = await lab.apply({ key: 'two', name: 'Two', device: { key: 'spare' } });
  await postBeside(freezer.device, async () => {
    for (let count = 0; count < 20; count += 1) {
      const [first, second] = count % 2 ? [freezer.device, 'spare'] : ['spare', freezer.device];
      await lab.applyAll([
        { key: 'one', name: 'One', device: { key: first } },
        { key: 'two', name: 'Two', device: { key: second } },
      ]);
    }
  }).then(async (sent) => expect(await countReadings([freezer.id, other])).toBe(sent));
});

test('a post that the database gave up to end a deadlock is taken all the same', async () => {
  const one = await lab.freezer();
  const two = await lab.freezer();
  let attempts = 0;
  // A channel that joins writes the service's row.
  const both = () =>
    [one, two].map(({ device }) => ({ device, values: { temperature: -80, [`new${attempts}`]: 1 } }));
  await lab.post(both());
  let posted: Promise<Response> | undefined;
  await untilOthersAreGivenUp(async () => {
    await posted;
    attempts += 1;
    server.clock.advance(1000);
    await server.db.transaction(async (tx) => {
      const lock = (id: ServiceId) =>
        tx.query(sql`select from alarm_state where service_id = ${id} for no key update`);
      await lock(two.id);
      posted = lab.post(both());
      await untilSomebodyWaits(server.db);
      // Against the order of everybody else.
      await lock(one.id);
    });
  });
  const answer = await posted;
  expect(answer?.status).toBe(200);
  expect(await answer?.json()).toEqual({ accepted: 4, duplicates: 0, rejected: [] });
});
