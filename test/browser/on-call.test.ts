import type { Browser } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect } from 'vitest';
import { climbDrills } from '../../src/engine/outbox/climb-drills.ts';
import { remind } from '../../src/engine/reminders/remind.ts';
import {
  expectNoSidewaysScroll,
  expectReadable,
  launchBrowser,
  openWindow,
  takePicture,
  test,
  WINDOWS,
} from '../support/browser.ts';
import { type Freezer, type Lab, openLab } from '../support/lab.ts';
import { HOT, pass, sendAll, watchedBy } from '../support/notification-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let lab: Lab;
let freezer: Freezer;
let group: number;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
  lab = await openLab(server);
  await lab.organizationEntry({
    lab_hours: {
      timezone: 'Europe/Berlin',
      weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '08:00', to: '18:00' }],
    },
    holidays: [{ day: '2026-12-25', name: 'Christmas' }],
    rotas: [
      {
        name: 'Nights',
        timezone: 'Europe/Berlin',
        handover: '08:00',
        every: 'day',
        from: '2026-01-01',
        members: [lab.oscar.email, lab.ada.email],
      },
      {
        name: 'Weekends and the days between the years',
        timezone: 'Europe/Berlin',
        handover: '18:00',
        every: 'week',
        from: localDay(3),
        members: [lab.ada.email],
      },
    ],
    groups: [
      {
        name: 'Cold team',
        emails: ['cold-room-and-freezers@lab.example'],
        steps: [
          { step: 1, after_minutes: 10 },
          { step: 2, after_minutes: 25, kinds: ['critical', 'warning'] },
          { step: 3, after_minutes: 90 },
        ],
        told: [
          { during: 'off_hours', rota: 'Nights' },
          { step: 1, rota: 'Nights' },
          { step: 1, during: 'lab_hours', account: lab.vera.email },
          { step: 2, rota: 'Weekends and the days between the years' },
          { step: 3, account: lab.ada.email },
        ],
        relays: [{ url: 'http://10.0.0.7', dead_man: true }],
      },
      { name: 'Empty' },
    ],
  });
  group = await lab.group({ name: 'Cold team' });
  freezer = await lab.freezer(watchedBy('Cold team', { repeat_interval_minutes: 0 }));
  await freezer.reads(HOT);
  await lab.tick();
  await sendAll(server);
  for (let minute = 0; minute < 40; minute += 1) {
    await pass(lab, 1);
    await sendAll(server);
  }
}, 300_000);

/** The message with which a shift began; answers with what opens its receipt. */
async function sendReceipt(): Promise<string> {
  await server.db.query(sql`update rota set confirm = true where organization_id = ${lab.organization}`);
  await remind(server.db, server.clock.read());
  const [row] = await server.db.query<{ token: string }>(
    sql`select token from reminder where kind = 'shift' limit 1`,
  );
  return row?.token ?? '';
}

const localDay = (days: number) =>
  new Date(server.clock.read().getTime() + days * 86_400_000).toISOString().slice(0, 10);

test('nothing is cut off in 360 pixels', async () => {
  const page = await openWindow(browser, server, lab.ada, { size: 'phone' });
  await page.setViewportSize({ width: 360, height: 800 });
  const paths = [
    '/on-call',
    `/on-call?service=${freezer.id}`,
    `/settings/groups/${group}`,
    `/services/${freezer.id}/notifications`,
    '/profile/contacts',
    `/settings/rotas?organization=${lab.organization}`,
    `/settings/lab-hours?organization=${lab.organization}`,
    `/settings/gateways?organization=${lab.organization}&gateway=${freezer.id}`,
    `/services/${freezer.id}/drill`,
    `/services/${freezer.id}/clearing`,
    '/downtimes/series',
    '/stickers',
  ];
  for (const [index, path] of paths.entries()) {
    await page.goto(path);
    await expectNoSidewaysScroll(page);
    const cut = await page.evaluate(
      `[...document.querySelectorAll('.page-header > nav, .page-header summary')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)`,
    );
    expect(cut, path).toEqual([]);
    const small = await page.evaluate(
      `[...document.querySelectorAll('main p > a, main li > a')]
        .filter((one) => one.parentElement.textContent.trim() === one.textContent.trim())
        .filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent)`,
    );
    expect(small, `links of ${path} that a thumb misses`).toEqual([]);
    await takePicture(page, `narrow-${index}`);
  }
  await page.getByText('Menu', { exact: true }).click();
  const link = page.locator('.menu-content').getByRole('link', { name: 'On call' });
  await link.waitFor();
  const { x = -1, width = 0 } = (await link.boundingBox()) ?? {};
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(360);
});

