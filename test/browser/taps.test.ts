// How many taps it takes: the tasks that people do most, or in a hurry, each on a phone.
import type { Browser, Page } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect } from 'vitest';
import { openMailer } from '../../src/engine/mail/mailer.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { expectReadable, launchBrowser, openWindow, test } from '../support/browser.ts';
import { countTaps, tapsOf } from '../support/count-taps.ts';
import { type DeliveryDesk, openDeliveryDesk, type ToldFreezer } from '../support/delivery-desk.ts';
import { hours, seconds } from '../support/movable-clock.ts';
import { settled } from '../support/settled-delivery.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let desk: DeliveryDesk;
let freezer: ToldFreezer;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});
beforeEach(async () => {
  desk = await openDeliveryDesk(server, { emails: ['cold@lab.example'] });
  freezer = await desk.freezer({});
  await freezer.warms();
});

async function openCounting(person: 'oscar' | 'vera', address: string): Promise<Page> {
  const page = await openWindow(browser, server, desk.lab[person], { size: 'phone' });
  await countTaps(page);
  await page.goto(address);
  return page;
}

test('an alarm is acknowledged by one tap, and given back by one in its place', async () => {
  const page = await openCounting('oscar', '/');
  const acknowledge = page.getByRole('button', { name: `Acknowledge ${freezer.name}` });
  await acknowledge.click();
  await page.getByText('Acknowledged at critical by Oscar').waitFor();
  expect(await tapsOf(page)).toBe(1);
  await page.getByRole('button', { name: 'Remove acknowledgement' }).click();
  await acknowledge.waitFor();
  expect(await tapsOf(page)).toBe(2);
});

test('from the mail to the acknowledgement it is two taps, signed out: the link and the button', async () => {
  const { lab } = desk;
  await lab.organizationEntry({ personal_links: true });
  await lab.group({ name: 'Cold team', accounts: [lab.oscar.email] });
  const mailer = openMailer({ settings: settled(), db: server.db });
  const email = createEmailTransport({ mailer });
  const program = desk.hire({
    transports: { ...desk.postbox.transports, email },
    publicUrl: () => server.url,
  });
  for (const ms of [seconds(3), seconds(3)]) await desk.strike(ms, program);
  const [mail] = await server.db.query<{ html: string }>(sql`
    select html_body as "html" from kept_mail
    where organization_id = ${lab.organization} and recipient = ${lab.oscar.email}`);

  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await countTaps(page);
  await page.goto(`${server.url}/login`);
  await page.setContent(mail?.html ?? '');
  const opened = page.waitForURL(/\/mine\//);
  await page.getByRole('link', { name: 'Acknowledge', exact: true }).click();
  await opened;
  await expectReadable(page, 'personal-link');
  await page.getByRole('button', { name: 'Acknowledge as Oscar' }).click();
  await page.getByText('by this link').waitFor();
  await expectReadable(page, 'personal-link-used');
  // The mail itself is drawn by another program: its tap is counted by hand.
  expect(1 + (await tapsOf(page))).toBeLessThanOrEqual(2);
  await context.close();
});

test('an alarm is handed to a colleague by one choice and one tap', async () => {
  await desk.lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
  const page = await openCounting('oscar', `/alarms/${freezer.id}/taken`);
  await page.getByLabel('Hand it to somebody else').selectOption({ label: 'Ada' });
  await page.getByRole('button', { name: 'Hand it over' }).click();
  await page.getByText('It stays yours until they take it.').first().waitFor();
  expect(await tapsOf(page)).toBeLessThanOrEqual(1);
});

test('whoever cannot go says so by one tap', async () => {
  await desk.lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`);
  const page = await openCounting('oscar', `/alarms/${freezer.id}/taken`);
  await page.getByRole('button', { name: 'I cannot go' }).click();
  await page.getByRole('heading', { name: 'It is yours now' }).waitFor({ state: 'detached' });
  expect(await tapsOf(page)).toBe(1);
});

test('what happened to one unit last month is two taps away', async () => {
  await freezer.cools();
  server.clock.advance(hours(1));
  const page = await openCounting('vera', `/services/${freezer.id}`);
  await page.locator('main').getByRole('link', { name: 'History', exact: true }).click();
  await page.getByRole('link', { name: 'Alarms of the last 30 days' }).click();
  await page.waitForURL(/\/history\?/);
  await page.locator('main').getByRole('link', { name: freezer.name }).first().waitFor();
  expect(await tapsOf(page)).toBe(2);
});
