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

test.each([360, 1280])('at %i px who would go where: chosen, read, kept and reported', async (width) => {
  const desk = await openDeliveryDesk(server);
  const freezers = await desk.freezers(5);
  for (const freezer of freezers) await freezer.cools();
  const places = [
    'House 2 / Floor 1 / Room 1',
    'House 2 / Floor 1 / Room 2',
    'House 2 / Floor 2',
    'House 2 / Floor 2',
    'Shed',
  ];
  await desk.lab.organizationEntry({
    services: freezers.map(({ name }, index) => ({
      name,
      location: places[index],
      rescue: {
        temperature_class: 'ultra_low',
        racks: index < 3 ? 6 + index : 0,
        free_racks: index < 3 ? null : 8,
        rescue_order: index + 1,
      },
    })),
  });
  server.clock.advance(minutes(1));
  const page = await openWindow(browser, server, desk.lab.ada, { scheme: width === 360 ? 'dark' : 'light' });
  await page.setViewportSize({ width, height: 740 });
  const look = async (name: string) => {
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await takePicture(page, `who-would-go-where-${name}-${width}`);
  };
  await page.goto(`/services/${freezers[0]?.id}/rescue`);
  await page.getByRole('link', { name: 'Who would go where if this place had no power' }).click();
  await page.getByText('There is room for all of it.').waitFor();
  await page.getByLabel('Location').selectOption({ label: 'House 2' });
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('heading', { name: 'Places that are missing' }).waitFor();
  await look('plan');
  await page.getByLabel('Remarks').fill('Dry ice came late');
  await page.getByRole('button', { name: 'Keep this drill' }).click();
  await page.getByText('The drill is kept.').waitFor();
  await look('report');
  await page.goto('/rescue/drill');
  await look('choice');
  await page.goto('/rescue/drills?year=2020');
  await look('empty');
});

test.each([360, 1280])(
  'at %i px what was reserved is settled, at the unit and at its refuge',
  async (width) => {
    const desk = await openDeliveryDesk(server);
    const [failing, other, refuge] = (await desk.freezers(3)) as [ToldFreezer, ToldFreezer, ToldFreezer];
    for (const unit of [failing, other, refuge]) await unit.cools();
    const inside = { temperature_class: 'ultra_low', racks: 6 };
    await desk.lab.organizationEntry({
      services: [
        { name: failing.name, location: 'Room 1', rescue: { ...inside, rescue_order: 1 } },
        { name: other.name, location: 'Room 1', rescue: { ...inside, rescue_order: 2 } },
        { name: refuge.name, location: 'Room 2', rescue: { temperature_class: 'ultra_low', free_racks: 14 } },
      ],
    });
    server.clock.advance(minutes(1));
    await desk.warmAll([failing, other]);
    const page = await openWindow(browser, server, desk.lab.ada, {
      scheme: width === 360 ? 'dark' : 'light',
    });
    await page.setViewportSize({ width, height: 740 });
    const look = async (name: string) => {
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await takePicture(page, `reservations-${name}-${width}`);
    };
    await page.goto('/');
    await look('list');
    await page.goto(`/alarms/${failing.id}/rescue`);
    await page.getByRole('button', { name: /Reserve 6 racks/ }).click();
    await page.getByRole('button', { name: /^Moved in/ }).waitFor();
    await look('reserved');
    await page.goto(`/services/${refuge.id}`);
    await page.getByText('keep the door shut').waitFor();
    await look('note');
    await page.goto(`/services/${refuge.id}/rescue`);
    await look('refuge');
    await page.getByRole('button', { name: /^Moved in/ }).click();
    await page.getByText('The refuge has so many free racks less.').waitFor();
    await page.goto(`/alarms/${failing.id}/rescue`);
    await look('moved');
  },
);
