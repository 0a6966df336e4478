// Limits and archiving through the lab file, and what they do to a service in alarm.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LabFileDesk, openLabFileDesk } from '../support/lab-file.ts';
import { minutes } from '../support/movable-clock.ts';

let desk: LabFileDesk;
beforeEach(async () => {
  desk = await openLabFileDesk();
});
afterEach(() => desk.db.close());

const service = (fields: string) =>
  `organizations: [{ name: Lab, services: [{ name: Freezer, ${fields} }] }]`;

describe('limits', () => {
  const limits = (bands: string, more = '') =>
    service(`limits: [{ channel: t, ${more} bands: { ${bands} } }]`);
  const versions = () =>
    desk.rows('select channel, version, retired_at is null as in_force from limits_version order by id');

  test('a version is made only when something changes, and numbers go on over retired ones', async () => {
    await desk.apply(limits('CRITICAL_HIGH: { limit: 5 }, WARNING_HIGH: { limit: 4 }'));
    expect(
      (await desk.apply(limits('WARNING_HIGH: { limit: 4.0, delay: 0 }, CRITICAL_HIGH: { limit: 5 }')))
        .changes,
    ).toEqual([]);
    await desk.apply(limits('CRITICAL_HIGH: { limit: 6 }'));
    await desk.apply(limits('CRITICAL_HIGH: { limit: 20 }', 'is_percentage: true, setpoint_channel: s,'));
    expect(await versions()).toEqual([
      { channel: 't', version: 1, in_force: false },
      { channel: 't', version: 2, in_force: false },
      { channel: 't', version: 3, in_force: true },
    ]);
    expect(await desk.rows('select band, limit_value from limits_band where limits_version_id = 3')).toEqual([
      { band: 'CRITICAL_HIGH', limit_value: 20 },
    ]);
  });

  test('default stands for service-wide limits', async () => {
    await desk.apply(service('limits: [{ channel: default, bands: {} }]'));
    expect(await versions()).toEqual([{ channel: null, version: 1, in_force: true }]);
    expect((await desk.apply(service('limits: [{ channel: default, bands: {} }]'))).changes).toEqual([]);
  });

  test('a band of nothing but zeros is not saved, and a limit of 0 among them is pointed out', async () => {
    const text = limits('CRITICAL_LOW: { limit: 0 }, WARNING_LOW: { delay: 0 }, CRITICAL_HIGH: { limit: 8 }');
    expect((await desk.apply(text)).changes.at(-1)).toBe(
      '+ limits Lab/Freezer/t: CRITICAL_HIGH 8 (CRITICAL_LOW not saved: a limit of 0 needs a delay or a sustained time)',
    );
    expect((await desk.apply(text)).changes).toEqual([]);
    expect(await desk.rows('select band from limits_band')).toEqual([{ band: 'CRITICAL_HIGH' }]);
  });
});

describe('a service in alarm', () => {
  beforeEach(async () => {
    await desk.apply(service('limits: [{ channel: t, bands: { CRITICAL_HIGH: { limit: 5 } } }]'));
    await desk.rows(`
      update alarm_state set severity = 'critical', severity_since = '2026-11-15', channel = 't',
        band = 'CRITICAL_HIGH', message = 'too warm', episode_id = 1, stale_since = '2026-11-15'`);
    await desk.rows(`
      insert into acknowledgement (service_id, episode_id, severity, account_id, account_name, created_at)
      values (1, 1, 'CRITICAL', 1, 'Oscar', '2026-11-15')`);
    desk.clock.advance(minutes(1));
  });
  const acknowledgements = () => desk.rows('select ended_at, end_reason from acknowledgement');

  test('keeps its acknowledgement while its limits stay', async () => {
    await desk.apply(service('stale_after_minutes: 3'));
    expect(await acknowledgements()).toEqual([{ ended_at: null, end_reason: null }]);
  });

  test('loses it with new limits', async () => {
    await desk.apply(service('limits: [{ channel: t, bands: { CRITICAL_HIGH: { limit: 6 } } }]'));
    expect(await acknowledgements()).toEqual([{ ended_at: desk.clock.read(), end_reason: 'limits_changed' }]);
  });

  test('is normal once archived, and can be restored', async () => {
    await desk.apply(service('archived: true'));
    expect(await desk.rows('select * from alarm_state')).toMatchObject([
      {
        severity: 'normal',
        severity_since: null,
        channel: null,
        message: null,
        episode_id: null,
        stale_since: null,
      },
    ]);
    expect(await acknowledgements()).toEqual([{ ended_at: desk.clock.read(), end_reason: 'archived' }]);
    expect(await desk.rows('select archived_at from service')).toEqual([{ archived_at: desk.clock.read() }]);
    expect((await desk.apply(service('archived: false'))).changes).toEqual([
      '~ service Lab/Freezer: restored',
    ]);
    expect(await desk.rows('select archived_at from service')).toEqual([{ archived_at: null }]);
  });
});
