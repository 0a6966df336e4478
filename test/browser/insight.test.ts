import type { Browser } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { expectReadable, launchBrowser, openWindow, test, WINDOWS } from '../support/browser.ts';
import { createFreezer, type Freezer } from '../support/equipment.ts';
import { invitePeople, type People } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let people: People;
let freezers: Freezer[];
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});
beforeEach(async () => {
  people = await invitePeople(server);
  freezers = [];
  for (const name of ['ULT freezer 3 with a name that is rather long', 'Incubator 2'])
    freezers.push(await createFreezer(server, people, { name }));
});

/** Alarms of a year, more of them in autumn. */
const fill = () =>
  server.db.query(sql`
    insert into episode (id, service_id, organization_id, severity, channel, band, limit_value, began_at, ended_at,
      acknowledged_at, acknowledged_by)
    select nextval('episode_id'), service.id, organization_id, case when n % 3 = 0 then 'critical' else 'warning' end,
      'temperature', 'CRITICAL_HIGH', -60, began_at, began_at + (n % 41) * interval '17 minutes',
      case when n % 5 > 0 then began_at + (n % 20) * interval '1 minute' end, case when n % 5 > 0 then 'Oscar' end
    from service cross join generate_series(1, 120) as n
    cross join lateral (
      select ${server.clock.read()}::timestamptz - n * n * interval '40 minutes' - service.id % 7 * interval '3 hours' as began_at
    ) as past
    where service.id = any(${freezers.map(({ id }) => id)}::int[])`);

describe.each(WINDOWS)('on a %s', (size) => {
  test('figures can be read by everybody', async () => {
    await server.db.query(sql`
      update service set created_at = ${server.clock.read()}::timestamptz - interval '2 years'
      where id = any(${freezers.map(({ id }) => id)}::int[])`);
    await fill();
    const page = await openWindow(browser, server, people.ada, { size });
    await page.goto('/history/insight');
    await expectReadable(page, 'insight-full');
    await page.getByText('As a table').click();
    await page.getByRole('link', { name: 'Earlier month' }).click();
    await page.getByRole('link', { name: 'Later month' }).waitFor();
    await expectReadable(page, 'insight-earlier');
  });

  test('a lab without alarms has its days', async () => {
    const page = await openWindow(browser, server, people.vera, { size });
    await page.goto('/history');
    await page.getByRole('link', { name: 'Insight' }).click();
    await page.getByText('No alarm began in this time.').waitFor();
    expect(await page.locator('.calendar td').count()).toBeGreaterThanOrEqual(28);
    await expectReadable(page, 'insight-empty');
  });
});
