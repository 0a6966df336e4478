// A freezer with a probe inside and a contact at its door: two devices, one service.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { packInbox } from '../../src/engine/packing/pack-inbox.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
let lab: Lab;
let ada: VisitorBrowser;
let freezer: ServiceId;
let [probe, contact] = ['', ''];
let labs = 0;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  lab = await openLab(server);
  ada = await signedIn(server, lab.ada);
  labs += 1;
  [probe, contact] = [`probe-${labs}`, `contact-${labs}`];
  freezer = await lab.apply({
    ...FREEZER,
    devices: [
      { key: probe, uplink_interval_minutes: 5 },
      { key: contact, uplink_interval_minutes: 60 },
    ],
  });
});

const FREEZER = {
  name: 'Freezer',
  channels: [{ name: 'temperature', label: 'Temperature', unit: '°C', kind: 'metric' }],
  limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
};
const says = async (device: string, values: Record<string, unknown>) => {
  const time = server.clock.read().getTime();
  return (await lab.post([{ device, time, values }])).json();
};
const stored = async () =>
  (await listStored(server.db, freezer)).map(({ name, value }) => [name, value]).sort();
const alarm = async () => (await lab.alarms()).find(({ service_id }) => service_id === freezer);
/** A minute at a time, with what comes meanwhile. */
const pass = async (count: number, report: () => Promise<unknown> = async () => {}) => {
  for (let minute = 0; minute < count; minute += 1) {
    await lab.advance(minutes(1));
    await report();
  }
};
const idOf = async (key: string) =>
  (await server.db.query<{ id: number }>(sql`select id from device where key = ${key}`))[0]?.id ?? 0;
const assign = async (key: string, from: number | null, to: number | null) =>
  ada.send(`/settings/devices/${await idOf(key)}/assign`, {
    service_id: String(to ?? ''),
    seen_service_id: String(from ?? ''),
  });

describe('what each of them says', () => {
  test('is kept for the one service, and two that call something the same stay apart', async () => {
    await says(probe, { temperature: -80, battery: 97 });
    await says(contact, { door: false, battery: 45 });
    await pass(1);
    // In one post, and the other way round.
    const time = server.clock.read().getTime();
    const answer = await lab.post([
      { device: contact.toUpperCase(), time, values: { door: true, battery: 44 } },
      { device: probe, time, values: { temperature: -79, battery: 96 } },
    ]);
    expect(await answer.json()).toEqual({ accepted: 4, duplicates: 0, rejected: [] });
    expect(await stored()).toEqual([
      ['battery', 96],
      ['battery', 97],
      [`battery@${contact}`, 44],
      [`battery@${contact}`, 45],
      ['door', 0],
      ['door', 1],
      ['temperature', -79],
      ['temperature', -80],
    ]);
  });

  test('also when both say it for the first time at once', async () => {
    const time = server.clock.read().getTime();
    await lab.post([
      { device: probe, time, values: { battery: 97 } },
      { device: contact, time, values: { battery: 45 } },
    ]);
    expect(await stored()).toEqual([
      ['battery', 97],
      [`battery@${contact}`, 45],
    ]);
  });

  test('a channel of the one that goes is free for the one that comes in its place', async () => {
    await says(probe, { temperature: -80 });
    await says(contact, { door: false });
    await pass(1, () => says(`new-${probe}`, { temperature: -81 }));
    expect((await assign(probe, freezer, null)).status).toBe(303);
    await pass(1);
    expect((await assign(`new-${probe}`, null, freezer)).status).toBe(303);
    await pass(1, () => says(`new-${probe}`, { temperature: -82 }));
    expect(await stored()).toEqual([
      ['door', 0],
      ['temperature', -80],
      ['temperature', -81],
      ['temperature', -82],
    ]);
  });

  test('what the only device said before stays its own when another one joins', async () => {
    const lonely = await lab.apply({ name: 'Incubator', device: { key: `only-${labs}` } });
    await says(`only-${labs}`, { battery: 97 });
    // As it was stored before there could be several.
    await server.db.query(sql`update channel set device_id = null where service_id = ${lonely}`);
    await lab.post([{ device: `second-${labs}`, values: { battery: 20 } }]);
    expect((await assign(`second-${labs}`, null, lonely)).status).toBe(303);
    const names = (await listStored(server.db, lonely)).map(({ name, value }) => [name, value]);
    expect(names.sort()).toEqual([
      ['battery', 97],
      [`battery@second-${labs}`, 20],
    ]);
  });
});

