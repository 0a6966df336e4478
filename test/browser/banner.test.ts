// What is wrong with the service itself, as administrators see it on every page.
import type { Browser } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect } from 'vitest';
import { enrolProgram } from '../../src/engine/self-watch/programs.ts';
import { expectReadable, launchBrowser, openWindow, test, WINDOWS } from '../support/browser.ts';
import { createFreezer, minutesAgo, setAlarm } from '../support/equipment.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { seconds } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
  lab = await openLab(server);
  const freezer = await createFreezer(server, lab, { name: 'ULT freezer 3', location: 'Room 101' });
  await setAlarm(server, freezer, { severity: 'critical', since: minutesAgo(server, 12) });
});

const look = () => server.watch.task.run(server.clock.read());
const GIBIBYTE = 1024 ** 3;

describe.each(WINDOWS)('on a %s', (size) => {
  test('can be read by everybody, above alarms and settings alike', async () => {
    const now = server.clock.read();
    const disk = { freeBytes: 1.5 * GIBIBYTE, totalBytes: 100 * GIBIBYTE };
    await enrolProgram(server.db, ['advise'], now).beat(now, { clockAheadMs: 0, disk });
    await look();
    const page = await openWindow(browser, server, lab.ada, { size });
    await page.goto('/');
    await page.getByText('Live, updated').waitFor();
    const banner = page.getByRole('region', { name: 'Tocsin itself needs attention' });
    expect(await banner.innerText()).toContain('No program runs the clock: timers do not fire.');
    await expectReadable(page, 'banner-alarms');
    await page.goto('/settings/members');
    await banner.waitFor();
    await expectReadable(page, 'banner-settings');
  });
});

test('goes without the page being loaded anew; what is typed stays', async () => {
  await server.db.query(sql`delete from program`);
  const page = await openWindow(browser, server, lab.ada);
  await page.clock.install();
  await look();
  await page.goto('/settings/members');
  const banner = page.getByRole('region', { name: 'Tocsin itself needs attention' });
  await banner.waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Ines');

  await enrolProgram(server.db, ['engine', 'deliver'], server.clock.read()).beat(server.clock.read());
  await look();
  await page.clock.fastForward(seconds(31));
  await banner.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ines');
});
