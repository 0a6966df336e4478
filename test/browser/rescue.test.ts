import type { Browser } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  openWindow,
  takePicture,
  test,
} from '../support/browser.ts';
import { openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});

test.each([360, 1280])('at %i px two taps lead from the alarm to a reserved place', async (width) => {
  const desk = await openDeliveryDesk(server);
  const [failing, refuge] = (await desk.freezers(2)) as [ToldFreezer, ToldFreezer];
  await failing.cools();
  await refuge.cools();
  const said = { temperature_class: 'ultra_low', racks: '6' };
  await desk.lab.ada.post(`/services/${failing.id}/rescue`, said);
  await desk.lab.ada.post(`/services/${refuge.id}/rescue`, { ...said, free_racks: '12' });
  server.clock.advance(minutes(1));
  await failing.warms();
  const page = await openWindow(browser, server, desk.lab.ada, { scheme: width === 360 ? 'dark' : 'light' });
  await page.setViewportSize({ width, height: 740 });
  const look = async (name: string) => {
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await takePicture(page, `rescue-${name}-${width}`);
  };
  await page.goto(`/services/${failing.id}`);
  await look('alarm');
  await page.getByRole('link', { name: 'Where its contents go' }).click();
  await look('plan');
  await page.getByRole('button', { name: `Reserve 6 racks ${refuge.name}` }).click();
  await page.getByText('Reserved for a week.').waitFor();
  await look('reserved');
  await page.goto(`/services/${refuge.id}/rescue`);
  await look('settings');
  expect(await page.getByLabel('Free racks').inputValue()).toBe('12');
});
