// What a changed lab file changes, and what it leaves alone.
import sql from 'sql-template-tag';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyPassword } from '../../src/platform/auth/password.ts';
import { hashSourceSecret } from '../../src/platform/auth/source-secret.ts';
import { type LabFileDesk, openLabFileDesk } from '../support/lab-file.ts';

let desk: LabFileDesk;
beforeEach(async () => {
  desk = await openLabFileDesk();
});
afterEach(() => desk.db.close());

const lab = (body: string) => `organizations:\n  - name: Lab\n${body.replaceAll(/^/gm, '    ')}\n`;
const service = (body: string) => lab(`services:\n  - name: Freezer\n${body.replaceAll(/^/gm, '    ')}`);

describe('accounts', () => {
  const vera = (fields: string) => `accounts: [{ email: vera@lab.example, ${fields} }]`;
  const account = async () => (await desk.rows<Record<string, unknown>>('select * from account'))[0];

  test('a new one gets the defaults', async () => {
    await desk.apply(vera('name: Vera'));
    expect(await account()).toMatchObject({
      timezone: 'UTC',
      password_hash: null,
      is_active: true,
      token_generation: 1,
    });
  });

  test('what an entry leaves out stays as it is', async () => {
    await desk.apply(vera('name: Vera, timezone: Europe/Berlin, password: first password, active: false'));
    const before = await account();
    expect((await desk.apply('accounts: [{ email: " VERA@lab.example " }]')).changes).toEqual([]);
    expect(await account()).toEqual(before);
  });

  test.each([
    ['a name', 'name: Vera K.', 'name "Vera" -> "Vera K."', 1],
    ['a time zone', 'name: Vera, timezone: Asia/Tokyo', 'timezone "UTC" -> "Asia/Tokyo"', 1],
    ['a password', 'name: Vera, password: second password', 'new password', 2],
    ['a deactivation', 'name: Vera, active: false', 'deactivated', 2],
  ])('%s changes', async (_, fields, change, generation) => {
    await desk.apply(vera('name: Vera, password: first password'));
    expect((await desk.apply(vera(fields))).changes).toEqual([`~ account vera@lab.example: ${change}`]);
    expect((await account())?.token_generation).toBe(generation);
    expect((await desk.apply(vera(fields))).changes).toEqual([]);
  });

  test('a password for an account that had none', async () => {
    await desk.apply(vera('name: Vera'));
    await desk.apply(vera('password: first password'));
    expect(await verifyPassword((await account())?.password_hash as string, 'first password')).toBe(true);
  });
});

