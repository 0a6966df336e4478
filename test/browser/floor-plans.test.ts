// Floor plans in a browser: uploaded, units dragged or typed to where they stand, and looked at.
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { expectReadable, launchBrowser, openWindow, test, WINDOWS } from '../support/browser.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { drawRoom } from '../support/pictures.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
  lab = await openLab(server);
  await lab.applyAll(
    Array.from({ length: 6 }, (_, index) => ({
      name: `Freezer ${index + 1}`,
      location: index < 3 ? 'House / Hall' : 'House / Cellar',
      device: { key: `unit-${index}` },
      channels: [{ name: 'temperature', label: 'Temperature', unit: '°C', kind: 'metric' }],
      limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
    })),
  );
  await lab.post(
    Array.from({ length: 6 }, (_, index) => ({
      device: `unit-${index}`,
      values: { temperature: index === 0 ? -40 : -80 },
    })),
  );
}, 120_000);

const picture = { name: 'plan.png', mimeType: 'image/png', buffer: drawRoom(800, 500) };

describe.each(WINDOWS)('on a %s', (size) => {
  test('a picture is uploaded, units are put where they stand, and the overview leads to it', async () => {
    const place = size === 'phone' ? '/house' : '/house/hall';
    const page = await openWindow(browser, server, lab.ada, { size });
    await page.goto('/settings/floor-plans');
    await expectReadable(page, 'floor-plans');
    await page.getByLabel('Place').selectOption(place);
    await page.getByLabel('Picture').setInputFiles(picture);
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('The picture is there.').waitFor();
    await page.getByRole('button', { name: 'Put on the plan: Freezer 1' }).click();
    const marker = page.locator('[data-marker]').filter({ hasText: 'Freezer 1' }).locator('circle');
    const plan = await page.locator('.plan').boundingBox();
    const from = await marker.boundingBox();
    if (!plan || !from) throw new Error('nothing is drawn');
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(plan.x + plan.width * 0.25, plan.y + plan.height * 0.5, { steps: 4 });
    await page.mouse.up();
    const left = page.getByLabel('Freezer 1, from the left in percent');
    expect(Math.abs(Number(await left.inputValue()) - 25)).toBeLessThan(1);
    await page.getByLabel('Freezer 2, from the left in percent').fill('75');
    await page.getByLabel('Freezer 2, from the top in percent').fill('30,5');
    expect(await page.locator('[data-marker]').filter({ hasText: 'Freezer 2' }).getAttribute('y')).toBe(
      '30.5%',
    );
    await expectReadable(page, 'floor-plan-settings');
    await page.getByRole('button', { name: 'Save places' }).click();
    await page.getByText('Saved. The overview').waitFor();
    await page.goto('/overview');
    await page
      .getByRole('link', { name: `Floor plan of ${size === 'phone' ? 'House' : 'Hall'}`, exact: true })
      .click();
    await expectReadable(page, 'floor-plan-overview');
    await page.locator('.plan').getByRole('link', { name: 'Freezer 1: Critical' }).click();
    await page.getByRole('heading', { name: 'Freezer 1' }).waitFor();
  });
});

test('without scripts it is uploaded and typed, and what changes is shown without reloading', async () => {
  const plain = await openWindow(browser, server, lab.ada, { scripts: false });
  await plain.goto('/settings/floor-plans');
  await plain.getByLabel('Place').selectOption('/house/cellar');
  await plain.getByLabel('Picture').setInputFiles(picture);
  await plain.getByRole('button', { name: 'Upload' }).click();
  await plain.getByLabel('Freezer 4, from the left in percent').fill('10');
  await plain.getByLabel('Freezer 4, from the top in percent').fill('90');
  await plain.getByRole('button', { name: 'Save places' }).click();
  const page = await openWindow(browser, server, lab.vera);
  await page.goto('/overview?location=/house/cellar');
  await page.getByText('Live, updated').waitFor();
  await page.locator('.plan').getByRole('link', { name: 'Freezer 4: Normal' }).waitFor();
  await lab.advance(minutes(1));
  await lab.post([{ device: 'unit-3', values: { temperature: -20 } }]);
  await page.locator('.plan').getByRole('link', { name: 'Freezer 4: Critical' }).waitFor();
});
