import type { Browser } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { expectReadable, launchBrowser, openWindow, takePicture, test, WINDOWS } from '../support/browser.ts';
import { createFreezer, type Freezer, setDowntime } from '../support/equipment.ts';
import { hours } from '../support/movable-clock.ts';
import { invitePeople, type People } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let people: People;
let freezer: Freezer;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});
beforeEach(async () => {
  people = await invitePeople(server);
  freezer = await createFreezer(server, people, { name: 'ULT freezer 3' });
  await createFreezer(server, people, { name: 'Incubator 2' });
});

describe.each(WINDOWS)('on a %s', (size) => {
  test('the calendar and its form can be read by everybody', async () => {
    await setDowntime(server, freezer, -hours(1), hours(1));
    await setDowntime(server, freezer, hours(20), hours(22));
    await setDowntime(server, freezer, hours(21), hours(23));
    await setDowntime(server, freezer, -hours(30), -hours(28));
    const page = await openWindow(browser, server, people.oscar, { size });
    await page.goto('/downtimes');
    await page.getByText('Live, updated').waitFor();
    await expectReadable(page, 'downtimes-full');
  });
});

test.each(['phone', 'desk'] as const)('an operator schedules a window and cancels it (%s)', async (size) => {
  const page = await openWindow(browser, server, people.oscar, { size });
  await page.goto('/downtimes');
  await page.getByLabel('Unit', { exact: true }).selectOption('ULT freezer 3');
  await page.getByLabel('Lasts').selectOption('4 hours');
  await page.getByLabel('Reason').fill('Defrost');
  await page.getByRole('button', { name: 'Schedule downtime' }).click();
  await page.getByText('The downtime is scheduled.').waitFor();
  expect(await page.textContent('[data-part=now]')).toContain('ULT freezer 3');

  page.once('dialog', (dialog) => dialog.accept());
  await page.getByRole('link', { name: 'Cancel the downtime of ULT freezer 3' }).click();
  await expect.poll(() => page.textContent('[data-part=now]')).toContain('No service is in downtime.');
});

test('without scripts it asks on a page of its own, and a refusal keeps what was written', async () => {
  await setDowntime(server, freezer, -hours(1), hours(1));
  const page = await openWindow(browser, server, people.oscar, { scripts: false });
  await page.goto('/downtimes');
  await page.getByRole('link', { name: 'Cancel the downtime of ULT freezer 3' }).click();
  await takePicture(page, 'downtimes-cancel');
  await page.getByRole('button', { name: 'Cancel the downtime' }).click();
  await page.getByText('The downtime is cancelled.').waitFor();

  await page.getByLabel('Unit', { exact: true }).selectOption('Incubator 2');
  await page.getByLabel('Or ends (optional)').fill('2026-11-14T10:00');
  await page.getByLabel('Reason').fill('Cleaning');
  await page.getByRole('button', { name: 'Schedule downtime' }).click();
  await page.getByText('End time must be after the start time').waitFor();
  expect(await page.getByLabel('Reason').inputValue()).toBe('Cleaning');
  await takePicture(page, 'downtimes-refused');
});
