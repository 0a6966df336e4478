import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { notSignedIn } from '../../src/domain/accounts/requester.ts';
import { signIn } from '../../src/engine/sign-in/sign-in.ts';
import { verifyPassword } from '../../src/platform/auth/password.ts';
import { hashSourceSecret } from '../../src/platform/auth/source-secret.ts';
import { createTokenSigner } from '../../src/platform/auth/token.ts';
import { projectRoot } from '../../src/platform/project-root.ts';
import { type LabFileDesk, openLabFileDesk } from '../support/lab-file.ts';
import { minutes } from '../support/movable-clock.ts';

/** One of each, as docs/lab-file.md explains it. */
const EXAMPLE = `
accounts:
  - { email: vera@lab.example, name: Vera, timezone: Europe/Berlin, password: "horse battery", active: true }
organizations:
  - name: Cell Biology
    members: [{ email: vera@lab.example, role: viewer }]        # viewer | operator | administrator
    sources: [{ name: gateway, secret: "a secret of some length" }]
    groups:  [{ name: Cold team, emails: [cold@lab.example], webhooks: [{ kind: slack, url: "https://hooks.example/T0/B0" }] }]
    services:
      - name: Freezer 1
        asset: ULT-0042
        location: Room 101            # may be left out
        device: { key: "0004a30b001c0530", uplink_interval_minutes: 10 }   # interval may be left out
        archived: false
        channels: [{ name: temperature, label: Temperature, unit: "°C", kind: metric }]
        limits:
          - channel: temperature      # or default
            is_percentage: false      # with setpoint_channel, state_channel
            bands: { CRITICAL_HIGH: { limit: -60, delay: 0, sustained: 5 } }
        notifications: { group: Cold team, send_critical: true, send_warning: true, send_acknowledgements: false,
                         send_recoveries: true, repeat_interval_minutes: 60,
                         enable_system_notifications: true, system_notification_delay_minutes: 5 }
        stale_after_minutes: 15
`;

let desk: LabFileDesk;
beforeEach(async () => {
  desk = await openLabFileDesk();
});
afterEach(() => desk.db.close());

