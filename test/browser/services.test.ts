import type { Browser, Page } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect } from 'vitest';
import { claimRequest, completeRequest } from '../../src/engine/advice/recommendations.ts';
import { expectReadable, launchBrowser, openWindow, takePicture, test, WINDOWS } from '../support/browser.ts';
import { acknowledgementsOf, archive, setDowntime } from '../support/equipment.ts';
import { readFreezer, storeReadings } from '../support/history.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { bandsInForce } from '../support/limits-desk.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const LIMITS = [
  {
    channel: 'temperature',
    bands: {
      CRITICAL_HIGH: { limit: -60, sustained: 5 },
      WARNING_HIGH: { limit: -70 },
      WARNING_LOW: { limit: -90 },
    },
  },
];

let server: TestServer;
let browser: Browser;
let lab: Lab;
let freezer: Awaited<ReturnType<Lab['freezer']>>;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
  lab = await openLab(server);
  freezer = await lab.freezer({
    name: 'ULT freezer 3',
    location: 'Room 101',
    asset: 'ULT-0042',
    limits: LIMITS,
  });
  await storeReadings(server, freezer.id, { count: 3 * 24 * 60, value: readFreezer });
  await setDowntime(server, { id: freezer.id, name: '' }, -hours(9), -hours(7));
  server.clock.advance(minutes(5));
  await freezer.sends({ values: { temperature: -52, door: true } });
  await lab.advance(minutes(6));
  for (const name of ['Cold room', 'Incubator 2']) await lab.freezer({ name, location: 'Basement' });
});

const isDrawn = (page: Page) => page.waitForSelector('.chart-live canvas');

describe.each(WINDOWS)('on a %s', (size) => {
  test('the list is readable by everybody', async () => {
    const page = await openWindow(browser, server, lab.vera, { size });
    await page.goto('/services');
    await page.getByRole('link', { name: 'ULT freezer 3' }).waitFor();
    await expectReadable(page, 'services');
  });

  test('the page of a service, for an administrator with everything open', async () => {
    const page = await openWindow(browser, server, lab.ada, { size });
    await page.goto(`/services/${freezer.id}`);
    await isDrawn(page);
    await takePicture(page, `service-${size}`);
    for (const tab of ['Now', 'History', 'Limits', 'Notifications', 'Settings']) {
      await page.locator('.tabs').getByRole('link', { name: tab, exact: true }).click();
      await page.locator('.tabs [aria-current]', { hasText: tab }).waitFor();
      for (const summary of await page.locator('main summary:visible').all()) await summary.click();
      await expectReadable(page, `service-open-${tab.toLowerCase()}`);
    }
  });

  test('the page of a service whose alarm is acknowledged, with all that can be done then', async () => {
    const page = await openWindow(browser, server, lab.ada, { size });
    await page.goto(`/services/${freezer.id}`);
    await page.getByRole('button', { name: 'Acknowledge' }).first().click();
    await page.getByRole('link', { name: 'Cannot go, or hand over' }).waitFor();
    await expectReadable(page, 'service-acknowledged');
    await page.getByRole('button', { name: 'Remove acknowledgement' }).click();
    await page.getByRole('button', { name: 'Acknowledge' }).first().waitFor();
  });
});

describe.each(WINDOWS)('with two devices, on a %s', (size) => {
  test('each is named, with when it was last heard and whether it is silent', async () => {
    const [probe, contact] = [`0004a30b001c0530-${size}`, `a84041fb6189eee6-${size}`];
    const id = await lab.apply({
      name: `Freezer with a contact, ${size}`,
      devices: [
        { key: probe, uplink_interval_minutes: 5 },
        { key: contact, uplink_interval_minutes: 60 },
      ],
    });
    await lab.post([{ device: probe, values: { temperature: -80, battery: 97 } }]);
    server.clock.advance(minutes(20));
    await lab.post([{ device: contact, values: { door: false, battery: 45 } }]);
    await server.db.query(
      sql`update channel set sent_unit = '%' where service_id = ${id} and name = 'battery'`,
    );
    const page = await openWindow(browser, server, lab.ada, { size });
    await page.goto(`/services/${id}`);
    await page.getByText('Device, silent').waitFor();
    await isDrawn(page);
    await takePicture(page, `service-two-devices-${size}`);
    await expectReadable(page, 'service-two-devices');
    for (const [path, name] of [
      [`/settings/services/${id}`, 'settings-service-devices'],
      [`/settings/channels?service=${id}`, 'settings-channels-units'],
    ] as const) {
      await page.goto(path);
      await takePicture(page, `${name}-${size}`);
      await expectReadable(page, name);
    }
  });
});