describe('members, sources and groups', () => {
  const people =
    'accounts: [{ email: vera@lab.example, name: Vera }, { email: ada@lab.example, name: Ada }]\n';

  test('a PIN for answers by phone is asked for, or not; left out, it stays', async () => {
    const isAsked = () => desk.rows('select phone_pin_required as "is" from organization');
    expect((await desk.apply(lab('phone_pin_required: true'))).changes).toEqual([
      '+ organization Lab',
      '~ organization Lab: phone_pin_required false -> true',
    ]);
    expect((await desk.apply(lab('phone_pin_required: true'))).changes).toEqual([]);
    expect((await desk.apply(lab('members: []'))).changes).toEqual([]);
    expect(await isAsked()).toEqual([{ is: true }]);
    expect((await desk.apply(lab('phone_pin_required: false'))).changes).toHaveLength(1);
    expect(await isAsked()).toEqual([{ is: false }]);
    expect(await desk.refuse(lab('phone_pin_required: "yes"'))).toHaveLength(1);
  });

  test('a role changes; a member missing from the file stays', async () => {
    await desk.apply(
      `${people}${lab('members: [{ email: vera@lab.example, role: viewer }, { email: ada@lab.example, role: operator }]')}`,
    );
    const { changes, ids } = await desk.apply(
      lab('members: [{ email: vera@lab.example, role: administrator }]'),
    );
    expect(changes).toEqual(['~ member Lab/vera@lab.example: viewer -> administrator']);
    expect(ids.accounts).toEqual({ 'vera@lab.example': 1 });
    expect(await desk.rows('select role from membership order by account_id')).toEqual([
      { role: 'administrator' },
      { role: 'operator' },
    ]);
  });

  test('a source gets a kind and settings; what the file does not mention stays', async () => {
    await desk.apply(lab('sources: [{ name: gateway, secret: the first secret! }]'));
    const settings = '{ clock: receipt, units: { temperature: °F }, invert: [contact] }';
    const { changes } = await desk.apply(
      lab(`sources: [{ name: gateway, kind: influx, settings: ${settings} }]`),
    );
    expect(changes).toEqual(['~ source Lab/gateway: kind tocsin -> influx, settings']);
    expect((await desk.apply(lab('sources: [{ name: gateway, kind: influx }]'))).changes).toEqual([]);
    expect(await desk.rows('select kind, settings from source')).toEqual([
      {
        kind: 'influx',
        settings: { clock: 'receipt', units: { temperature: '°F' }, invert: ['contact'] },
      },
    ]);
  });

  test('a secret changes; a source without one in the file keeps its own', async () => {
    await desk.apply(lab('sources: [{ name: gateway, secret: the first secret! }]'));
    const { changes } = await desk.apply(lab('sources: [{ name: gateway, secret: the second secret }]'));
    expect(changes).toEqual(['~ source Lab/gateway: new secret']);
    expect((await desk.apply(lab('sources: [{ name: gateway }]'))).changes).toEqual([]);
    expect(await desk.rows('select secret_hash from source')).toEqual([
      { secret_hash: hashSourceSecret('the second secret') },
    ]);
  });

  test('the secret of a webhook changes, and stays where the file leaves it out', async () => {
    const pager = (secret: string) =>
      lab(
        `groups: [{ name: Team, webhooks: [{ kind: pagerduty, url: "https://pager.example/v2"${secret} }] }]`,
      );
    await desk.apply(pager(', secret: first-key'));
    const { changes } = await desk.apply(pager(', secret: second-key'));
    expect(changes).toEqual(['~ group Lab/Team: webhook pagerduty at pager.example: new secret']);
    expect((await desk.apply(pager(''))).changes).toEqual([]);
    expect(await desk.rows('select secret from notification_group_webhook')).toEqual([
      { secret: 'second-key' },
    ]);
  });

  test('recipients are added to a group and never taken away', async () => {
    const members = 'members: [{ email: vera@lab.example, role: viewer }]\n';
    await desk.apply(`${people}${lab(`${members}groups: [{ name: Cold, emails: [a@lab.example] }]`)}`);
    const { changes } = await desk.apply(
      lab('groups: [{ name: Cold, emails: [b@lab.example], accounts: [vera@lab.example] }]'),
    );
    expect(changes).toEqual([
      '~ group Lab/Cold: + email b@lab.example',
      '~ group Lab/Cold: + account vera@lab.example',
    ]);
    expect(await desk.rows('select email from notification_group_email order by email')).toEqual([
      { email: 'a@lab.example' },
      { email: 'b@lab.example' },
    ]);
  });
});

