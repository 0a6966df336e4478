// The history of a channel's limits, as every room that changes limits leaves it.

import sql from 'sql-template-tag';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/domain/equipment/service-settings.ts';
import type { OrganizationId, ServiceId } from '../../src/domain/ids.ts';
import { adoptLimits } from '../../src/engine/services/adopt-limits.ts';
import { createService } from '../../src/engine/services/services.ts';
import { type LabFileDesk, openLabFileDesk } from '../support/lab-file.ts';
import { minutes } from '../support/movable-clock.ts';

let desk: LabFileDesk;
let serviceId: ServiceId;
const organizationId = 1 as OrganizationId;
beforeEach(async () => {
  desk = await openLabFileDesk();
  await desk.apply('organizations: [{ name: Lab }]');
  serviceId = await desk.db.transaction((tx) =>
    createService(
      tx,
      { organizationId, key: null, name: 'Freezer', assetId: null, settings: DEFAULT_SETTINGS },
      desk.clock.read(),
    ),
  );
});
afterEach(() => desk.db.close());

const adopt = (limit: number, channel: string | null = 't', now = desk.clock.read()) =>
  desk.db.transaction((tx) =>
    adoptLimits(tx, {
      serviceId,
      organizationId,
      limits: {
        channel,
        isPercentage: false,
        setpointChannel: null,
        stateChannel: null,
        bands: [
          { band: 'CRITICAL_HIGH', limit, delayMinutes: 0.5, sustainedMinutes: 0 },
          { band: 'WARNING_LOW', limit: 0, delayMinutes: 0, sustainedMinutes: 0 },
        ],
      },
      origin: 'edit',
      author: { id: null, name: 'Ada' },
      now,
    }),
  );

test('a service is born with its settings, in a normal state', async () => {
  expect(await desk.rows('select service_id, severity, stale_since from alarm_state')).toEqual([
    { service_id: serviceId, severity: 'normal', stale_since: null },
  ]);
  expect(await desk.rows('select stale_after_minutes from service_settings')).toEqual([
    { stale_after_minutes: 15 },
  ]);
});

test('channels and service-wide limits are numbered each on their own', async () => {
  expect(await adopt(1)).toBe(1);
  expect(await adopt(2)).toBe(2);
  expect(await adopt(3, null)).toBe(1);
  const retiredAt = desk.clock.read();
  expect(
    await desk.rows('select channel, version, author_name, retired_at from limits_version order by id'),
  ).toEqual([
    { channel: 't', version: 1, author_name: 'Ada', retired_at: retiredAt },
    { channel: 't', version: 2, author_name: 'Ada', retired_at: null },
    { channel: null, version: 1, author_name: 'Ada', retired_at: null },
  ]);
});

test('the bands are saved exactly as given, also a lone limit of 0', async () => {
  await adopt(5);
  expect(
    await desk.rows(
      'select band, limit_value, delay_minutes, sustained_minutes from limits_band order by band',
    ),
  ).toEqual([
    { band: 'CRITICAL_HIGH', limit_value: 5, delay_minutes: 0.5, sustained_minutes: 0 },
    { band: 'WARNING_LOW', limit_value: 0, delay_minutes: 0, sustained_minutes: 0 },
  ]);
});

test('a lab file that leaves such a limit out settles at once: applied again, it changes nothing', async () => {
  await adopt(5);
  const text = `organizations: [{ name: Lab, services: [{ name: Freezer, limits: [
    { channel: t, bands: { CRITICAL_HIGH: { limit: 5, delay: 0.5 }, WARNING_LOW: { limit: 0 } } }] }] }]`;
  expect((await desk.apply(text)).changes).toHaveLength(1);
  expect((await desk.apply(text)).changes).toEqual([]);
});

test('times follow the numbers, also when the earlier request got the lock later', async () => {
  const early = desk.clock.read();
  desk.clock.advance(minutes(1));
  await adopt(1);
  await adopt(2, 't', early);
  const late = desk.clock.read();
  expect(
    await desk.rows('select version, created_at, retired_at from limits_version order by version'),
  ).toEqual([
    { version: 1, created_at: late, retired_at: late },
    { version: 2, created_at: late, retired_at: null },
  ]);
});

test('many at the same moment queue up: one is in force, and no number is given twice', async () => {
  await Promise.all(Array.from({ length: 8 }, (_, index) => adopt(index)));
  expect(
    await desk.rows('select version, retired_at is null as in_force from limits_version order by version'),
  ).toEqual(Array.from({ length: 8 }, (_, index) => ({ version: index + 1, in_force: index === 7 })));
});

test('whoever holds the alarm state is waited for', async () => {
  const order: string[] = [];
  let adopting: Promise<unknown> = Promise.resolve();
  await desk.db.transaction(async (tx) => {
    await tx.query(sql`select from alarm_state where service_id = ${serviceId} for no key update`);
    adopting = adopt(5).then(() => order.push('adopted'));
    await desk.untilSomebodyWaits();
    order.push('released');
  });
  await adopting;
  expect(order).toEqual(['released', 'adopted']);
});
