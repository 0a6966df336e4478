// Each organization keeps its readings for as many years as it says: what is older is refused, and deleted by months.

import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import type { OrganizationId, ServiceId } from '../../src/domain/ids.ts';
import { english } from '../../src/domain/language/english.ts';
import { sayRefused } from '../../src/domain/readings/refused.ts';
import { DAY_MS } from '../../src/domain/readings/span.ts';
import type { TelemetryEntry } from '../../src/domain/readings/telemetry.ts';
import { openRoad } from '../../src/engine/ingest/road.ts';
import { changeRetention } from '../../src/engine/organizations/retention.ts';
import { deleteExpiredPacks } from '../../src/engine/readings/delete-expired.ts';
import { dropExpiredMonths } from '../../src/engine/readings/reading-months.ts';
import { countUsage, selectStored, selectUsage } from '../../src/engine/readings/usage.ts';
import { failingDatabase } from '../support/failing-database.ts';
import { type LabFileDesk, openLabFileDesk } from '../support/lab-file.ts';
import { countStored, packAll, putReadings } from '../support/stored-readings.ts';
import { isSplit } from '../support/test-database.ts';

let desk: LabFileDesk;
let short: Lab;
let long: Lab;

interface Lab {
  organizationId: OrganizationId;
  serviceId: ServiceId;
  channelId: number;
}

beforeEach(async () => {
  desk = await openLabFileDesk();
  short = await addLab('Short');
  long = await addLab('Long');
});

async function addLab(name: string): Promise<Lab> {
  const channels = '{ name: temperature, unit: °C, kind: metric }';
  const { ids } = await desk.apply(
    `organizations: [{ name: ${name}, services: [{ name: Freezer, device: { key: ${name} }, channels: [${channels}] }] }]`,
  );
  const serviceId = ids.services[`${name}/Freezer`] as ServiceId;
  const [channel] = await desk.db.query<{ id: number }>(
    sql`select id from channel where service_id = ${serviceId}`,
  );
  return {
    organizationId: ids.organizations[name] as OrganizationId,
    serviceId,
    channelId: channel?.id as number,
  };
}

const now = () => desk.clock.read();
const keepFor = ({ organizationId }: Lab, years: number) =>
  desk.db.transaction((tx) => changeRetention(tx, organizationId, years, now()));
/** A reading every ten days for so many years, up to now. */
const fill = (lab: Lab, years: number) => {
  const ats = Array.from(
    { length: Math.round(years * 36.5) },
    (_, index) => now().getTime() - index * 10 * DAY_MS,
  );
  return putReadings(desk.db, { ...lab, ats: ats.reverse(), values: ats.map(() => -80) }, now());
};
const countOf = ({ serviceId }: Lab) => countStored(desk.db, [serviceId]);
const oldestOf = async ({ serviceId }: Lab) =>
  (
    await desk.db.query<{ day: string | null }>(
      sql`select min(day)::text as "day" from reading_pack where service_id = ${serviceId}`,
    )
  )[0]?.day ?? null;
const months = async () =>
  (
    await desk.db.query<{ name: string }>(sql`
      select inhrelid::regclass::text as "name" from pg_inherits where inhparent = 'reading_pack'::regclass
      order by 1`)
  ).map(({ name }) => name.slice('reading_pack_'.length));