describe.each([
  ['with', true],
  ['without', false],
] as const)('%s scripts', (_, scripts) => {
  test('lab hours get a line more and a line less, and Enter saves them', async () => {
    const own = await openLab(server);
    const page = await openWindow(browser, server, own.ada, { scripts });
    await page.goto('/settings/lab-hours');
    await page.getByLabel('Time zone').fill('America/New_York');
    await page.getByRole('button', { name: 'Add a line' }).click();
    await page.getByRole('button', { name: 'Add a line' }).click();
    const second = page.getByRole('group', { name: 'Days and hours 2' });
    await second.getByLabel('Saturday').check();
    await second.getByLabel('From').fill('10:00');
    await page.getByRole('button', { name: 'Remove line 3' }).click();
    if (scripts) await expectReadable(page, 'lab-hours-lines');
    await page.getByRole('group', { name: 'Days and hours 2' }).getByLabel('From').press('Enter');
    await page.getByText('These are the lab hours from now on.').waitFor();
    await page.getByText('In America/New_York.').waitFor();
    await page.getByText('Saturday: 10:00 to 18:00').waitFor();
    await page.getByText('Monday, Tuesday, Wednesday, Thursday, Friday: 08:00 to 18:00').waitFor();
  });

  test('a rota gets a handover more and a handover less, and follows the sun', async () => {
    const own = await openLab(server);
    const page = await openWindow(browser, server, own.ada, { scripts });
    await page.goto('/settings/rotas');
    await page.getByLabel('Name').fill('Round the clock');
    await page.getByLabel('Turn 1').selectOption('Oscar');
    await page.getByRole('button', { name: 'Add a handover' }).click();
    await page.getByRole('button', { name: 'Add a handover' }).click();
    await page.getByRole('button', { name: 'Remove handover 2' }).click();
    const west = page.getByRole('group', { name: 'Handover 2' });
    await west.getByLabel('Handover at').fill('09:00');
    await west.getByLabel('Time zone').fill('America/Los_Angeles');
    await west.getByLabel('Turn 1').selectOption('Ada');
    await west.getByLabel('Turn 2').selectOption('Vera');
    if (scripts) await expectReadable(page, 'rotas-handovers');
    await page.getByRole('button', { name: 'Create rota' }).click();
    await page.getByText('From 09:00 in America/Los_Angeles: Ada → Vera').waitFor();
    await page.getByText('Change from the next handover on').click();
    if (scripts) await expectReadable(page, 'rotas-sun');
    await page.goto('/on-call');
    if (scripts) await expectReadable(page, 'on-call-sun');
  });
});

