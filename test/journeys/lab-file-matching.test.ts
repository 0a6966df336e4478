// Which stored service an entry of a lab file means.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LabFileDesk, openLabFileDesk } from '../support/lab-file.ts';

let desk: LabFileDesk;
beforeEach(async () => {
  desk = await openLabFileDesk();
});
afterEach(() => desk.db.close());

const services = (...entries: string[]) =>
  `organizations:\n  - name: Lab\n    services:\n${entries.map((entry) => `      - { ${entry} }\n`).join('')}`;

/** Every service as `id name key device`. */
const stored = async () => {
  const rows = await desk.rows<{ line: string }>(`
    select concat_ws(' ', service.id, name, coalesce(service.key, '-'), coalesce(device.key, '-')) as line
    from service left join device on service_id = service.id order by service.id`);
  return rows.map(({ line }) => line);
};

describe('an entry means', () => {
  test.each<[what: string, before: string[], after: string[], result: string[]]>([
    ['the service with its key, whatever the name', ['name: A, key: k'], ['name: B, key: k'], ['1 B k -']],
    [
      'the service with its device, which gets the key',
      ['name: A, device: { key: d }'],
      ['name: B, key: k, device: { key: D }'],
      ['1 B k d'],
    ],
    [
      'the service of its name, which gets key and device',
      ['name: A'],
      ['name: A, key: k, device: { key: d }'],
      ['1 A k d'],
    ],
    [
      'by key before device',
      ['name: A, key: k', 'name: B, device: { key: d }'],
      ['name: A, key: k'],
      ['1 A k -', '2 B - d'],
    ],
    [
      'by device before name',
      ['name: A', 'name: B, device: { key: d }'],
      ['name: A, device: { key: d }'],
      ['1 A - -', '2 A - d'],
    ],
    [
      'not a service of its name that has another key',
      ['name: A, key: k'],
      ['name: A, key: l'],
      ['1 A k -', '2 A l -'],
    ],
    [
      'not a service of its name that has another device',
      ['name: A, device: { key: d }'],
      ['name: A, device: { key: e }'],
      ['1 A - d', '2 A - e'],
    ],
    [
      'the service of its name when it has nothing else, whatever that has',
      ['name: A, key: k, device: { key: d }'],
      ['name: A'],
      ['1 A k d'],
    ],
    [
      'the one of two that the other entry does not mean',
      ['name: A, key: k', 'name: A'],
      ['name: A, key: k', 'name: A, stale_after_minutes: 3'],
      ['1 A k -', '2 A - -'],
    ],
    [
      'the unnamed one first, when a newcomer shares its name',
      ['name: A'],
      ['name: A, key: k', 'name: A'],
      ['1 A - -', '2 A k -'],
    ],
  ])('%s', async (_, before, after, result) => {
    await desk.apply(services(...before));
    await desk.apply(services(...after));
    expect(await stored()).toEqual(result);
    expect((await desk.apply(services(...after))).changes).toEqual([]);
  });

  test('nothing certain when two services have its name: a key is asked for', async () => {
    await desk.apply(services('name: A, key: k', 'name: A, key: l'));
    expect(await desk.refuse(services('name: A'))).toEqual([
      '4:17 organizations[0].services[0].name: 2 services are named "A": give the key or the device of the one that is meant',
    ]);
  });
});

describe('devices', () => {
  test('one that reported before anybody adopted it is adopted', async () => {
    await desk.apply('organizations: [{ name: Lab }]');
    await desk.rows(`
      insert into device (organization_id, key, first_seen_at, created_at) values (1, '0A', '2026-11-01', '2026-11-01')`);
    await desk.apply(services('name: A, device: { key: "0a" }'));
    expect(await desk.rows('select key, service_id, first_seen_at from device')).toEqual([
      { key: '0A', service_id: 1, first_seen_at: new Date('2026-11-01T00:00:00Z') },
    ]);
  });

  test('a replaced one is released and stays known', async () => {
    await desk.apply(services('name: A, key: k, device: { key: old, uplink_interval_minutes: 5 }'));
    await desk.apply(services('name: A, key: k, device: { key: new }'));
    expect(
      await desk.rows('select key, service_id, uplink_interval_minutes from device order by id'),
    ).toEqual([
      { key: 'old', service_id: null, uplink_interval_minutes: 5 },
      { key: 'new', service_id: 1, uplink_interval_minutes: null },
    ]);
    await desk.apply(services('name: A, key: k, device: { key: old }'));
    expect(await desk.rows('select key, service_id from device order by id')).toEqual([
      { key: 'old', service_id: 1 },
      { key: 'new', service_id: null },
    ]);
  });

  test('two services swap theirs', async () => {
    await desk.apply(
      services('name: A, key: a, device: { key: d1 }', 'name: B, key: b, device: { key: d2 }'),
    );
    const swapped = services('name: A, key: a, device: { key: d2 }', 'name: B, key: b, device: { key: d1 }');
    expect((await desk.apply(swapped)).changes).toEqual([
      '~ service Lab/A: device "d1" -> "d2"',
      '~ service Lab/B: device "d2" -> "d1"',
    ]);
    expect(await stored()).toEqual(['1 A a d2', '2 B b d1']);
  });

  test('one of another service is refused', async () => {
    await desk.apply(services('name: A, key: a, device: { key: d1 }', 'name: B, key: b'));
    const before = await desk.snapshot();
    const wanted = services('name: B, key: b, device: { key: D1 }', 'name: C, key: c');
    expect(await desk.refuse(wanted)).toEqual([
      '4:43 organizations[0].services[0].device.key: this device belongs to service "A"',
    ]);
    expect(await desk.snapshot()).toEqual(before);
  });
});

test('the ids of services that share a name go by key or device', async () => {
  const { ids } = await desk.apply(
    services('name: A, key: k1', 'name: A, device: { key: d2 }', 'name: A, key: k3, device: { key: d3 }'),
  );
  expect(ids.services).toEqual({ 'Lab/A': 1, 'Lab/d2': 2, 'Lab/k3': 3 });
});

test('two organizations are sealed off: the same names are different things', async () => {
  const organization = (name: string) => `
  - name: ${name}
    sources: [{ name: gateway, secret: secret of ${name} lab }]
    groups: [{ name: Cold, emails: [cold@lab.example] }]
    services:
      - { name: A, key: k, asset: X, location: Room 1, device: { key: d }, notifications: { group: Cold } }`;
  const { ids } = await desk.apply(`organizations:${organization('One')}${organization('Two')}`);
  expect(ids).toEqual({
    organizations: { One: 1, Two: 2 },
    accounts: {},
    groups: { 'One/Cold': 1, 'Two/Cold': 2 },
    services: { 'One/A': 1, 'Two/A': 2 },
  });
  expect(
    await desk.rows('select service_id, notification_group_id from service_settings order by 1'),
  ).toEqual([
    { service_id: 1, notification_group_id: 1 },
    { service_id: 2, notification_group_id: 2 },
  ]);
  expect(await desk.rows('select organization_id, service_id from device order by 1')).toEqual([
    { organization_id: 1, service_id: 1 },
    { organization_id: 2, service_id: 2 },
  ]);

  const one = await desk.apply(`organizations:${organization('One').replace('name: A,', 'name: B,')}`);
  expect(one.changes).toEqual(['~ service One/B: name "A" -> "B"']);
  expect(await stored()).toEqual(['1 B k d', '2 A k d']);
});
