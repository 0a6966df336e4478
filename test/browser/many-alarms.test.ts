// Many alarms at once: they fit a phone, lead to some of them, and fold where one place has many.
import type { Browser } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { expectReadable, launchBrowser, openWindow, test, WINDOWS } from '../support/browser.ts';
import { acknowledgementsOf } from '../support/equipment.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { watchedBy } from '../support/notification-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});
beforeEach(async () => {
  lab = await openLab(server);
  await lab.group({ name: 'Cold team', accounts: [lab.oscar.email] });
});

/** As many in alarm as rooms are named, one in each. */
async function warmUp(rooms: readonly string[]): Promise<void> {
  const stamp = Math.random().toString(36).slice(2);
  await lab.applyAll(
    rooms.map((location, index) => ({
      name: `ULT freezer ${index + 1}`,
      location,
      asset: `ULT-${index + 1}`,
      device: { key: `${stamp}-${index}` },
      channels: [{ name: 'temperature', label: 'Temperature', unit: '°C', kind: 'metric' }],
      ...watchedBy('Cold team'),
    })),
  );
  await lab.post(
    rooms.map((_, index) => ({
      device: `${stamp}-${index}`,
      values: { temperature: index % 3 === 0 ? -47.9 : -62 },
    })),
  );
  await lab.advance(minutes(80));
}

const ROOMS = Array.from({ length: 17 }, (_, index) => `Room ${index + 100}`);

test('seventeen alarms fit three screens of a small phone, and each can still be acknowledged', async () => {
  await warmUp(ROOMS);
  const page = await openWindow(browser, server, lab.oscar, { size: 'phone' });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  const last = await page.locator('.alarm').last().boundingBox();
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(3 * 740);
  const rightOf = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  expect(await rightOf('.alarm .button-primary')).toBeLessThan(await rightOf('.alarm'));
  const button = page.getByRole('button', { name: 'Acknowledge ULT freezer 1 (Room 100)' });
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await button.click();
  await page.getByText('Acknowledged at critical by Oscar').waitFor();
});

describe.each(WINDOWS)('on a %s', (size) => {
  test('what is shown of many can be read by everybody', async () => {
    await warmUp([...ROOMS, ...Array.from({ length: 7 }, () => 'Biobank')]);
    const page = await openWindow(browser, server, lab.oscar, { size });
    await page.goto('/');
    await page.getByText('Live, updated').waitFor();
    await expectReadable(page, 'alarms-many');
    await page.goto('/?severity=stale');
    await page.getByText('None of the active alarms is one of these.').waitFor();
    await expectReadable(page, 'alarms-none-of-these');
  });
});

test.each([true, false])('a count leads to those it counts, and back (scripts: %s)', async (scripts) => {
  await warmUp(ROOMS);
  const page = await openWindow(browser, server, lab.oscar, { scripts });
  await page.goto('/');
  expect(await page.locator('.alarm').count()).toBe(17);
  await page.getByRole('link', { name: '6 critical' }).click();
  await page.waitForURL('**/?severity=critical');
  expect(await page.locator('.alarm').count()).toBe(6);
  await page.getByRole('link', { name: '11 warning' }).click();
  await page.waitForURL('**/?severity=warning');
  expect(await page.locator('.alarm').count()).toBe(11);
  await page.getByRole('link', { name: 'Show all alarms' }).click();
  expect(await page.locator('.alarm').count()).toBe(17);
  await page.getByText('Show some of them').click();
  await page.getByLabel('Location').selectOption('Room 103');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.waitForURL(/location=\d+/);
  expect(await page.locator('.alarm').count()).toBe(1);
});

test('what is chosen survives news and an act', async () => {
  await warmUp(ROOMS.slice(0, 9));
  const freezer = await lab.freezer({ name: 'Late one', ...watchedBy('Cold team') });
  const page = await openWindow(browser, server, lab.oscar);
  await page.goto('/?severity=critical');
  await page.getByText('Live, updated').waitFor();
  await freezer.reads(-40);
  await page.locator(`#alarm-${freezer.id}`).waitFor();
  expect(await page.locator('.alarm').count()).toBe(4);
  await page.getByRole('button', { name: 'Acknowledge Late one' }).click();
  await page.getByText('Acknowledged at critical by Oscar').waitFor();
  expect(await acknowledgementsOf(server, { ...freezer, name: 'Late one' })).toHaveLength(1);
  await page.goto('/?mine=yes');
  expect(await page.locator('.alarm').count()).toBe(1);
});

test('many of one place fold, and stay folded until something new in it has to be seen', async () => {
  await warmUp([...Array.from({ length: 6 }, () => 'Biobank'), 'Room 1']);
  const page = await openWindow(browser, server, lab.oscar);
  await page.goto('/');
  await page.getByText('Live, updated').waitFor();
  const fold = page.locator('details.fold');
  expect(await fold.locator('summary').textContent()).toContain('2 critical');
  expect(await fold.locator('.alarm').first().isVisible()).toBe(true);
  await fold.locator('summary').click();
  await fold.locator('.alarm').first().waitFor({ state: 'hidden' });

  const other = await lab.freezer({
    name: 'Elsewhere',
    location: 'Room 2',
    ...watchedBy('Cold team'),
  });
  await other.reads(-40);
  await page.locator(`#alarm-${other.id}`).waitFor();
  expect(await fold.locator('.alarm').first().isVisible()).toBe(false);

  const within = await lab.freezer({
    name: 'One more',
    location: 'Biobank',
    ...watchedBy('Cold team'),
  });
  await lab.advance(minutes(1));
  await within.reads(-40);
  await fold.getByText('3 critical').waitFor();
  expect(await page.locator(`#alarm-${within.id}`).isVisible()).toBe(true);
});
