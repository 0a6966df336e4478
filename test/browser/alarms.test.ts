import type { Browser } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { expectReadable, launchBrowser, openWindow, takePicture, test, WINDOWS } from '../support/browser.ts';
import {
  acknowledgementsOf,
  createFreezer,
  type Freezer,
  minutesAgo,
  mutesOf,
  setAlarm,
  setDowntime,
  setLimits,
  setStale,
  setTelemetry,
} from '../support/equipment.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const FREEZER = {
  location: 'Room 101',
  limits: [
    { channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 }, WARNING_HIGH: { limit: -70 } } },
  ],
};

let server: TestServer;
let browser: Browser;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});
beforeEach(async () => {
  lab = await openLab(server);
});

/** One of each kind, in each stage of being dealt with. */
async function fillBoard(): Promise<Freezer> {
  const make = (name: string, location?: string) =>
    createFreezer(server, lab, { name, ...(location !== undefined && { location }) });
  const hot = await make('ULT freezer 3', 'Room 101');
  await setAlarm(server, hot, { severity: 'critical', since: minutesAgo(server, 12) });
  await setTelemetry(server, hot, 'temperature', minutesAgo(server, 1));
  const taken = await make('Cold room with quite a long name, second floor', 'Building B, second floor');
  await setAlarm(server, taken, { severity: 'critical', since: minutesAgo(server, 190) });
  await lab.oscar.post(`/api/v1/alarms/${taken.id}/acknowledge`, { comment: 'On my way, door was open' });
  await setStale(server, taken, minutesAgo(server, 20));
  const warm = await make('Incubator 2');
  await setAlarm(server, warm, {
    severity: 'warning',
    since: minutesAgo(server, 3000),
    message: 'Temperature 38.4 °C is above the warning limit of 38 °C',
  });
  await lab.oscar.post(`/api/v1/services/${warm.id}/mute`, { reason: 'Sensor is being replaced' });
  const stale = await make('Cryo tank 1', 'Basement');
  await setStale(server, stale, minutesAgo(server, 45));
  const quiet = await make('Freezer being defrosted');
  await setDowntime(server, quiet, -hours(1), hours(1));
  return hot;
}

describe.each(WINDOWS)('on a %s', (size) => {
  test('a full board can be read by everybody', async () => {
    await fillBoard();
    const page = await openWindow(browser, server, lab.oscar, { size });
    await page.goto('/');
    await page.getByText('Live, updated').waitFor();
    await expectReadable(page, 'alarms-full');
  });

  test('a quiet lab says that all is well, and since when it knows', async () => {
    const freezer = await createFreezer(server, lab, { name: 'Freezer' });
    await setTelemetry(server, freezer, 'temperature', minutesAgo(server, 2));
    const page = await openWindow(browser, server, lab.vera, { size });
    await page.goto('/');
    expect(await page.textContent('#board')).toContain('Not everything is watched yet');
    await expectReadable(page, 'alarms-unwatched');
    await setLimits(server, freezer);
    await page.reload();
    expect(await page.textContent('#board')).toContain('All is well');
    expect(await page.textContent('#board')).toContain('2 minutes ago');
    await expectReadable(page, 'alarms-quiet');
  });
});