describe('what is past', () => {
  test('goes for the organization that keeps it for less, and stays for the other', async () => {
    await fill(short, 3);
    await fill(long, 3);
    await keepFor(short, 1);
    expect(await deleteExpiredPacks(desk.db, now(), null)).toBe(0);
    await countUsage(desk.db, now());
    const before = await countOf(long);
    for (let hour = 0; hour < 20; hour += 1) await deleteExpiredPacks(desk.db, now(), null);
    // Now is the 15th of November 2026: the month of the edge stays whole.
    expect((await oldestOf(short))?.slice(0, 7)).toBe('2025-11');
    expect(await countOf(long)).toBe(before);
    expect(await dropExpiredMonths(desk.db, now(), null)).toBe(0);
  });

  test('goes two months an hour, so that a mistake does not cost everything', async () => {
    await fill(short, 3);
    await fill(long, 3);
    await keepFor(short, 1);
    await countUsage(desk.db, now());
    const first = await oldestOf(short);
    expect(await deleteExpiredPacks(desk.db, now(), null)).toBeLessThanOrEqual(8);
    const left = await oldestOf(short);
    expect(Date.parse(left ?? '') - Date.parse(first ?? '')).toBeLessThan(70 * DAY_MS);
    await keepFor(short, 10);
    expect(await deleteExpiredPacks(desk.db, now(), null)).toBe(0);
    expect(await oldestOf(short)).toBe(left);
  });

  test('goes with its month when it is past every organization', async () => {
    await fill(short, 3);
    await fill(long, 3);
    await keepFor(short, 1);
    await keepFor(long, 2);
    while ((await dropExpiredMonths(desk.db, now(), null)) > 0);
    expect((await months())[0]).toBe('2024_11');
    await countUsage(desk.db, now());
    expect((await selectUsage(desk.db, long.organizationId)).firstAt?.toISOString().slice(0, 7)).toBe(
      '2024-11',
    );
  });

  test('is never kept for longer than the installation allows', async () => {
    await fill(long, 3);
    await keepFor(long, 100);
    while ((await dropExpiredMonths(desk.db, now(), 400)) > 0);
    expect((await months())[0]).toBe('2025_10');
  });

  test('is deleted whole, however often it is broken off, and whoever else tries', async () => {
    await fill(short, 2);
    await fill(long, 2);
    await keepFor(short, 1);
    await countUsage(desk.db, now());
    const doomed = failingDatabase(desk.db, { blowsAfter: /delete from reading_damage/ });
    await expect(deleteExpiredPacks(doomed, now(), null)).rejects.toThrow();
    const whole = await countOf(short);
    const hours = Array.from({ length: 12 });
    for (const _ of hours)
      await Promise.all([
        deleteExpiredPacks(desk.db, now(), null),
        deleteExpiredPacks(desk.db, now(), null),
        packAll(desk.db, now()),
      ]);
    expect(await countOf(short)).toBeLessThan(whole);
    expect((await oldestOf(short))?.slice(0, 7)).toBe('2025-11');
    expect(await countOf(long)).toBe(whole);
  });

  test('that could not be read is not named any more', async () => {
    await fill(short, 3);
    await fill(long, 3);
    await desk.db.query(sql`
      insert into reading_damage (service_id, channel_id, day, part, reason)
      select service_id, channel_id, day, part, 'cut short' from reading_pack where day < '2024-01-01'`);
    await keepFor(short, 1);
    await keepFor(long, 2);
    await countUsage(desk.db, now());
    await deleteExpiredPacks(desk.db, now(), null);
    while ((await dropExpiredMonths(desk.db, now(), null)) > 0);
    expect(await desk.db.query(sql`select from reading_damage`)).toEqual([]);
  });
});

describe('what comes in', () => {
  const openAnother = () => openRoad({ db: desk.db, clock: now, retentionDays: null });
  const post = async (road: ReturnType<typeof openAnother>, lab: Lab, yearsAgo: number) => {
    const at = now().getTime() - yearsAgo * 365.25 * DAY_MS;
    const entry: TelemetryEntry = {
      index: 0,
      target: { serviceId: lab.serviceId },
      at,
      values: [['temperature', -80, false]],
    };
    const { organizationId } = lab;
    const outcome = await road.take({ sourceId: null, organizationId, rejected: [], entries: [entry] }, 1);
    if (typeof outcome === 'string') return outcome;
    const [rejected] = outcome.rejected;
    return rejected ? sayRefused(rejected.why, english) : 'accepted';
  };

  test('older than the retention is refused by every program, from the change on, in both directions', async () => {
    const roads = [openAnother(), openAnother()] as const;
    for (const road of roads) {
      expect(await post(road, short, 11)).toBe('Older than 10 years');
      expect(await post(road, short, 9)).toBe('accepted');
      expect(await post(road, short, 2.1)).toBe('accepted');
      expect(await post(road, short, 0)).toBe('accepted');
      desk.clock.advance(60_000);
    }
    await keepFor(short, 2);
    for (const road of roads) {
      expect(await post(road, short, 3)).toBe('Older than 2 years');
      expect(await post(road, short, 1)).toBe('accepted');
      expect(await post(road, long, 3)).toBe('accepted');
      desk.clock.advance(60_000);
    }
    await keepFor(short, 30);
    for (const road of roads) {
      expect(await post(road, short, 25)).toBe('accepted');
      desk.clock.advance(60_000);
    }
    await keepFor(short, 1);
    for (const road of roads) expect(await post(road, short, 25)).toBe('Older than 1 year');
  });
});