describe('silence', () => {
  test('of the probe raises an alarm though the contact talks on', async () => {
    await says(probe, { temperature: -80 });
    await pass(12, () => says(contact, { door: false }));
    await lab.advance(minutes(6));
    expect(await alarm()).toMatchObject({ channel: 'temperature_fault', severity: 'warning' });
    const page = await ada.read(`/services/${freezer}`);
    expect(page).toMatch(new RegExp(`Nothing has come from ${probe} since`));
    expect(page).toContain('Device, silent');
    expect(page).not.toMatch(new RegExp(`Nothing has come from ${contact}`));
    await says(probe, { temperature: -80 });
    expect(await alarm()).toBeUndefined();
  });

  test('of one that reports seldom is none, as long as it is not too long', async () => {
    await lab.apply({
      ...FREEZER,
      device: { key: probe },
      limits: [...FREEZER.limits, { channel: 'humidity', bands: { CRITICAL_HIGH: { limit: 90 } } }],
    });
    await says(contact, { humidity: 40 });
    await pass(110, () => says(probe, { temperature: -80 }));
    expect(await alarm()).toBeUndefined();
    // What was packed meanwhile changes nothing.
    await packInbox(server.db, server.clock.read());
    await pass(20, () => says(probe, { temperature: -80 }));
    expect(await alarm()).toMatchObject({ channel: 'humidity_fault' });
  });

  test('of both makes the service stale after twice the shorter interval', async () => {
    await says(contact, { door: false });
    await says(probe, { temperature: -80 });
    await pass(9);
    expect(await alarm()).toBeUndefined();
    await pass(2);
    expect(await alarm()).toMatchObject({ severity: 'stale' });
  });
});

describe('the lab file', () => {
  const devicesOf = async (id: ServiceId) =>
    (
      await server.db.query<{ key: string; minutes: number | null }>(sql`
        select key, uplink_interval_minutes as minutes from device where service_id = ${id} order by key`)
    ).map(({ key, minutes }) => [key, minutes]);

  test('lists them; those that it leaves out go, and the same once more changes nothing', async () => {
    expect(await devicesOf(freezer)).toEqual([
      [contact, 60],
      [probe, 5],
    ]);
    const same = await lab.apply({ ...FREEZER, devices: [{ key: contact }, { key: probe.toUpperCase() }] });
    expect(same).toBe(freezer);
    expect(await devicesOf(freezer)).toHaveLength(2);
    await lab.apply({ ...FREEZER, devices: [{ key: contact, uplink_interval_minutes: 30 }] });
    expect(await devicesOf(freezer)).toEqual([[contact, 30]]);
  });

  test('that knows of one of them leaves the others alone', async () => {
    expect(await lab.apply({ ...FREEZER, device: { key: probe } })).toBe(freezer);
    expect(await devicesOf(freezer)).toHaveLength(2);
    await lab.apply({ ...FREEZER, device: null });
    expect(await devicesOf(freezer)).toEqual([]);
  });

  test('two services may swap one of theirs', async () => {
    const other = await lab.apply({ name: 'Other', key: 'other', devices: [{ key: `third-${labs}` }] });
    await lab.apply({ ...FREEZER, key: 'freezer', devices: [{ key: probe }, { key: contact }] });
    await lab.applyAll([
      { ...FREEZER, key: 'freezer', devices: [{ key: probe }, { key: `third-${labs}` }] },
      { name: 'Other', key: 'other', devices: [{ key: contact }] },
    ]);
    expect((await devicesOf(freezer)).map(([key]) => key)).toEqual([probe, `third-${labs}`]);
    expect((await devicesOf(other)).map(([key]) => key)).toEqual([contact]);
  });

  test.each([
    [{ device: { key: 'a' }, devices: [{ key: 'b' }] }, 'give either device or devices'],
    [{ devices: [{ key: 'a' }, { key: 'A' }] }, 'is already given'],
  ])('%j is refused', async (lines, words) => {
    await expect(lab.apply({ name: 'Wrong', ...lines })).rejects.toThrow(words);
  });
});

test('the pages list them', async () => {
  await says(probe, { temperature: -80 });
  await says(contact, { door: false });
  const settings = await ada.read(`/settings/services/${freezer}`);
  expect(settings).toContain(probe);
  expect(settings).toContain(contact);
  expect(await ada.read(`/settings/services?q=${contact}`)).toContain('Freezer');
  expect(await ada.read(`/services/${freezer}`)).toContain(contact);
});
