// A keeper sets on a page how messages leave, sends one there, and it arrives.
import type { Browser, Page } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { expectReadable, launchBrowser, openWindow, takePicture, test, WINDOWS } from '../support/browser.ts';
import { makeKeeper } from '../support/keeper.ts';
import { invitePeople, type People } from '../support/people.ts';
import { makeCertificate } from '../support/self-signed-certificate.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { answers, startWebhookReceiver } from '../support/webhook-receiver.ts';

const DELIVERY = '/settings/delivery';
const auth = { user: 'tocsin', password: 'the password of the mail server' };
const certificate = makeCertificate();

let server: TestServer;
let browser: Browser;
let people: People;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});
beforeEach(async () => {
  await server.db.query(sql`delete from delivery_setting`);
  await server.db.query(sql`update account set is_keeper = false`);
  people = await invitePeople(server);
  await makeKeeper(server, people.ada);
});

const cardOf = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

async function openForm(page: Page, title: string) {
  const card = cardOf(page, title);
  await card.locator('summary').first().click();
  return card;
}

const save = (card: ReturnType<typeof cardOf>) => card.getByRole('button', { name: 'Save' }).first().click();

describe.each([true, false])('with scripts: %s', (scripts) => {
  test.each([
    ['from_start', 'Encrypted from the start (TLS)', { mode: 'from_start', ...certificate }],
    ['required', 'Encrypted after the greeting (STARTTLS), or nothing', { mode: 'starttls', ...certificate }],
    ['offered', 'Encrypted where the server offers it', null],
  ] as const)('a mail server, %s: set, sent, arrived', async (_, label, tls) => {
    const receiver = await openSmtpReceiver({ auth, ...(tls && { tls }) });
    const page = await openWindow(browser, server, people.ada, { scripts });
    await page.goto('/settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Delivery' }).click();
    const card = await openForm(page, 'Mail server');
    await card.getByLabel('Server').fill('127.0.0.1');
    await card.getByLabel('Encryption').selectOption({ label });
    await card.getByLabel('Port').fill(String(receiver.port));
    await card.getByLabel('User').fill(auth.user);
    await card.getByLabel('Password').fill(auth.password);
    if (tls) await card.getByLabel('Certificate of its authority').fill(certificate.cert);
    await save(card);
    await page.getByText('Saved. It counts from now on').waitFor();
    await card.getByRole('button', { name: 'Send me one now' }).click();
    await card.getByText('took the mail to').waitFor();
    expect(await card.getByText(/^Answered: 250/).count()).toBe(1);
    expect(receiver.mails).toMatchObject([
      {
        to_: [people.ada.email],
        user: auth.user,
        isSecure: tls !== null,
        subject: 'Tocsin: a message to try the way',
      },
    ]);
  });
});

