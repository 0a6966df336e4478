import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, takePicture } from '../support/browser.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

const LIMITS = [
  { channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 }, WARNING_HIGH: { limit: -70 } } },
];
const SCREENS = [
  { name: 'hd', viewport: { width: 1920, height: 1080 } },
  { name: '4k', viewport: { width: 3840, height: 2160 } },
].flatMap((screen) => (['light', 'dark'] as const).map((scheme) => ({ ...screen, scheme })));

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

describe.each(SCREENS)('on a $name screen, $scheme', ({ name, viewport, scheme }) => {
  test.each([0, 3, 8, 60])('a hundred services with %i alarms fit without scrolling', async (count) => {
    const lab = await openLab(server);
    await warmUp(lab, count);
    const page = await hangScreen(lab, { viewport, colorScheme: scheme });
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const height = await page.evaluate('document.documentElement.scrollHeight');
    expect(height).toBe(viewport.height);
    await takePicture(page, `wall-${count}-${name}-${scheme}`);
  });
});

test('names of up to nine alarms can be read from five metres', async () => {
  const lab = await openLab(server);
  await warmUp(lab, 8);
  const page = await hangScreen(lab);
  const size = await page.evaluate(
    "parseFloat(getComputedStyle(document.querySelector('.wall-tile h2')).fontSize)",
  );
  // 40 of 1080 lines are 25 mm on a screen of 55 inches.
  expect(size).toBeGreaterThanOrEqual(40);
});

test('it renews itself, says so when it cannot, and recovers', async () => {
  const lab = await openLab(server);
  const freezer = await lab.freezer({ name: 'Lonely', limits: LIMITS });
  await freezer.reads(-80);
  const page = await hangScreen(lab);
  expect(await page.textContent('main')).toContain('All is well');
  await lab.advance(minutes(1));
  await freezer.reads(-40);
  await page.waitForSelector('.wall-tile-critical', { timeout: 25_000 });
  await page.context().setOffline(true);
  await page.waitForSelector('[data-wall-lost]:not([hidden])', { timeout: 25_000 });
  expect(await page.textContent('[data-wall-lost]')).toContain('Connection lost');
  expect(await page.textContent('main')).toContain('Lonely');
  await expectAccessible(page);
  await page.context().setOffline(false);
  await page.waitForSelector('[data-wall-lost]', { state: 'hidden', timeout: 25_000 });
}, 120_000);

test('without scripts the browser asks again by itself', async () => {
  const page = await hangScreen(await openLab(server), { javaScriptEnabled: false });
  expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('15');
});