describe.each(WINDOWS)('on a %s', (size) => {
  test('pages of those on call can be read by everybody', async () => {
    const page = await openWindow(browser, server, lab.ada, { size });
    await page.goto(`/settings/groups/${group}`);
    await expectReadable(page, 'group');
    await page.goto(`/on-call?service=${freezer.id}`);
    await expectReadable(page, 'on-call');
    for (const desk of ['rotas', 'lab-hours']) {
      await page.goto(`/settings/${desk}?organization=${lab.organization}`);
      await expectReadable(page, desk);
    }
    await page.goto(`/services/${freezer.id}/notifications`);
    await expectReadable(page, 'steps-taken');
    await page.goto(`/services/${freezer.id}/drill`);
    await expectReadable(page, 'drill');
    const preview = 'unit=week&SU=yes&start=02:30&first_day=2026-11-16&until_day=2027-04-30';
    await page.goto(`/downtimes/series?preview=yes&${preview}`);
    await expectReadable(page, 'series');
    await page.goto(`/settings/gateways?organization=${lab.organization}&gateway=${freezer.id}`);
    await expectReadable(page, 'gateways');
    await page.goto(`/receipt/${await sendReceipt()}`);
    await expectReadable(page, 'receipt');
  });

  test('so can the page that says when alarms are over, also with a number that is none', async () => {
    const page = await openWindow(browser, server, lab.ada, { size });
    await page.goto(`/services/${freezer.id}?tab=limits`);
    await page.getByRole('link', { name: 'When an alarm ends' }).click();
    await page.getByLabel('Within its limit by (°C)').fill('two');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectReadable(page, 'clearing-refused');
    await page.getByLabel('Within its limit by (°C)').fill('2');
    await page.getByLabel('For minutes').fill('10');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('over once it is within its limit by 2 °C for 10 min').waitFor();
    await page.goto(`/services/${freezer.id}/clearing`);
    await expectReadable(page, 'clearing');
  });

  test('so can what is wrong with a form, beside its field, and what was typed is still there', async () => {
    const page = await openWindow(browser, server, lab.ada, { size });
    const errors = page.locator('.field .error, .days > .error');
    await page.goto(`/settings/rotas?organization=${lab.organization}`);
    await page.getByLabel('Name').fill('Mornings');
    await page.locator('#new-length').fill('3');
    await page.getByRole('button', { name: 'Create rota' }).click();
    expect(await errors.textContent()).toBe('Choose at least one person for each handover.');
    expect(await page.locator('#new-length').inputValue()).toBe('3');
    await expectReadable(page, 'rotas-refused');

    await page.goto(`/settings/lab-hours?organization=${lab.organization}`);
    for (const day of await page.locator('.days input').all()) await day.uncheck();
    await page.getByLabel('From').fill('07:15');
    await page.getByRole('button', { name: 'Set lab hours' }).click();
    expect(await errors.textContent()).toBe('Choose at least one day of the week.');
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    expect(await page.getByLabel('From').inputValue()).toBe('07:15');
    await expectReadable(page, 'lab-hours-refused');

    await page.goto('/on-call');
    await page.getByText('Swap two shifts').first().click();
    await page.getByLabel('For this one').first().selectOption({ index: 0 });
    await page.getByRole('button', { name: 'Swap' }).first().click();
    expect(await errors.textContent()).toContain('choose one of somebody else');
    expect(await page.getByLabel('For this one').first().isVisible()).toBe(true);
    await expectReadable(page, 'on-call-refused');

    await page.goto('/downtimes/series');
    await page.getByLabel('Unit').selectOption({ index: 1 });
    await page.getByLabel('Reason').fill('Defrost');
    await page.getByLabel('For the last time on').fill('2020-01-01');
    await page.getByRole('button', { name: 'Plan it' }).click();
    expect(await errors.textContent()).toContain('Choose a last day that is after the first');
    await expectReadable(page, 'series-refused');
  });

  test('so can a switch that does not answer, and a drill that climbs', async () => {
    const page = await openWindow(browser, server, lab.ada, { size });
    await server.db.query(sql`
      update relay set last_error = '10.0.0.7 gave no answer within 5 s', told_at = ${server.clock.read()}, is_on = true`);
    await page.goto(`/settings/groups/${group}`);
    await page.getByText('10.0.0.7 gave no answer within 5 s, tried again all the time').waitFor();
    await page.getByText('As a list').click();
    await expectReadable(page, 'group-relay-fails');
    await page.goto(`/services/${freezer.id}/drill`);
    await page.getByLabel('Go on while nobody acknowledges').check();
    await page.getByRole('button', { name: 'Start a drill now' }).click();
    await page.getByText('Nobody has acknowledged it yet.').first().waitFor();
    await page.getByRole('list', { name: 'Foreseen and notified' }).first().waitFor();
    await page.getByText('As foretold so far').first().waitFor();
    await sendAll(server);
    await pass(lab, 10);
    await climbDrills(server.db, server.clock.read());
    await sendAll(server);
    // The page shows it by itself, and stays where its reader is.
    await page.getByText('As foretold so far: 3 of').first().waitFor();
    await expectReadable(page, 'drill-goes-on');
    await server.db.query(sql`
      update delivery set refused_at = ${server.clock.read()}, state = 'failed', sent_at = null, last_error = '550 no such mailbox'
      where recipient like 'cold-room%' and id in (
        select delivery.id from delivery join notification on notification.id = notification_id where mark = 'drill')`);
    await pass(lab, 20);
    await page.getByText('went otherwise than foretold').first().waitFor();
    await expectReadable(page, 'drill-climbs');
  });

  test('so can those of a lab without a rota', async () => {
    const empty = await openLab(server);
    const page = await openWindow(browser, server, empty.ada, { size });
    await page.goto('/on-call');
    await expectReadable(page, 'on-call-empty');
    const id = await empty.group({ name: 'Nobody yet' });
    await page.goto(`/settings/groups/${id}`);
    await expectReadable(page, 'group-empty');
    for (const desk of ['rotas', 'lab-hours', 'gateways']) {
      await page.goto(`/settings/${desk}`);
      await expectReadable(page, `${desk}-empty`);
    }
    await page.goto('/downtimes/series');
    await expectReadable(page, 'series-empty');
    await page.goto('/stickers');
    await expectReadable(page, 'stickers-empty');
  });
});
