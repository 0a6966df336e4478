// Finding one's way: one search, keys, the menu of a phone, settings by group.
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectReadable,
  launchBrowser,
  openWindow,
  takePicture,
  test,
  WINDOWS,
} from '../support/browser.ts';
import { countTaps, tapsOf } from '../support/count-taps.ts';
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
}, 120_000);

test('one of 400 is found by two words while typing, and opened by one click', async () => {
  const page = await openWindow(browser, server, lab.vera);
  await countTaps(page);
  await page.goto('/');
  await page.keyboard.press('/');
  await page.keyboard.type('ult micro');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await dialog.getByText('Found: 1').waitFor();
  await takePicture(page, 'search-over');
  await dialog.getByRole('link', { name: 'ULT 308' }).click();
  await page.getByRole('heading', { name: 'ULT 308' }).waitFor();
  expect(await tapsOf(page)).toBe(1);
});

test('without a mouse: search, open, back, go to the alarms, list the keys', async () => {
  const page = await openWindow(browser, server, lab.vera);
  await page.goto('/services');
  await page.keyboard.press('/');
  await page.keyboard.type('virology');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await dialog.getByText('More than').waitFor();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
  await page.keyboard.type(' ult');
  await dialog.getByText('Found: 1').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'ULT 8' }).waitFor();
  await page.goBack();
  await page.waitForURL('**/services');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.getByRole('heading', { name: 'Alarms', level: 1 }).waitFor();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await keys.getByText('On call').waitFor();
  await expectAccessible(page);
  await takePicture(page, 'keys-over');
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
});

test('Enter opens the first one, however fast somebody types', async () => {
  const page = await openWindow(browser, server, lab.vera);
  await page.goto('/');
  await page.keyboard.press('/');
  await page.keyboard.type('ult biobank');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'ULT 208' }).waitFor();
});

test('in a field keys are letters, and whoever wants none of them switches them off', async () => {
  const page = await openWindow(browser, server, lab.vera);
  await page.goto('/services');
  await page.getByRole('searchbox', { name: 'Search' }).fill('');
  await page.getByRole('searchbox', { name: 'Search' }).focus();
  await page.keyboard.type('g a/?');
  expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('g a/?');
  expect(await page.getByRole('dialog').count()).toBe(0);

  await page.goto('/keys');
  await page.getByLabel('Use these keys in this browser').uncheck();
  await page.goto('/downtimes');
  await page.keyboard.press('/');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.getByRole('link', { name: 'Keyboard shortcuts' }).click();
  await page.getByLabel('Use these keys in this browser').check();
  await page.keyboard.press('Escape');
  expect(page.url()).toContain('/downtimes');
  await page.keyboard.press('/');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
});

describe.each(WINDOWS)('on a %s', (size) => {
  test('search, keys and the settings by group can be read by everybody', async () => {
    const page = await openWindow(browser, server, lab.ada, { size });
    for (const [name, path] of [
      ['search-empty', '/search'],
      ['search-nothing', '/search?q=zeppelin'],
      ['search-many', '/search?q=incubator'],
      ['search-all-kinds', '/search?q=o'],
      ['keys', '/keys'],
      ['settings-groups', '/settings'],
      ['settings-in-groups', '/settings/locations'],
    ] as const) {
      await page.goto(path);
      await expectReadable(page, name);
    }
    await page.goto('/');
    await page.getByRole('link', { name: 'Search' }).click();
    await page.keyboard.type('cell');
    await page.getByRole('dialog').getByText('More than').waitFor();
    await expectReadable(page, 'search-over-page');
  });
});

test('without scripts the search is a page, and its form finds', async () => {
  const page = await openWindow(browser, server, lab.vera, { scripts: false });
  await page.goto('/');
  await page.getByRole('link', { name: 'Search' }).click();
  await page.getByLabel('Equipment, places, people, groups, settings').fill('ULT Microscopy');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'ULT 308' }).click();
  await page.getByRole('heading', { name: 'ULT 308' }).waitFor();
});

test.each([true, false])(
  'a phone shows alarms and equipment, and the rest under the menu (scripts: %s)',
  async (scripts) => {
    const page = await openWindow(browser, server, lab.ada, { size: 'phone', scripts });
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto('/');
    const main = page.getByRole('navigation', { name: 'Main' });
    expect(await main.getByRole('link').allTextContents()).toEqual(['Alarms', 'Equipment']);
    await expectNoSidewaysScroll(page);
    await page.getByText('Menu', { exact: true }).click();
    const menu = page.getByRole('navigation', { name: 'Account' });
    expect(await menu.getByRole('link').allTextContents()).toEqual(
      expect.arrayContaining(['On call', 'Downtimes', 'Audit', 'Settings', 'Your profile']),
    );
    await takePicture(page, `menu-${scripts}`);
    await menu.getByRole('link', { name: 'Downtimes' }).click();
    await page.getByRole('heading', { name: 'Downtimes', level: 1 }).waitFor();
  },
);