describe('the chart', () => {
  test('nothing moves when the script takes over', async () => {
    const page = await openWindow(browser, server, lab.vera);
    await page.goto(`/services/${freezer.id}`);
    const heightOf = () =>
      page.locator('#chart .chart').evaluate((element) => element.getBoundingClientRect().height);
    const drawn = await heightOf();
    await isDrawn(page);
    expect(await heightOf()).toBe(drawn);
  });

  test('another span is chosen with the keyboard, and stands in the address', async () => {
    const page = await openWindow(browser, server, lab.vera);
    await page.goto(`/services/${freezer.id}`);
    await isDrawn(page);
    const asked = page.waitForResponse(
      (answer) => answer.url().includes('/series?') && answer.url().includes('range=7d'),
    );
    await page.getByRole('link', { name: '7 d', exact: true }).focus();
    await page.keyboard.press('Enter');
    await asked;
    await page.waitForURL(/range=7d/);
    expect(await page.getByRole('link', { name: '7 d', exact: true }).getAttribute('aria-current')).toBe(
      'true',
    );
    await page.reload();
    await isDrawn(page);
    expect(await page.locator('.chart').getAttribute('data-range')).toBe('7d');
  });

  test('dragging zooms, and the cursor tells the value', async () => {
    const page = await openWindow(browser, server, lab.vera);
    await page.goto(`/services/${freezer.id}`);
    await isDrawn(page);
    await page.locator('.chart').scrollIntoViewIfNeeded();
    const box = await page.locator('.u-over').boundingBox();
    if (!box) throw new Error('no chart');
    const middle = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width / 2, middle);
    await expect
      .poll(() => page.locator('.chart-readout').textContent())
      .toMatch(/^(today|yesterday) \d\d:\d\d:\d\d: .*°C/);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, middle, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/from=2026-11-14T.*&to=2026-11-14T/);
  });

  test('keys and buttons move it and show less and more time, and the address follows', async () => {
    const page = await openWindow(browser, server, lab.vera);
    await page.goto(`/services/${freezer.id}?channel=temperature`);
    await isDrawn(page);
    const lengthAfter = async (act: () => Promise<void>) => {
      const before = page.url();
      await act();
      await page.waitForURL((address) => address.href !== before);
      const { searchParams } = new URL(page.url());
      const [from = '', to = ''] = [searchParams.get('from') ?? '', searchParams.get('to') ?? ''];
      return (Date.parse(to) - Date.parse(from)) / hours(1);
    };
    await page.locator('.chart').focus();
    expect(await lengthAfter(() => page.keyboard.press('+'))).toBe(12);
    expect(await lengthAfter(() => page.keyboard.press('ArrowLeft'))).toBe(12);
    expect(await lengthAfter(() => page.keyboard.press('-'))).toBe(24);
    expect(await lengthAfter(() => page.getByRole('link', { name: 'Closer', exact: true }).click())).toBe(12);
    await page.locator('.chart').focus();
    await page.keyboard.press('0');
    await page.waitForURL(/range=24h/);
  });

  test('a note is pinned to the moment that was pressed, and changed', async () => {
    for (const size of WINDOWS) {
      const page = await openWindow(browser, server, lab.oscar, { size });
      await page.goto(`/services/${freezer.id}?channel=temperature`);
      await isDrawn(page);
      await page.locator('.chart').scrollIntoViewIfNeeded();
      const box = await page.locator('.u-over').boundingBox();
      if (!box) throw new Error('no chart');
      await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
      const summary = page.locator('.note-form summary');
      await expect.poll(() => summary.textContent()).toMatch(/^Pin a note at 2026-\d\d-\d\d \d\d:\d\d$/);
      await page.locator('.chart').focus();
      await page.keyboard.press('n');
      await page.keyboard.type(`Gasket changed, seen on a ${size}`);
      await expectReadable(page, 'note-form');
      await page.getByRole('button', { name: 'Pin it' }).click();
      await page.getByText('The note is pinned to the chart.').waitFor();
      await isDrawn(page);
      await expectReadable(page, 'note-pinned');
      const item = page.locator('.chart-marks li', { hasText: `seen on a ${size}` });
      await item.getByRole('link', { name: 'Change' }).click();
      await expectReadable(page, 'note-change');
      await page.getByLabel('Note').fill(`Gasket and hinge, seen on a ${size}`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('.chart-marks li', { hasText: `hinge, seen on a ${size}` }).waitFor();
    }
  });

  test('a door is drawn over the temperature, and told with it', async () => {
    const page = await openWindow(browser, server, lab.vera);
    await page.goto(`/services/${freezer.id}?channel=temperature&range=1h`);
    await page.getByText('Draw others over it').click();
    await page.getByRole('navigation', { name: 'Drawn over it' }).getByRole('link').first().click();
    await page.waitForURL(/over=\d+/);
    await isDrawn(page);
    expect(await page.locator('.key-over-1').textContent()).toMatch(/open/);
    await page.getByText('As a table').click();
    await page.locator('.chart').scrollIntoViewIfNeeded();
    const box = await page.locator('.u-over').boundingBox();
    if (!box) throw new Error('no chart');
    await page.mouse.move(box.x + box.width - 3, box.y + 20);
    await expect.poll(() => page.locator('.chart-readout').textContent()).toMatch(/°C .*open/);
    for (const size of WINDOWS) {
      const other = await openWindow(browser, server, lab.vera, { size });
      await other.goto(page.url());
      await isDrawn(other);
      await other.getByText('As a table').click();
      await other.getByText('From and until').click();
      await expectReadable(other, 'chart-over');
    }
  });

  test('a span is typed by the 24-hour clock, without scripts too', async () => {
    for (const scripts of [true, false]) {
      const page = await openWindow(browser, server, lab.vera, { scripts });
      await page.goto(`/services/${freezer.id}?channel=temperature`);
      await page.getByText('From and until').click();
      await page.getByLabel('From', { exact: true }).first().fill('2026-11-14T20:00');
      await page.getByLabel('Until', { exact: true }).first().fill('2026-11-14T23:00');
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.waitForURL(/from=2026-11-14T20/);
      expect(await page.locator('.chart').getAttribute('data-to')).toMatch(/^2026-11-14T2\d:00:00/);
    }
  });

  test('on paper its colours are those of paper, also from a dark screen', async () => {
    const page = await openWindow(browser, server, lab.vera, { scheme: 'dark' });
    await page.goto(`/services/${freezer.id}?channel=temperature`);
    await isDrawn(page);
    const [canvas] = await page.locator('.chart canvas').elementHandles();
    await page.emulateMedia({ media: 'print' });
    await page.waitForFunction((old) => document.querySelector('.chart canvas') !== old, canvas);
    await isDrawn(page);
    await takePicture(page, 'chart-printed');
    expect(await page.locator('.chart-card .choices').first().isVisible()).toBe(false);
  });

  test('without scripts the links show other spans as drawings', async () => {
    const page = await openWindow(browser, server, lab.vera, { scripts: false });
    await page.goto(`/services/${freezer.id}`);
    await page.getByRole('link', { name: '6 h', exact: true }).click();
    await page.waitForURL(/range=6h/);
    expect(await page.locator('.drawing svg').getAttribute('aria-label')).toMatch(/^Temperature: −8/);
    await takePicture(page, 'service-without-scripts');
  });
});

