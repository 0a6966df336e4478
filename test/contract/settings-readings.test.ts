import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/readings/span.ts';
import { countUsage } from '../../src/engine/readings/usage.ts';
import { createFreezer } from '../support/equipment.ts';
import { storeReadings } from '../support/history.ts';
import { hours } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { openSettingsDesk, recordsOf, type SettingsDesk } from '../support/settings-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let desk: SettingsDesk;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openSettingsDesk(server);
});

const READINGS = '/settings/readings';
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const read = async () => textOf(await desk.ada.read(READINGS));
const sends = (form: Record<string, string>) => desk.sends(`${READINGS}/retention`, form);
const retention = async () =>
  (
    await server.db.query<{ years: number }>(sql`
      select retention_years as "years" from organization where id = ${desk.organization}`)
  )[0]?.years;

test('says what is stored, since when, and what a year adds; sealed off from others', async () => {
  expect(await read()).toContain('Not counted yet. Look again in an hour.');
  const freezer = await createFreezer(server, desk.people);
  await storeReadings(server, freezer.id, { count: 60 * 24, everyMs: hours(1), value: () => -80 });
  await countUsage(server.db, server.clock.read());
  const text = await read();
  expect(text).toMatch(/1,440 readings since 16 Sep \d\d:\d\d \. They take about [\d.]+ kB/);
  expect(text).toMatch(/a year adds 8,760 readings , about [\d.]+ kB/);
  expect(text).toMatch(/Kept for 10 years, that comes to about [\d.]+ [kM]B/);
  expect(text).toMatch(/Counted today \d\d:\d\d/);
  expect(textOf(await desk.ada.read('/settings'))).toMatch(/Readings 1,440, [\d.]+ kB/);

  desk = await openSettingsDesk(server);
  expect(await read()).toContain('Nothing yet, or less than an hour of it.');
  expect(textOf(await desk.ada.read('/settings'))).toContain('None counted yet');
});

test('the years are changed and on record', async () => {
  expect(await read()).toContain('How long readings are kept');
  const saved = await sends({ years: '30' });
  expect(saved.status).toBe(303);
  expect(saved.headers.get('location')).toContain(`${READINGS}?`);
  expect(await retention()).toBe(30);
  expect(await sends({ years: '30' })).toMatchObject({ status: 303 });
  expect(await recordsOf(server, desk.organization)).toMatchObject([
    { action: 'organization.retention', detail: { retention_years: { before: 10, after: 30 } } },
  ]);
});

test.each(['', '0', '101', '2.5', 'ten', '-1'])(
  '%j is refused in words, and nothing changes',
  async (years) => {
    const html = await expectPage(await sends({ years }), 422);
    expect(html).toContain('Give a whole number of years from 1 to 100.');
    expect(await retention()).toBe(10);
    expect(await recordsOf(server, desk.organization)).toEqual([]);
  },
);

test('what would delete readings has to be confirmed, for exactly these years', async () => {
  const freezer = await createFreezer(server, desk.people);
  await storeReadings(server, freezer.id, { count: 100, everyMs: 12 * DAY_MS, value: () => -80 });
  const html = await expectPage(await sends({ years: '2' }), 422);
  expect(textOf(html)).toContain('Nothing is changed yet');
  expect(html).toContain('name="confirmed" value="2"');
  expect(await retention()).toBe(10);
  await expectPage(await sends({ years: '1', confirmed: '2' }), 422);
  expect(await retention()).toBe(10);
  expect((await sends({ years: '2', confirmed: '2' })).status).toBe(303);
  expect(await retention()).toBe(2);
  expect((await sends({ years: '5' })).status).toBe(303);
  expect(await retention()).toBe(5);
});