describe('services', () => {
  test('a new one gets the defaults of the contract', async () => {
    await desk.apply(service('channels: [{ name: t }, { name: battery }]'));
    expect(await desk.rows('select * from service_settings')).toEqual([
      {
        service_id: 1,
        organization_id: 1,
        metric_channel: null,
        stale_after_minutes: 15,
        notification_group_id: null,
        send_critical: false,
        send_warning: false,
        send_acknowledgements: false,
        send_recoveries: false,
        repeat_interval_minutes: 60,
        enable_system_notifications: false,
        system_notification_delay_minutes: 5,
      },
    ]);
    expect(await desk.rows('select label, unit, kind from channel order by id')).toEqual([
      { label: null, unit: null, kind: 'metric' },
      { label: null, unit: null, kind: 'diagnostic' },
    ]);
  });

  const FULL = `
groups: [{ name: Cold }, { name: Warm }]
services:
  - name: Freezer
    key: f
    asset: A1
    location: Room 1
    device: { key: dev-1, uplink_interval_minutes: 10 }
    channels: [{ name: t, label: Temperature, unit: °C, kind: metric }]
    notifications: { group: Cold, send_critical: true, repeat_interval_minutes: 30 }
    stale_after_minutes: 20`;

  test.each([
    ['the name', 'name: Freezer', 'name: Fridge', ['~ service Lab/Fridge: name "Freezer" -> "Fridge"']],
    ['the asset', 'asset: A1', 'asset: A2', ['+ asset Lab/A2', '~ service Lab/Freezer: asset "A1" -> "A2"']],
    [
      'no asset',
      'asset: A1\n    location: Room 1',
      'asset: null',
      ['~ service Lab/Freezer: asset "A1" -> none'],
    ],
    [
      'the location',
      'Room 1',
      'Room 2',
      ['+ location Lab/Room 2', '~ asset Lab/A1: location "Room 1" -> "Room 2"'],
    ],
    ['no location', 'location: Room 1', 'location: null', ['~ asset Lab/A1: location "Room 1" -> none']],
    ['the device', 'key: dev-1', 'key: dev-2', ['~ service Lab/Freezer: device "dev-1" -> "dev-2"']],
    ['no device', 'device: {.*}', 'device: null', ['~ service Lab/Freezer: device "dev-1" -> none']],
    [
      'the interval',
      'uplink_interval_minutes: 10',
      'uplink_interval_minutes: 2.5',
      ['~ service Lab/Freezer: uplink_interval_minutes 10 -> 2.5'],
    ],
    [
      'no interval',
      'uplink_interval_minutes: 10',
      'uplink_interval_minutes: null',
      ['~ service Lab/Freezer: uplink_interval_minutes 10 -> none'],
    ],
    ['a channel', 'unit: °C', 'unit: K', ['~ service Lab/Freezer: channel t: unit "°C" -> "K"']],
    [
      'another channel',
      'channels: \\[',
      'channels: [{ name: door, kind: state }, ',
      ['~ service Lab/Freezer: + channel door'],
    ],
    ['the group', 'group: Cold', 'group: Warm', ['~ service Lab/Freezer: group "Cold" -> "Warm"']],
    ['no group', 'group: Cold', 'group: null', ['~ service Lab/Freezer: group "Cold" -> none']],
    [
      'a flag',
      'send_critical: true',
      'send_critical: false',
      ['~ service Lab/Freezer: send_critical true -> false'],
    ],
    [
      'minutes',
      'stale_after_minutes: 20',
      'stale_after_minutes: 0',
      ['~ service Lab/Freezer: stale_after_minutes 20 -> 0'],
    ],
    ['archiving', 'key: f', 'key: f\n    archived: true', ['~ service Lab/Freezer: archived']],
  ])('%s changes, once', async (_, from, to, changes) => {
    await desk.apply(lab(FULL));
    const changed = lab(FULL.replace(new RegExp(from), to));
    expect((await desk.apply(changed)).changes).toEqual(changes);
    const before = await desk.snapshot();
    expect((await desk.apply(changed)).changes).toEqual([]);
    expect(await desk.snapshot()).toEqual(before);
    expect(await desk.rows('select count(*)::int from service')).toEqual([{ count: 1 }]);
  });

  test('what is missing from the file stays', async () => {
    await desk.apply(lab(FULL));
    const before = await desk.snapshot();
    const bare = [
      'services: [{ name: Freezer }]',
      'services: [{ name: Freezer, channels: [], limits: [] }]',
      'members: []',
    ];
    for (const body of bare) expect((await desk.apply(lab(body))).changes).toEqual([]);
    expect(await desk.snapshot()).toEqual(before);
  });

  test('a location without an asset makes one named like the service', async () => {
    const text = service('location: Room 1');
    await desk.apply(text);
    expect((await desk.apply(text)).changes).toEqual([]);
    expect(await desk.rows('select name from asset')).toEqual([{ name: 'Freezer' }]);
  });

  test('an edit that comes at the same moment keeps what the file says nothing about', async () => {
    await desk.apply(service('stale_after_minutes: 1'));
    let applying: Promise<unknown> = Promise.resolve();
    await desk.db.transaction(async (edit) => {
      await edit.query(sql`select from alarm_state for no key update`);
      applying = desk.apply(service('stale_after_minutes: 2'));
      await desk.untilSomebodyWaits();
      await edit.query(sql`update service_settings set send_warning = true, stale_after_minutes = 9`);
    });
    await applying;
    expect(await desk.rows('select stale_after_minutes, send_warning from service_settings')).toEqual([
      { stale_after_minutes: 2, send_warning: true },
    ]);
  });
});