describe('what is counted', () => {
  test('is what is stored, by organization, and in all', async () => {
    await fill(short, 1);
    await fill(long, 2);
    expect(await countUsage(desk.db, now())).toBeGreaterThan(12);
    for (const lab of [short, long])
      expect((await selectUsage(desk.db, lab.organizationId)).readings).toBe(await countOf(lab));
    expect((await selectStored(desk.db)).readings).toBe((await countOf(short)) + (await countOf(long)));
  });

  test.skipIf(isSplit())('is about what the tables take', async () => {
    const ats = Array.from(
      { length: 60_000 },
      (_, index) => now().getTime() - (60_000 - index) * 60_000 + ((index * 7919) % 100),
    );
    const values = ats.map((_, index) => Math.round((Math.sin(index / 50) * 3 - 80) * 10) / 10);
    for (let copy = 0; copy < 8; copy += 1)
      await putReadings(desk.db, { ...long, channelId: long.channelId + copy * 1_000, ats, values }, now());
    await countUsage(desk.db, now());
    const { bytes } = await selectUsage(desk.db, long.organizationId);
    const measureShare = async () => {
      // Without the room that parts left behind, which the next ones take; it stays while somebody may still read them.
      await desk.db.query(sql`vacuum full reading_pack`);
      const [size] = await desk.db.query<{ bytes: number }>(sql`
        select sum(pg_total_relation_size(inhrelid))::float8 as "bytes" from pg_inherits
        where inhparent = 'reading_pack'::regclass`);
      return bytes / (size?.bytes ?? 0);
    };
    // The server's own notes of free room, 32 kB a table, are there or not yet.
    await expect.poll(measureShare, { timeout: 20_000 }).toBeGreaterThan(0.5);
    expect(await measureShare()).toBeLessThan(1.4);
  });

  test('follows what is added and dropped, and two programs count once', async () => {
    await fill(long, 3);
    await Promise.all([countUsage(desk.db, now()), countUsage(desk.db, now())]);
    expect((await selectUsage(desk.db, long.organizationId)).readings).toBe(await countOf(long));
    await keepFor(long, 1);
    await keepFor(short, 1);
    while ((await dropExpiredMonths(desk.db, now(), null)) > 0);
    for (let hour = 0; hour < 3; hour += 1) await countUsage(desk.db, now());
    expect((await selectUsage(desk.db, long.organizationId)).readings).toBe(await countOf(long));
  });

  test('a month that cannot be counted holds up no other, and is told', async () => {
    await fill(long, 3);
    const db = failingDatabase(desk.db, { blowsAfter: /delete from reading_month where month = / });
    await expect(countUsage(db, now())).rejects.toThrow();
    await countUsage(desk.db, now());
    expect((await selectUsage(desk.db, long.organizationId)).readings).toBe(await countOf(long));
  });
});

test('a lab file sets the years, says so, and leaves out what it does not mention', async () => {
  const { changes } = await desk.apply('organizations: [{ name: Short, retention_years: 30 }]');
  expect(changes).toEqual(['~ organization Short: retention_years 10 -> 30']);
  expect((await desk.apply('organizations: [{ name: Short, retention_years: 30 }]')).changes).toEqual([]);
  expect((await desk.apply('organizations: [{ name: Short }]')).changes).toEqual([]);
  const made = await desk.apply('organizations: [{ name: New, retention_years: 2 }]');
  expect(made.changes).toEqual(['+ organization New', '~ organization New: retention_years 10 -> 2']);
  for (const years of ['0', '101', '2.5', 'ten'])
    expect(await desk.refuse(`organizations: [{ name: Short, retention_years: ${years} }]`)).toHaveLength(1);
  expect(await desk.rows(`select name, retention_years from organization order by name`)).toEqual([
    { name: 'Long', retention_years: 10 },
    { name: 'New', retention_years: 2 },
    { name: 'Short', retention_years: 30 },
  ]);
});
