// The history of a channel's limits, as every room that changes limits leaves it.

import sql from 'sql-template-tag';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrganizationId, ServiceId } from '../../src/domain/ids.ts';
import { adoptLimits } from '../../src/engine/adopt-limits.ts';
import { createService, DEFAULT_SETTINGS } from '../../src/engine/services.ts';
import { type LabFileDesk, openLabFileDesk } from '../support/lab-file.ts';

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

const adopt = (limit: number, channel: string | null = 't') =>
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
          { band: 'WARNING_LOW', limit: null, delayMinutes: 0, sustainedMinutes: 0 },
        ],
      },
      origin: 'edit',
      author: { id: null, name: 'Ada' },
      now: desk.clock.read(),
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

test('channels and service-wide limits are numbered each on their own; bands of nothing are left out', async () => {
  await adopt(1);
  await adopt(2);
  await adopt(3, null);
  expect(
    await desk.rows(`
      select channel, version, author_name, retired_at, band, limit_value, delay_minutes
      from limits_version join limits_band on limits_version_id = id order by id`),
  ).toEqual([
    {
      channel: 't',
      version: 1,
      author_name: 'Ada',
      retired_at: desk.clock.read(),
      band: 'CRITICAL_HIGH',
      limit_value: 1,
      delay_minutes: 0.5,
    },
    {
      channel: 't',
      version: 2,
      author_name: 'Ada',
      retired_at: null,
      band: 'CRITICAL_HIGH',
      limit_value: 2,
      delay_minutes: 0.5,
    },
    {
      channel: null,
      version: 1,
      author_name: 'Ada',
      retired_at: null,
      band: 'CRITICAL_HIGH',
      limit_value: 3,
      delay_minutes: 0.5,
    },
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
