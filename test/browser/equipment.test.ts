// The list of equipment, as somebody uses it who has hundreds of units.
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { expectReadable, launchBrowser, openWindow, takePicture, test, WINDOWS } from '../support/browser.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const PLACES = ['Virology', 'Cell biology', 'Biobank', 'Microscopy'];

let server: TestServer;
let browser: Browser;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
  lab = await openLab(server);
  await lab.applyAll(
    Array.from({ length: 400 }, (_, index) => ({
      name: `${index % 100 === 7 ? 'ULT' : 'Incubator'} ${index + 1}`,
      location: PLACES[Math.floor(index / 100)],
    })),
  );
  const warm = await lab.freezer({
    name: 'Freezer that warms up',
    location: 'Biobank',
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60, sustained: 5 } } }],
  });
  await warm.reads(-50);
  await lab.advance(6 * 60_000);
}, 120_000);

/** What hands do, counted by the page itself. */
const countClicks = (page: Page) =>
  page.addInitScript(`addEventListener('click', (event) => event.isTrusted &&
    sessionStorage.setItem('clicks', Number(sessionStorage.getItem('clicks') ?? 0) + 1), true)`);
const clicksOf = (page: Page) => page.evaluate(`Number(sessionStorage.getItem('clicks') ?? 0)`);

describe.each(WINDOWS)('on a %s', (size) => {
  test('the worst stands first, and all of it is readable', async () => {
    const page = await openWindow(browser, server, lab.oscar, { size });
    await page.goto('/services');
    await page.getByText('1–50 of 401').waitFor();
    expect(await page.locator('.services .row-link').first().textContent()).toBe('Freezer that warms up');
    await page.getByText('Columns', { exact: true }).click();
    await takePicture(page, `equipment-${size}`);
    await expectReadable(page, 'equipment');
  });

  test('one of 400 is found by two words while typing', async () => {
    const page = await openWindow(browser, server, lab.vera, { size });
    await countClicks(page);
    await page.goto('/services');
    await page.getByLabel('Search', { exact: true }).click();
    await page.keyboard.type('micro ult');
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('link', { name: 'ULT 308' }).click();
    await page.getByRole('heading', { name: 'ULT 308' }).waitFor();
    expect(await clicksOf(page)).toBe(2);
    await page.goBack();
    await page.getByText('1–1 of 1').waitFor();
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('micro ult');
  });
});

test('without scripts: found by a form, put in order by the heads, page by page', async () => {
  const page = await openWindow(browser, server, lab.vera, { scripts: false });
  await page.goto('/services');
  await page.getByLabel('Search', { exact: true }).fill('biobank');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('1–50 of 101').waitFor();
  await page.getByRole('link', { name: 'Unit', exact: true }).click();
  await page.getByRole('link', { name: 'Unit', exact: true }).click();
  await page.waitForURL(/sort=-name/);
  expect(await page.locator('.services .row-link').first().textContent()).toBe('ULT 208');
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByText('51–100 of 101').waitFor();
  await page.getByRole('link', { name: 'Previous page' }).click();
  await page.getByText('1–50 of 101').waitFor();
  await page.getByRole('link', { name: 'Show all units' }).click();
  await page.getByText('1–50 of 401').waitFor();
});