test('on a phone the header is one row, its menu opens without scripts, and the alarms begin high', async () => {
  await fillBoard();
  const page = await openWindow(browser, server, lab.ada, { size: 'phone', scripts: false });
  await page.goto('/');
  const topOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? NaN;
  expect(await topOf('main')).toBeLessThanOrEqual(60);
  expect(await topOf('.alarm')).toBeLessThan(240);
  await page.getByText('Menu').click();
  for (const name of ['Audit', 'Settings', 'Your profile']) {
    const link = page.getByRole('link', { name });
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
});

test.each(['phone', 'desk'] as const)(
  'an operator acknowledges with a comment, and takes it back (%s)',
  async (size) => {
    const freezer = await fillBoard();
    const page = await openWindow(browser, server, lab.oscar, { size });
    await page.goto('/');
    await page.getByLabel('Comment on the alarm of ULT freezer 3').fill('Looking after it');
    await page.getByRole('button', { name: 'Acknowledge ULT freezer 3' }).click();
    const row = page.locator(`#alarm-${freezer.id}`);
    await row.getByText('Acknowledged at critical by Oscar').waitFor();
    expect(await row.textContent()).toContain('Looking after it');
    await row.getByRole('button', { name: 'Remove acknowledgement of ULT freezer 3' }).click();
    await page.getByRole('button', { name: 'Acknowledge ULT freezer 3' }).waitFor();
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([
      { comment: 'Looking after it', endReason: 'removed' },
    ]);
  },
);

test.each(['phone', 'desk'] as const)(
  'mutes with an end, on a page of its own, and plans downtime there (%s)',
  async (size) => {
    const freezer = await fillBoard();
    const page = await openWindow(browser, server, lab.oscar, { size });
    await page.goto('/');
    await page.getByRole('link', { name: 'Mute or plan downtime for ULT freezer 3' }).click();
    await page.getByRole('button', { name: 'Mute ULT freezer 3' }).waitFor();
    expect(await page.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
    await expectReadable(page, 'alarms-panel');
    await page.getByLabel('Reason for muting ULT freezer 3').fill('Compressor swap');
    await page.getByRole('button', { name: 'Mute ULT freezer 3' }).click();
    await page.getByText('Muted: nobody is notified until that ends').waitFor();
    expect(await mutesOf(server, freezer)).toMatchObject([{ reason: 'Compressor swap', endedAt: null }]);

    await page.getByRole('link', { name: 'Mute or plan downtime for ULT freezer 3' }).click();
    await page.getByLabel('Reason', { exact: true }).fill('Repair');
    await page.getByRole('button', { name: 'Schedule downtime' }).click();
    await page.getByText('The downtime is scheduled.').waitFor();
    await page.goto('/');
    expect(await page.locator(`#alarm-${freezer.id}`).count()).toBe(0);
    expect(await page.textContent('#board')).toContain('2 services are in downtime');
  },
);

test.each(['phone', 'desk'] as const)(
  'who has an alarm hands it over or gives it back, and whoever is asked takes it by one button (%s)',
  async (size) => {
    const freezer = await fillBoard();
    const group = await lab.group({ name: `Cold team ${size}`, accounts: [lab.oscar.email, lab.ada.email] });
    await server.db.query(sql`
      update service_settings set notification_group_id = ${group}, send_critical = true where service_id = ${freezer.id}`);
    const oscar = await openWindow(browser, server, lab.oscar, { size });
    await oscar.goto('/');
    await oscar.getByRole('button', { name: 'Acknowledge ULT freezer 3' }).click();
    await oscar.getByRole('link', { name: 'Cannot go, or hand over ULT freezer 3' }).click();
    await oscar.getByText('It is yours now').waitFor();
    await oscar.getByText('There is no further step, so Ada is notified again at once.').waitFor();
    await expectReadable(oscar, `alarm-taken-${size}`);
    await oscar.getByLabel('Hand it to somebody else').selectOption('Ada');
    await oscar.getByRole('button', { name: 'Hand it over' }).click();
    await oscar.getByText('They are notified now.').waitFor();
    await expectReadable(oscar, `alarm-handed-${size}`);

    const ada = await openWindow(browser, server, lab.ada, { size });
    await ada.goto(`/alarms/${freezer.id}/taken`);
    await expectReadable(ada, `alarm-offered-${size}`);
    await ada.getByRole('button', { name: 'I take it' }).click();
    await ada.getByText('The alarm is yours now.').waitFor();
    await ada.getByRole('button', { name: 'I cannot go' }).click();
    await ada.getByText('You gave the alarm back').waitFor();
    expect((await acknowledgementsOf(server, freezer)).map(({ endReason }) => endReason)).toEqual([
      'handed_over',
      'removed',
    ]);
  },
);

test('a new alarm appears by itself, within a second or two, and leaves a form alone that is being filled in', async () => {
  const first = await lab.freezer({ name: 'First', ...FREEZER });
  const second = await lab.freezer({ name: 'Second', ...FREEZER });
  await first.reads(-50);
  const page = await openWindow(browser, server, lab.oscar);
  await page.goto('/');
  await page.getByText('Live, updated').waitFor();
  const comment = page.getByLabel('Comment on the alarm of First');
  await comment.click();
  await page.keyboard.type('half a sent');

  server.clock.advance(minutes(1));
  await second.reads(-50);
  await page.locator(`#alarm-${second.id}`).waitFor();
  await page.keyboard.type('ence');
  expect(await comment.inputValue()).toBe('half a sentence');

  server.clock.advance(minutes(1));
  await second.reads(-80);
  await page.locator(`#alarm-${second.id}`).waitFor({ state: 'detached' });
});

test('a downtime that begins or ends by the clock is shown at once', async () => {
  const freezer = await fillBoard();
  await setDowntime(server, freezer, seconds(1), seconds(2));
  const page = await openWindow(browser, server, lab.vera);
  await page.goto('/');
  const row = page.locator(`#alarm-${freezer.id}`);
  await row.waitFor();
  server.clock.advance(seconds(1));
  await page.getByText('2 services are in downtime').waitFor();
  expect(await row.count()).toBe(0);
  server.clock.advance(seconds(1));
  await row.waitFor();
});

test('a new critical alarm changes the title for those who turned it on, and for nobody else', async () => {
  const freezer = await lab.freezer({ name: 'Loud one', ...FREEZER });
  await freezer.reads(-80);
  const loud = await openWindow(browser, server, lab.oscar);
  const calm = await openWindow(browser, server, lab.vera);
  for (const page of [loud, calm]) {
    await page.goto('/');
    await page.getByText('Live, updated').waitFor();
  }
  await loud.getByRole('button', { name: 'Sound is off' }).click();
  await loud.getByRole('button', { name: 'Sound is on', pressed: true }).waitFor();
  server.clock.advance(minutes(1));
  await freezer.reads(-50);
  await expect.poll(() => loud.title(), { timeout: 30_000 }).toContain('Critical: Loud one');
  await calm.locator(`#alarm-${freezer.id}`).waitFor();
  expect(await calm.title()).toBe('Alarms · Tocsin');

  // The choice is remembered on this device.
  await loud.reload();
  await loud.getByRole('button', { name: 'Sound is on', pressed: true }).waitFor();
});

test('without scripts everything works by plain forms', async () => {
  const freezer = await fillBoard();
  const page = await openWindow(browser, server, lab.oscar, { scripts: false });
  await page.goto('/');
  await page.getByLabel('Comment on the alarm of ULT freezer 3').fill('By plain form');
  await page.getByRole('button', { name: 'Acknowledge ULT freezer 3' }).click();
  await page.getByText('The alarm is acknowledged.').waitFor();
  await page.getByRole('link', { name: 'Mute or plan downtime for ULT freezer 3' }).click();
  await takePicture(page, 'alarms-panel-page');
  await page.getByRole('button', { name: 'Mute ULT freezer 3' }).click();
  await page.getByText('Muted: nobody is notified until that ends').waitFor();
  expect(await acknowledgementsOf(server, freezer)).toMatchObject([{ comment: 'By plain form' }]);
});

test('a refusal is told without moving the page', async () => {
  const freezer = await fillBoard();
  const page = await openWindow(browser, server, lab.oscar);
  await page.route('**/live', (route) => route.abort());
  await page.goto('/');
  await lab.ada.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
  await page.getByRole('button', { name: 'Acknowledge ULT freezer 3' }).click();
  await page.getByRole('alert').getByText('Alarm already acknowledged at this severity').waitFor();
  await takePicture(page, 'alarms-refused');
});

test('without a connection the page says how old it is', async () => {
  await fillBoard();
  const page = await openWindow(browser, server, lab.vera);
  await page.goto('/');
  await page.getByText('Live, updated').waitFor();
  await page.context().setOffline(true);
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
  await page.getByText(/Connection lost, last updated \d\d:\d\d/).waitFor();
  await takePicture(page, 'alarms-lost');
});