test('every provider of SMS, every way of a gateway of one’s own, and the others are chosen once', async () => {
  const receiver = await startWebhookReceiver(answers(200, '{"sid":"SM1","id":"1","status":1,"ok":true}'));
  const page = await openWindow(browser, server, people.ada, {});
  await server.db.query(sql`
    insert into contact_method (account_id, kind, address, verified_at, created_at)
    select ${people.ada.id}, kind, address, ${server.clock.read()}, ${server.clock.read()}
    from (values ('sms', '+491512345678'), ('voice', '+491512345678'), ('signal', '+491512345678'),
      ('telegram', '4711'), ('pushover', ${'u'.repeat(30)})) as given (kind, address)`);
  const tryIt = async (title: string, button = 'Send me one now') => {
    server.clock.advance(61_000);
    const before = receiver.received.length;
    await cardOf(page, title).getByRole('button', { name: button }).click();
    await cardOf(page, title)
      .getByText(/^Answered: 200/)
      .waitFor();
    expect(receiver.received.length).toBe(before + 1);
  };

  await page.goto(DELIVERY);
  for (const [label, secrets, replies] of [
    ['46elks', ['User', 'Password', 'Signing key of callbacks'], true],
    ['MessageBird', ['Access key'], false],
    ['sipgate', ['User', 'Password'], false],
    ['Twilio (SMS and calls)', ['User', 'Password'], true],
    ['Vonage', ['User', 'Password', 'Signing key of callbacks'], true],
  ] as const) {
    const card = await openForm(page, 'SMS and calls');
    await card.getByLabel('Provider').selectOption({ label });
    await card.getByLabel('Sender').first().fill('+4930');
    for (const secret of ['User', 'Password', 'Access key', 'Signing key of callbacks'])
      await card
        .getByLabel(secret, { exact: true })
        .fill(secrets.some((one) => one === secret) ? 'geheim' : '');
    await card.getByLabel('People acknowledge by answering').setChecked(replies);
    await card.getByLabel('Address of its interface').fill(`${receiver.url}/Messages.json`);
    await save(card);
    await page.getByText('Saved. It counts from now on').waitFor();
    await tryIt('SMS and calls');
    if (label.startsWith('Twilio')) await tryIt('SMS and calls', 'Call me now');
  }

  for (const [method, encode] of [
    ['POST', 'json'],
    ['PUT', 'form'],
    ['GET', 'json'],
  ] as const) {
    const card = await openForm(page, 'SMS and calls');
    const form = card.locator('form:has(input[value="custom"])');
    if (!(await form.isVisible())) await card.getByText('Another gateway').click();
    await form.getByLabel('Address').fill(`${receiver.url}/send?to={to}`);
    await form.getByLabel('Method').selectOption(method);
    await form.getByLabel('Body as').selectOption(encode);
    await form.getByLabel('Headers').fill('X-Key: geheim');
    await form.getByLabel('Body', { exact: true }).fill('{"text": "{text}"}');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. It counts from now on').waitFor();
    await tryIt('SMS and calls');
    expect(receiver.received.at(-1)).toMatchObject({ method, headers: { 'x-key': 'geheim' } });
    expect(await page.content()).not.toContain('geheim');
  }

  for (const name of ['Pushover', 'Telegram']) {
    const card = await openForm(page, name);
    await card.getByLabel(/^Token/).fill('12:geheim');
    await card.getByLabel('Address of its interface').fill(receiver.url);
    await save(card);
    await tryIt(name);
  }
  const signal = await openForm(page, 'Signal');
  await signal.getByLabel('Number it sends from').fill('+4930');
  await signal.getByLabel('Address of signal-cli-rest-api').fill(receiver.url);
  await save(signal);
  await tryIt('Signal');

  const sender = await openForm(page, 'Sender');
  await sender.getByLabel('Sender').fill('Cold Watch <watch@lab.example>');
  await save(sender);
  await cardOf(page, 'Sender').getByText('Cold Watch <watch@lab.example>').waitFor();
  expect(await server.db.query(sql`select count(*)::int as count from delivery_setting`)).toEqual([
    { count: 5 },
  ]);
});

test('a public address is set: the warning goes', async () => {
  const page = await openWindow(browser, server, people.ada, {});
  await page.goto(DELIVERY);
  await page.getByText('which nobody can open on another machine').waitFor();
  const card = await openForm(page, 'Public address');
  await card.getByLabel('Address').fill('http://tocsin.lab.example:8080');
  await save(card);
  await card.getByText('http://tocsin.lab.example:8080/').waitFor();
  expect(await page.getByText('which nobody can open on another machine').count()).toBe(0);
  await card.getByRole('link', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove:' }).click();
  await page.getByText('which nobody can open on another machine').waitFor();
});

describe.each(WINDOWS)('on a %s', (size) => {
  test('it can be read by everybody: empty, filled, refused, tried in vain', async () => {
    const page = await openWindow(browser, server, people.ada, { size });
    await page.goto(DELIVERY);
    await expectReadable(page, 'delivery-empty');
    const card = await openForm(page, 'Mail server');
    await card.getByLabel('Server').fill('no such server');
    await save(card);
    await card.getByText('Write the name of the server').waitFor();
    await expectReadable(page, 'delivery-refused');
    await card.getByLabel('Server').fill('127.0.0.1');
    await card.getByLabel('Encryption').selectOption('offered');
    await card.getByLabel('Port').fill('9');
    await save(card);
    await page.getByText('Saved. It counts from now on').waitFor();
    await card.getByRole('button', { name: 'Send me one now' }).click();
    await card.getByText('The mail server cannot be reached').waitFor();
    await page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })");
    await expectReadable(page, 'delivery-open');
    await takePicture(page, `delivery-${size}`);
  });
});