describe('the example of the design', () => {
  test('is all there after it was applied', async () => {
    const { changes, ids } = await desk.apply(EXAMPLE);
    expect(changes).toEqual([
      '+ account vera@lab.example',
      '+ organization Cell Biology',
      '+ member Cell Biology/vera@lab.example: viewer',
      '+ source Cell Biology/gateway',
      '+ group Cell Biology/Cold team',
      '~ group Cell Biology/Cold team: + email cold@lab.example',
      '~ group Cell Biology/Cold team: + webhook slack at hooks.example',
      '+ location Cell Biology/Room 101',
      '+ asset Cell Biology/ULT-0042',
      '+ service Cell Biology/Freezer 1',
      '+ limits Cell Biology/Freezer 1/temperature: CRITICAL_HIGH -60 sustained 5',
    ]);
    expect(ids).toEqual({
      organizations: { 'Cell Biology': 1 },
      accounts: { 'vera@lab.example': 1 },
      groups: { 'Cell Biology/Cold team': 1 },
      services: { 'Cell Biology/Freezer 1': 1 },
    });

    const [account] = await desk.rows<{ password_hash: string }>('select * from account');
    expect(account).toMatchObject({ name: 'Vera', timezone: 'Europe/Berlin', is_active: true });
    expect(await verifyPassword(account?.password_hash ?? null, 'horse battery')).toBe(true);
    expect(await desk.rows('select role from membership')).toEqual([{ role: 'viewer' }]);
    expect(await desk.rows('select name, secret_hash from source')).toEqual([
      { name: 'gateway', secret_hash: hashSourceSecret('a secret of some length') },
    ]);
    expect(await desk.rows('select email from notification_group_email')).toEqual([
      { email: 'cold@lab.example' },
    ]);
    expect(await desk.rows('select kind, url from notification_group_webhook')).toEqual([
      { kind: 'slack', url: 'https://hooks.example/T0/B0' },
    ]);
    expect(
      await desk.rows(`
        select service.name, service.key, archived_at, asset.name as asset, location.name as location,
          device.key as device, uplink_interval_minutes, severity
        from service join asset on asset.id = asset_id join location on location.id = location_id
          join device on device.service_id = service.id join alarm_state on alarm_state.service_id = service.id`),
    ).toEqual([
      {
        name: 'Freezer 1',
        key: null,
        archived_at: null,
        asset: 'ULT-0042',
        location: 'Room 101',
        device: '0004a30b001c0530',
        uplink_interval_minutes: 10,
        severity: 'normal',
      },
    ]);
    expect(await desk.rows('select name, label, unit, kind from channel')).toEqual([
      { name: 'temperature', label: 'Temperature', unit: '°C', kind: 'metric' },
    ]);
    expect(await desk.rows('select * from service_settings')).toMatchObject([
      {
        notification_group_id: 1,
        send_critical: true,
        send_acknowledgements: false,
        stale_after_minutes: 15,
      },
    ]);
    expect(
      await desk.rows(`
        select channel, version, is_percentage, origin, author_name, band, limit_value, delay_minutes, sustained_minutes
        from limits_version join limits_band on limits_version_id = id`),
    ).toEqual([
      {
        channel: 'temperature',
        version: 1,
        is_percentage: false,
        origin: 'lab_file',
        author_name: 'command line',
        band: 'CRITICAL_HIGH',
        limit_value: -60,
        delay_minutes: 0,
        sustained_minutes: 5,
      },
    ]);
  });

  test('changes nothing when it is applied again, and revokes no token', async () => {
    await desk.apply(EXAMPLE);
    const before = await desk.snapshot();
    desk.clock.advance(minutes(5));
    const { changes, ids } = await desk.apply(EXAMPLE);
    expect(changes).toEqual([]);
    expect(ids.services).toEqual({ 'Cell Biology/Freezer 1': 1 });
    expect(await desk.snapshot()).toEqual(before);
    expect(await desk.rows('select token_generation from account')).toEqual([{ token_generation: 1 }]);
  });

  test('is only shown by a dry run, exactly as it would happen', async () => {
    const before = await desk.snapshot();
    const shown = await desk.dryRun(EXAMPLE);
    expect(await desk.snapshot()).toEqual(before);
    expect(shown.ids).toEqual({ organizations: {}, accounts: {}, groups: {}, services: {} });
    const applied = await desk.apply(EXAMPLE);
    expect(shown.changes).toEqual(applied.changes);
    expect(await desk.dryRun(EXAMPLE)).toEqual({ changes: [], ids: applied.ids });
  });

  test('is written once when it is applied by two at the same time', async () => {
    const outcomes = await Promise.all([desk.apply(EXAMPLE), desk.apply(EXAMPLE)]);
    expect(outcomes.map(({ changes }) => changes.length).sort()).toEqual([0, 11]);
    expect(outcomes[0].ids).toEqual(outcomes[1].ids);
    expect(await desk.rows('select count(*)::int from service')).toEqual([{ count: 1 }]);
    expect(await desk.rows('select token_generation from account')).toEqual([{ token_generation: 1 }]);
  });

  test('leaves a record of every change and of no secret', async () => {
    await desk.apply(EXAMPLE);
    await desk.apply(EXAMPLE.replace('limit: -60', 'limit: -55').replace('name: Vera', 'name: Vera K.'));
    const records = await desk.rows<{ action: string; service_id: number | null; detail: object }>(
      'select action, organization_id, service_id, account_name, detail from audit order by id',
    );
    expect(records.map(({ action, service_id }) => [action, service_id])).toEqual([
      ['account.create', null],
      ['lab_file.apply', null],
      ['lab_file.apply', 1],
      ['account.edit', null],
      ['lab_file.apply', 1],
    ]);
    expect(records.at(-1)).toEqual({
      action: 'lab_file.apply',
      organization_id: 1,
      service_id: 1,
      account_name: 'command line',
      detail: {
        file: 'lab.yaml',
        changes: [
          '~ limits Cell Biology/Freezer 1/temperature: CRITICAL_HIGH -60 sustained 5 -> CRITICAL_HIGH -55 sustained 5',
        ],
      },
    });
    for (const secret of ['horse battery', 'a secret of some length', '/T0/B0']) {
      expect(JSON.stringify(records)).not.toContain(secret);
    }
  });
});

describe('examples/lab.yaml', () => {
  let example: string;
  beforeAll(async () => {
    example = await readFile(join(projectRoot, 'examples/lab.yaml'), 'utf8');
  });

  test('can be applied, and applied again', async () => {
    const { ids } = await desk.apply(example);
    expect(Object.keys(ids.organizations)).toEqual(['Cell Biology', 'Virology']);
    expect(Object.keys(ids.accounts)).toHaveLength(5);
    expect(Object.keys(ids.services)).toEqual([
      'Cell Biology/Freezer −80 °C',
      'Cell Biology/Freezer −20 °C',
      'Cell Biology/CO₂ incubator',
      'Cell Biology/Cold room',
      'Virology/Cryo tank 1',
      'Virology/Fridge',
    ]);
    const before = await desk.snapshot();
    expect((await desk.apply(example)).changes).toEqual([]);
    expect(await desk.snapshot()).toEqual(before);
  });

  test('lets its people sign in', async () => {
    await desk.apply(example);
    const signer = createTokenSigner(Buffer.alloc(32, 'k'));
    const oscar = { username: 'oscar@lab.example', password: 'CHANGE-ME-oscar', userAgent: null };
    const from = notSignedIn({ address: '::1', requestId: '1' });
    const signedIn = await signIn({ db: desk.db, signer }, from, oscar, desk.clock.read());
    expect(signedIn.ok).toBe(true);
  });
});
