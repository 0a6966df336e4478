// The overview in a browser: places beside each other, dots that lead to their units, and news without reloading.
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { expectReadable, launchBrowser, openWindow, test, WINDOWS } from '../support/browser.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const ROOMS = [
  'Virology',
  'Cell biology',
  'Biobank, the long name of a hall on the second floor',
  'Microscopy',
];

let server: TestServer;
let browser: Browser;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
  lab = await openLab(server);
  await lab.applyAll(
    Array.from({ length: 160 }, (_, index) => ({
      name: `Freezer ${index + 1}`,
      location: ROOMS[Math.floor(index / 40)],
      device: { key: `unit-${index}` },
      channels: [{ name: 'temperature', label: 'Temperature', unit: '°C', kind: 'metric' }],
      limits: [
        {
          channel: 'temperature',
          bands: { CRITICAL_HIGH: { limit: -60 }, WARNING_HIGH: { limit: -70 } },
        },
      ],
    })),
  );
  const temperature = (index: number) => (index === 90 ? -40 : index % 50 === 3 ? -65 : -80);
  await lab.post(
    Array.from({ length: 150 }, (_, index) => ({
      device: `unit-${index}`,
      values: { temperature: temperature(index) },
    })),
  );
}, 120_000);

describe.each(WINDOWS)('on a %s', (size) => {
  test('places, dots and what is beside them can be read by everybody, with scripts and without', async () => {
    for (const scripts of [true, false]) {
      const page = await openWindow(browser, server, lab.ada, { size, scripts });
      await page.goto('/overview');
      const first = page.locator('.place-card').first();
      expect(await first.getByRole('heading').textContent()).toContain('Biobank');
      if (scripts) await expectReadable(page, 'overview');
      await first.getByRole('link', { name: 'Freezer 91: Critical' }).click();
      await page.getByRole('heading', { name: 'Freezer 91' }).waitFor();
    }
  });
});

test('what is empty says what comes next', async () => {
  const page = await openWindow(browser, server, lab.olga, { size: 'phone' });
  await page.goto('/overview');
  await page.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor();
  await expectReadable(page, 'overview-empty');
});

test('what changes is shown without reloading, and one key leads there', async () => {
  const page = await openWindow(browser, server, lab.vera);
  await page.goto('/services');
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.waitForURL('**/overview');
  await page.getByText('Live, updated').waitFor();
  await lab.advance(minutes(1));
  await lab.post([{ device: 'unit-7', values: { temperature: -30 } }]);
  await page.getByRole('link', { name: 'Freezer 8: Critical' }).waitFor();
});
