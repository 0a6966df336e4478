// Buildings and floors in a browser: folded and unfolded, by keys as well, and left as somebody left them.
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { expectReadable, launchBrowser, openWindow, test, WINDOWS } from '../support/browser.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let lab: Lab;
const UNITS = 48;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
  lab = await openLab(server);
  const placeOf = (index: number) =>
    index < 40
      ? `Building ${1 + (index % 2)} / Floor ${1 + (index % 4)} / Room ${101 + (index % 10)}, a long name`
      : 'Cryo hall';
  await lab.applyAll(
    Array.from({ length: UNITS }, (_, index) => ({
      name: `Freezer ${index + 1}`,
      location: placeOf(index),
      device: { key: `unit-${index}` },
      channels: [{ name: 'temperature', label: 'Temperature', unit: '°C', kind: 'metric' }],
      limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
    })),
  );
  await lab.post(
    Array.from({ length: UNITS }, (_, index) => ({
      device: `unit-${index}`,
      values: { temperature: index === 4 ? -40 : -80 },
    })),
  );
}, 120_000);

describe.each(WINDOWS)('on a %s', (size) => {
  test('what is wrong is unfolded, everything else a line, with scripts and without', async () => {
    for (const scripts of [true, false]) {
      const page = await openWindow(browser, server, lab.vera, { size, scripts });
      await page.goto('/overview');
      const [first, second] = [
        page.locator('.branch-card').filter({ hasText: 'Building 1' }).first(),
        page.locator('.branch-card').filter({ hasText: 'Building 2' }).first(),
      ];
      await page.getByRole('link', { name: 'Freezer 5: Critical' }).waitFor();
      expect(await first.locator('details').first().getAttribute('open')).not.toBeNull();
      expect(await second.locator('details').first().getAttribute('open')).toBeNull();
      if (scripts) await expectReadable(page, 'place-tree');
      await second.locator('summary').first().focus();
      await page.keyboard.press('Enter');
      if (scripts) await expectReadable(page, 'place-tree-unfolded');
      await second.getByRole('link', { name: 'Only Building 2' }).click();
      await page.getByRole('heading', { level: 1, name: 'Building 2' }).waitFor();
      if (scripts) await expectReadable(page, 'place-tree-branch');
      await page.getByRole('link', { name: 'Equipment of Building 2' }).click();
      expect(await page.locator('#location').inputValue()).toBe('/building 2');
    }
  });
});

test('what somebody folded away stays so, until something newer in it has to be seen', async () => {
  const page = await openWindow(browser, server, lab.vera);
  await page.goto('/overview');
  await page.getByText('Live, updated').waitFor();
  const first = page.locator('.branch-card').filter({ hasText: 'Building 1' }).locator('details').first();
  await first.locator('summary').first().click();
  const isOpen = () => first.evaluate((fold) => (fold as HTMLDetailsElement).open);
  expect(await isOpen()).toBe(false);
  await lab.advance(minutes(1));
  await lab.post([{ device: 'unit-41', values: { temperature: -30 } }]);
  await page.getByRole('link', { name: 'Freezer 42: Critical' }).waitFor();
  expect(await isOpen()).toBe(false);
  await lab.advance(minutes(1));
  await lab.post([{ device: 'unit-6', values: { temperature: -30 } }]);
  await page.getByRole('link', { name: 'Freezer 7: Critical' }).waitFor();
  expect(await isOpen()).toBe(true);
});
