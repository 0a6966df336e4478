import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished } from 'vitest';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  takePicture,
  test,
} from '../support/browser.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

const LIMITS = [
  { channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 }, WARNING_HIGH: { limit: -70 } } },
];
const SCREENS = [
  { name: 'hd', viewport: { width: 1920, height: 1080 }, scheme: 'light' },
  { name: 'hd', viewport: { width: 1920, height: 1080 }, scheme: 'dark' },
  { name: '4k', viewport: { width: 3840, height: 2160 }, scheme: 'dark' },
] as const;

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});

async function hangScreen(lab: Lab, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const ada = await signedIn(server, lab.ada);
  const shown = await (await ada.send('/settings/wall/create', { name: `Screen ${Math.random()}` })).text();
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1920, height: 1080 },
    ...options,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(/href="(\/wall\/[\w-]+)"/.exec(shown)?.[1] ?? '');
  return page;
}

async function warmUp(lab: Lab, count: number): Promise<void> {
  const services = Array.from({ length: 100 }, (_, index) => ({
    name: `ULT freezer ${index + 1}`,
    location: 'Room 101',
    asset: `ULT-${index + 1}`,
    device: { key: `unit-${index}` },
    channels: [{ name: 'temperature', label: 'Temperature', unit: '°C', kind: 'metric' }],
    limits: LIMITS,
  }));
  await lab.applyAll(services);
  const values = (index: number) => ({ temperature: index >= count ? -80 : index % 2 === 0 ? -40 : -65 });
  await lab.post(services.map(({ device: { key } }, index) => ({ device: key, values: values(index) })));
}

test.each([0, 3, 8, 60])(
  'a hundred services with %i alarms fit every screen without scrolling, and can be read from five metres',
  async (count) => {
    const lab = await openLab(server);
    await warmUp(lab, count);
    const page = await hangScreen(lab);
    for (const { name, viewport, scheme } of SCREENS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: scheme });
      await expectNoSidewaysScroll(page);
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(viewport.height);
      // 40 of 1080 lines are 25 mm on a screen of 55 inches.
      const names = page.locator('.wall-tile h2');
      for (const size of await names.evaluateAll((all) => all.map((one) => getComputedStyle(one).fontSize)))
        expect(Number.parseFloat(size)).toBeGreaterThanOrEqual((40 / 1080) * viewport.height);
      // What it finds depends on the colours, and on what is there, not on how large it is.
      if (name === 'hd') await expectAccessible(page);
      await takePicture(page, `wall-${count}-${name}-${scheme}`);
    }
    expect(await page.locator('.wall-tile').count()).toBe(Math.min(count, 18));
    if (count > 18) expect(await page.textContent('main')).toContain(`and ${count - 18} more`);
  },
);

test('it renews itself, says so when it cannot, and recovers', async () => {
  const lab = await openLab(server);
  const freezer = await lab.freezer({ name: 'Lonely', limits: LIMITS });
  await freezer.reads(-80);
  const page = await hangScreen(lab);
  await page.clock.install();
  await page.reload();
  expect(await page.textContent('main')).toContain('All is well');
  await lab.advance(minutes(1));
  await freezer.reads(-40);
  await page.clock.runFor(seconds(15));
  await page.waitForSelector('.wall-tile-critical');
  await page.context().setOffline(true);
  await page.clock.runFor(seconds(15));
  await page.waitForSelector('[data-wall-lost]:not([hidden])');
  expect(await page.textContent('[data-wall-lost]')).toContain('Connection lost');
  expect(await page.textContent('main')).toContain('Lonely');
  await expectAccessible(page);
  await page.context().setOffline(false);
  await page.clock.runFor(seconds(15));
  await page.waitForSelector('[data-wall-lost]', { state: 'hidden' });
});

test('without scripts the browser asks again by itself', async () => {
  const page = await hangScreen(await openLab(server), { javaScriptEnabled: false });
  expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('15');
});