test('an open page renews state, why, latest values and curve by itself, and leaves a comment alone', async () => {
  const own = await lab.freezer({ name: 'Followed', limits: LIMITS });
  await own.reads(-80);
  const page = await openWindow(browser, server, lab.oscar);
  await page.goto(`/services/${own.id}`);
  await isDrawn(page);
  await page.getByText('Live, updated').waitFor();

  server.clock.advance(minutes(1));
  const curve = page.waitForResponse((answer) => answer.url().includes('/series?'));
  await own.reads(-65);
  await page.getByRole('heading', { name: /^Temperature −65 °C is above the warning limit/ }).waitFor();
  expect(await page.locator('.service-head').textContent()).toContain('Warning');
  expect(await page.locator('.why').textContent()).toContain('above');
  expect(await page.locator('#values').textContent()).toContain('−65 °C');
  expect((await curve).ok()).toBe(true);

  await page.getByLabel('Comment (optional)').fill('half a sent');
  server.clock.advance(minutes(1));
  await own.reads(-40);
  await page.getByRole('heading', { name: /^Temperature −40 °C is above the warning limit/ }).waitFor();
  expect(await page.getByLabel('Comment (optional)').inputValue()).toBe('half a sent');
});

describe('what people do there', () => {
  test.each([true, false])('acknowledge with a comment (scripts: %s), and take it back', async (scripts) => {
    const page = await openWindow(browser, server, lab.oscar, { size: 'phone', scripts });
    await page.goto(`/services/${freezer.id}`);
    await page.getByLabel('Comment (optional)').fill('On my way');
    await page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
    await page.getByText('The alarm is acknowledged.').waitFor();
    const acknowledged = await acknowledgementsOf(server, { id: freezer.id, name: '' });
    expect(acknowledged.at(-1)).toMatchObject({ comment: 'On my way', endedAt: null });
    expect(await page.locator('#history').getByText('Holds').count()).toBe(1);
    await page.getByRole('button', { name: 'Remove acknowledgement' }).click();
    await page.getByText('The acknowledgement is removed.').waitFor();
    await page.getByRole('button', { name: 'Acknowledge', exact: true }).waitFor();
  });

  test.each([true, false])(
    'an edit of another channel that is refused stays what it is (scripts: %s)',
    async (scripts) => {
      const page = await openWindow(browser, server, lab.ada, { size: 'phone', scripts });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.goto(`/services/${freezer.id}`);
      await page.getByRole('link', { name: 'Limits', exact: true }).click();
      await page.getByText('Edit limits and notifications').click();
      await page.getByLabel('Edit the limits of').selectOption('default');
      await page.getByRole('button', { name: 'Load', exact: true }).click();
      await page.getByRole('group', { name: 'Limits of All metric channels' }).waitFor();
      await page.getByLabel('Critical high: limit').fill('7');
      await page.getByLabel('Warning high: limit').fill('8');
      await page.getByRole('button', { name: 'Save' }).click();
      const notice = page.getByText('Critical high must be strictly greater than warning high');
      await notice.waitFor();
      await expect
        .poll(() => notice.evaluate((element) => element.getBoundingClientRect().top))
        .toBeLessThan(844);
      await page.getByRole('group', { name: 'Limits of All metric channels' }).waitFor();
      expect(await page.getByLabel('Critical high: limit').inputValue()).toBe('7');
    },
  );

  test('an edit can be tried and saved, and what is not a number is not sent', async () => {
    const page = await openWindow(browser, server, lab.ada);
    await page.goto(`/services/${freezer.id}`);
    await page.getByRole('link', { name: 'Limits', exact: true }).click();
    await page.getByText('Edit limits and notifications').click();
    await page.getByLabel('Critical high: limit').fill('-50,5');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.locator('#edit-form input:invalid').getAttribute('name')).toBe('ch_high');
    expect(page.url()).not.toContain('/edit');
    await page.getByLabel('Critical high: limit').fill('-50');
    await page.getByRole('button', { name: 'Try these limits on the last 30 days' }).click();
    await page.locator('#backtest .backtest').waitFor();
    expect(await page.locator('#backtest').textContent()).toContain('these limits would have raised');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved').waitFor();
    expect(await bandsInForce(server, freezer)).toContain('CRITICAL_HIGH -50 delay 0 sustained 5');
  });

  test('limits that cannot be tried: the page says why', async () => {
    const own = await lab.freezer({ name: 'Archived meanwhile' });
    const page = await openWindow(browser, server, lab.ada);
    await page.goto(`/services/${own.id}?limits=temperature`);
    await archive(server, { id: own.id, name: '' });
    await page.getByRole('button', { name: 'Try these limits on the last 30 days' }).click();
    await page.locator('.toast', { hasText: 'Service not found' }).waitFor();
  });

  test('a recommendation is asked for, looked for every 20 seconds while it is pending, and applied', async () => {
    const own = await lab.freezer({
      name: 'Tiefkühlschrank #7 & Donaudampfschifffahrtsgesellschaftskapitänskajüte 100 % <Süd>',
      channels: [{ name: 'temperature_of_the_innermost_compartment_on_the_left', kind: 'metric' }],
    });
    const page = await openWindow(browser, server, lab.ada, { size: 'phone' });
    await page.clock.install();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith(`/api/v1/services/${own.id}/recommendation`)) asked += 1;
    });
    await page.goto(`/services/${own.id}?tab=limits`);
    await page.clock.runFor(60_000);
    expect(asked).toBe(0);
    await page.getByRole('button', { name: 'Request a recommendation' }).click();
    await page.getByText('queued successfully').waitFor();
    await page.clock.runFor(19_000);
    expect(asked).toBe(0);
    await page.clock.runFor(1_000);
    await page.getByText('Recommendation pending').waitFor();
    expect(asked).toBe(1);

    const request = await claimRequest(server.db, server.clock.read(), minutes(2));
    const proposed_bands = [
      { band: 'CRITICAL_HIGH', limit: -60, sustained: 15 },
      { band: 'WARNING_HIGH', limit: -70.25, delay: 5, sustained: 30 },
    ];
    const figures = { alarms: 3, alarm_minutes: 40, longest_minutes: 20 };
    const result = {
      proposed_bands,
      reasoning: ['Steady.'],
      backtest: { current: figures, proposed: figures },
    };
    await completeRequest(server.db, request?.id ?? '', result, server.clock.read());
    await page.clock.runFor(20_000);
    await page.getByText('Recommendation completed').waitFor();
    await page.clock.runFor(120_000);
    expect(asked).toBe(2);
    await expectReadable(page, 'recommendation');

    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('✓ Applied 2 band(s) from AI rec.').waitFor();
    await page.clock.runFor(60_000);
    expect(asked).toBe(2);
  });

  test('a downtime is planned and cancelled', async () => {
    const page = await openWindow(browser, server, lab.oscar, { size: 'phone', scheme: 'dark' });
    await page.goto(`/services/${freezer.id}`);
    await page.getByText('Plan a downtime').click();
    const plan = page.locator('form', { has: page.getByRole('button', { name: 'Plan downtime' }) });
    await plan.getByLabel('From', { exact: true }).fill('2026-11-16T10:00');
    await plan.getByLabel('Until', { exact: true }).fill('2026-11-16T12:00');
    await plan.getByLabel('Reason', { exact: true }).fill('Defrost');
    await plan.getByRole('button', { name: 'Plan downtime' }).click();
    await page.getByText('The downtime is scheduled.').waitFor();
    await page.getByRole('link', { name: 'Cancel the downtime: Defrost' }).click();
    await page.getByText('From').first().waitFor();
    await page.getByRole('button', { name: 'Cancel the downtime of' }).click();
    await page.getByText('The downtime is cancelled.').waitFor();
    await page.goto(`/services/${freezer.id}`);
    expect(await page.getByRole('link', { name: 'Cancel the downtime: Defrost' }).count()).toBe(0);
  });

  test('the readings are downloaded', async () => {
    const page = await openWindow(browser, server, lab.vera);
    await page.goto(`/services/${freezer.id}`);
    await page.getByRole('link', { name: 'History', exact: true }).last().click();
    for (const [button, ending] of [
      ['Download CSV', 'csv'],
      ['Download Parquet', 'parquet'],
    ]) {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: button as string }).click();
      expect((await download).suggestedFilename()).toBe(`readings-ult-freezer-3-${freezer.id}.${ending}`);
    }
  });
});

test('past midnight what was today is yesterday, also where nothing is asked for again', async () => {
  const own = await lab.freezer({ name: 'Awake', limits: LIMITS });
  await own.reads(-50);
  await lab.oscar.post(`/api/v1/alarms/${own.id}/acknowledge`);
  const page = await openWindow(browser, server, lab.vera);
  await page.clock.install({ time: server.clock.read() });
  await page.goto(`/services/${own.id}`);
  const history = page.locator('#history');
  expect(await history.textContent()).toMatch(/Oscar, at warning, today \d\d:\d\d/);
  await page.clock.fastForward(hours(24));
  await expect.poll(() => history.textContent()).toMatch(/Oscar, at warning, yesterday \d\d:\d\d/);
});
