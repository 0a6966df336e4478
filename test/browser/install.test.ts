// The page as an app. Chromium subscribes only with its maker's push service, so what is pushed comes by the developer tools.
import type { Browser, Page } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { NO_PROVIDERS } from '../../src/engine/providers/providers.ts';
import { keepPushKeys } from '../../src/platform/auth/push-keys.ts';
import {
  expectReadable,
  launchBrowser,
  openWindow,
  test,
  testInstalled,
  WINDOWS,
} from '../support/browser.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { PASSWORD } from '../support/people.ts';
import { startServer, startServerOn, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let lab: Lab;
/** As if the network was gone: the developer tools cut off pages, but not their workers. */
let isDown = false;
beforeAll(async () => {
  const { db, clock } = await startServer();
  const push = { ...(await keepPushKeys(db, clock.read())), subject: 'https://tocsin.lab.example/' };
  const providers = { ...NO_PROVIDERS, push };
  const started = await startServerOn(db, { providers, publicUrl: new URL('http://localhost') }, (app) =>
    app.addHook('onRequest', async (request, reply) => {
      if (!isDown) return;
      reply.hijack();
      request.raw.socket.destroy();
    }),
  );
  server = { ...started, url: started.url.replace('127.0.0.1', 'localhost') };
  browser = await launchBrowser('all');
});
beforeEach(async () => {
  isDown = false;
  lab = await openLab(server);
});

async function install(): Promise<Page> {
  const page = await openWindow(browser, server, lab.oscar);
  await page.goto('/');
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
  await page.goto('/');
  return page;
}

const keptPages = (page: Page) =>
  page.evaluate("caches.open('tocsin-alarms').then((kept) => kept.keys()).then((keys) => keys.length)");

test('the page says how it is installed', async () => {
  const page = await install();
  const manifest = await page.evaluate(
    "fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())",
  );
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' });
  for (const { src } of (manifest as { icons: { src: string }[] }).icons)
    expect((await page.request.get(src)).headers()['content-type']).toBe('image/png');
});

test('without a connection the alarms show how they last stood, and since when', async () => {
  const page = await install();
  isDown = true;
  await page.goto('/');
  await page.getByText('No connection. This is how it stood at').waitFor();
  expect(await page.getByRole('heading', { name: 'Alarms' }).count()).toBe(1);
  isDown = false;
  await page.goto('/');
  expect(await page.getByText('No connection.').count()).toBe(0);
});

test('a page that is being left is not led to the sign-in page, whatever it asks for meanwhile', async () => {
  const page = await openWindow(browser, server, lab.oscar);
  await page.goto('/');
  await page.evaluate("dispatchEvent(new Event('beforeunload'))");
  await page.context().clearCookies();
  const refused = page.waitForResponse((answer) => answer.status() === 303);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await refused;
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 500))');
  expect(new URL(page.url()).pathname).toBe('/');
});

test('after signing out nothing of it is kept, and the next person is shown nothing of the one before', async () => {
  const page = await install();
  expect(await keptPages(page)).toBe(1);
  await page.getByText('Oscar', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL('**/login');
  expect(await keptPages(page)).toBe(0);
  await page.getByLabel('Email').fill(lab.ada.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Ada', { exact: true }).first().waitFor();
  isDown = true;
  await page.goto('/');
  expect(await page.content()).not.toContain('Oscar');
});

testInstalled('what is pushed is shown, whatever it is', async () => {
  const page = await install();
  await page.context().grantPermissions(['notifications'], { origin: server.url });
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations;
      if (one) resolve(one.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  const deliver = (data: string) =>
    devtools.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId, data });
  const notification = { title: '[CRITICAL] Freezer 3', body: 'too warm', navigate: '/services', tag: 'one' };
  await deliver(JSON.stringify({ web_push: 8030, notification }));
  await deliver('no JSON at all');
  const shown = () =>
    page.evaluate(
      'navigator.serviceWorker.ready.then((one) => one.getNotifications()).then((all) => all.map(({ title, body }) => title + ": " + body))',
    ) as Promise<string[]>;
  await expect
    .poll(async () => (await shown()).sort())
    .toEqual(['Tocsin: Look at the alarms.', '[CRITICAL] Freezer 3: too warm']);
});

test('a browser that was subscribed becomes a contact method, and its new address follows', async () => {
  const page = await install();
  const key = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url');
  const auth = Buffer.alloc(16, 1).toString('base64url');
  const send = (path: string, form: Record<string, string>) =>
    page.request.post(path, { form, maxRedirects: 0, headers: { origin: server.url } });
  const one = { endpoint: 'https://push.example/one', p256dh: key, auth };
  expect((await send('/profile/contacts/push', one)).status()).toBe(303);
  const two = { ...one, endpoint: 'https://push.example/two' };
  expect((await send('/profile/contacts/push/renew', { ...two, before: one.endpoint })).status()).toBe(204);
  expect(
    (await send('/profile/contacts/push/renew', { ...two, before: 'https://push.example/other' })).status(),
  ).toBe(404);
  const rows = await server.db.query(sql`
    select address, verified_at is not null as "isVerified" from contact_method where account_id = ${lab.oscar.id}`);
  expect(rows).toEqual([{ address: 'https://push.example/two', isVerified: true }]);
  await page.goto('/profile/contacts');
  await page.getByText('A browser, by push.example').waitFor();
});

describe.each(WINDOWS)('on a %s', (size) => {
  test('how one is told can be read by everybody', async () => {
    const now = server.clock.read();
    await server.db.query(sql`
      insert into contact_method (account_id, kind, address, verified_at, after_minutes, only_critical, disabled_at,
        disabled_reason, created_at)
      values (${lab.oscar.id}, 'email', ${lab.oscar.email}, ${now}, 0, false, null, null, ${now}),
        (${lab.oscar.id}, 'ntfy', 'https://ntfy.sh/a-topic-that-nobody-guesses', ${now}, 5, true, null, null, ${now}),
        (${lab.oscar.id}, 'gotify', 'https://gotify.lab.example/', null, 0, false, null, null, ${now}),
        (${lab.oscar.id}, 'telegram', '4711', ${now}, 0, false, ${now}, 'Its receiver is gone for good', ${now})`);
    const page = await openWindow(browser, server, lab.oscar, { size });
    await page.goto('/profile/contacts');
    await page.getByText('waits for its code').waitFor();
    await page.getByText('Add Gotify').click();
    await page.getByText('Change when').first().click();
    await expectReadable(page, 'contacts');
    await page.locator('#gotify-address').fill('no address');
    await page.locator('#gotify-secret').fill('token');
    await page.locator('#gotify-during').selectOption('Off hours');
    await page.getByRole('button', { name: 'Send a code to it' }).last().click();
    await page.locator('#gotify-address-error').waitFor();
    expect(await page.locator('#gotify-during').inputValue()).toBe('off_hours');
    await expectReadable(page, 'contacts-refused');
  });
});
