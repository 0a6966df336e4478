// What became of a message, as people see it.
import { pino } from 'pino';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import { sendAccountMails } from '../../src/engine/accounts/send-account-mails.ts';
import { type Mailer, openMailer } from '../../src/engine/mail/mailer.ts';
import { createEmailTransport } from '../../src/engine/transports/email/email.ts';
import { readConfig } from '../../src/platform/config.ts';
import { expectReadable, launchBrowser, openWindow, test, WINDOWS } from '../support/browser.ts';
import { openDeliveryDesk } from '../support/delivery-desk.ts';
import { seconds } from '../support/movable-clock.ts';
import { settled } from '../support/settled-delivery.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});

function openMail(url: string | null): Mailer {
  const config = readConfig(url === null ? {} : { SMTP_URL: url });
  const mailer = openMailer({ settings: settled(config), db: server.db });
  onTestFinished(() => mailer.close());
  return mailer;
}

describe.each(WINDOWS)('on a %s', (size) => {
  test('a test of a group is red while mail is kept, and green once it was handed over', async () => {
    const desk = await openDeliveryDesk(server);
    const deliverBy = async (url: string | null) => {
      const email = createEmailTransport({ mailer: openMail(url) });
      const program = desk.hire({ transports: { ...desk.postbox.transports, email } });
      for (const ms of [0, seconds(2)]) await desk.strike(ms, program);
    };
    const page = await openWindow(browser, server, desk.lab.ada, { size });
    const sendTest = async (url: string | null) => {
      await page.goto(`/settings/groups/${desk.groupId}`);
      await page.getByRole('button', { name: /Send a test/ }).click();
      await page.getByText('Waiting to be handed over').waitFor();
      await deliverBy(url);
      await page.reload();
    };
    await sendTest(null);
    expect(await page.getByRole('alert').textContent()).toContain('There is no mail server');
    await expectReadable(page, 'test-kept');
    await page.getByRole('link', { name: 'Unsent mail' }).click();
    await page.getByText('No mail leaves this service').waitFor();
    await sendTest((await openSmtpReceiver()).url);
    await page.getByText('Everything was handed over.').waitFor();
    await expectReadable(page, 'test-handed-over');

    const freezer = await desk.freezer();
    await freezer.warms();
    await deliverBy(null);
    await page.goto(`/services/${freezer.id}/notifications`);
    await page.getByText('Kept here: there was no mail server').waitFor();
    await expectReadable(page, 'told-kept');
  });

  test('whoever invites without a mail server is led to the link', async () => {
    const { lab } = await openDeliveryDesk(server);
    const page = await openWindow(browser, server, lab.ada, { size });
    await page.goto('/settings/members');
    await page.getByLabel('Email').fill(`mia.${size}@lab.example`);
    await page.getByLabel('Name', { exact: true }).fill('Mia');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('There is no mail server: it is kept here').waitFor();
    const log = pino({ level: 'silent' });
    const deps = {
      db: server.db,
      mailer: openMail(null),
      log,
      publicUrl: () => 'https://tocsin.lab.example',
    };
    await sendAccountMails(deps, server.clock.read());
    await page.reload();
    await page.getByText('Kept here: there was no mail server').waitFor();
    await expectReadable(page, 'members-kept');
    await page.getByRole('link', { name: 'Open it, and give Mia the link in it' }).click();
    await page.getByText('/activate/').first().waitFor();
  });
});
