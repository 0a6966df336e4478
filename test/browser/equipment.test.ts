// The list of equipment, as somebody uses it who has hundreds of units.
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { expectReadable, launchBrowser, openWindow, takePicture, test, WINDOWS } from '../support/browser.ts';
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
  await lab.group({ name: 'Cold team', emails: ['cold@lab.example'] });
  await lab.applyAll(
    Array.from({ length: 400 }, (_, index) => ({
      name: `${index % 100 === 7 ? 'ULT' : 'Incubator'} ${index + 1}`,
      location: PLACES[Math.floor(index / 100)],
      ...(index < 20 && { asset: `Tray ${index}` }),
      ...(index >= 200 && index < 230 && { asset: `Stack ${index}` }),
      channels: [{ name: 'temperature', label: 'Temperature', unit: '°C', kind: 'metric' }],
      notifications: { group: 'Cold team', send_critical: true },
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
    await countTaps(page);
    await page.goto('/services');
    await page.getByLabel('Search', { exact: true }).click();
    await page.keyboard.type('micro ult');
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('link', { name: 'ULT 308' }).click();
    await page.getByRole('heading', { name: 'ULT 308' }).waitFor();
    expect(await tapsOf(page)).toBe(2);
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

describe.each(WINDOWS)('on a %s, by few taps', (size) => {
  const openList = async (who: 'oscar' | 'ada') => {
    const page = await openWindow(browser, server, lab[who], { size });
    await countTaps(page);
    await page.goto('/services');
    return page;
  };
  const find = async (page: Page, words: string, count: string) => {
    await page.getByLabel('Search', { exact: true }).click();
    await page.keyboard.type(words);
    await page.getByText(`of ${count}`).waitFor();
  };
  const all = (page: Page) => page.getByRole('checkbox', { name: /^All/ });

  test('20 units are muted by at most 6, and unmuted by one more', async () => {
    const page = await openList('oscar');
    await find(page, 'tray virology', '20');
    await all(page).click();
    await takePicture(page, `equipment-bar-${size}`);
    await expectReadable(page, 'equipment-selected');
    await page.getByRole('button', { name: 'Mute', exact: true }).click();
    await takePicture(page, `mute-many-${size}`);
    await expectReadable(page, 'mute-many');
    await page.getByRole('button', { name: 'Mute 20 units' }).click();
    await page.getByText('20 units are muted.').waitFor();
    expect(await tapsOf(page)).toBeLessThanOrEqual(6);
    await takePicture(page, `muted-many-${size}`);
    await expectReadable(page, 'muted-many');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone for 20 units.').waitFor();
    expect(await tapsOf(page)).toBeLessThanOrEqual(7);
  });

  test('a room has its downtime by at most 8', async () => {
    const page = await openList('oscar');
    await find(page, 'microscopy', '100');
    await all(page).click();
    await page.getByRole('button', { name: 'Downtime', exact: true }).click();
    await page.getByLabel('Reason', { exact: true }).click();
    await page.keyboard.type('Defrost');
    await takePicture(page, `downtime-many-${size}`);
    await expectReadable(page, 'downtime-many');
    await page.getByRole('button', { name: 'Schedule a downtime of 100 units' }).click();
    await page.getByText('A downtime of 100 units is scheduled.').waitFor();
    expect(await tapsOf(page)).toBeLessThanOrEqual(8);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone for 100 units.').waitFor();
  });

  test('30 units have their limits by at most 8', async () => {
    const page = await openList('ada');
    await find(page, 'stack biobank', '30');
    await all(page).click();
    await page.getByRole('button', { name: 'Limits', exact: true }).click();
    await page.getByLabel('Limits', { exact: true }).click();
    await page.getByLabel('Limits', { exact: true }).selectOption('template-incubator');
    await page.getByRole('button', { name: 'Show what changes' }).click();
    await takePicture(page, `limits-many-${size}`);
    await expectReadable(page, 'limits-many');
    await page.getByRole('button', { name: 'Set the limits of 30 units' }).click();
    await page.getByText('30 units have other limits').waitFor();
    // And one to choose in the list that the browser opens.
    expect((await tapsOf(page)) + 1).toBeLessThanOrEqual(8);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone for 30 units.').waitFor();
  });

  test('boxes of a page are ticked one by one or all together, and counted', async () => {
    const page = await openList('ada');
    await page.getByLabel('Select Incubator 1', { exact: true }).click();
    await page.getByLabel('Select Incubator 2', { exact: true }).click();
    await page.getByText('2 selected').waitFor();
    if (size === 'desk') {
      await page.getByLabel('Select all on this page').click();
      await page.getByText('50 selected').waitFor();
      await page.getByLabel('Select all on this page').click();
      await page.getByLabel('Select Incubator 1', { exact: true }).click();
      await page.getByLabel('Select Incubator 2', { exact: true }).click();
    }
    await takePicture(page, `equipment-ticked-${size}`);
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByRole('heading', { name: 'Archive 2 units?' }).waitFor();
    await takePicture(page, `archive-many-${size}`);
    await expectReadable(page, 'archive-many');
    await page.getByRole('link', { name: 'Leave it as it is' }).click();
    await page.getByText('1–50 of 401').waitFor();
  });
});

test('without scripts boxes and bar work as well', async () => {
  const page = await openWindow(browser, server, lab.oscar, { scripts: false });
  await page.goto('/services?q=virology+ult');
  await page.getByLabel('Select ULT 8').check();
  await page.getByRole('button', { name: 'Stickers' }).click();
  await page.getByText('ULT 8').waitFor();
  await page.goto('/services?q=virology+ult');
  await page.getByLabel('Select ULT 8').check();
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await page.getByRole('button', { name: 'Mute 1 unit' }).click();
  await page.getByText('1 unit is muted.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone for 1 unit.').waitFor();
});
