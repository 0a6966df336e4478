import type { Browser } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect } from 'vitest';
import { expectReadable, launchBrowser, openWindow, test, WINDOWS } from '../support/browser.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { PASSWORD } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
  lab = await openLab(server);
  const now = server.clock.read();
  await lab.organizationEntry({ phone_pin_required: true });
  await server.db.query(sql`
    insert into contact_method (account_id, kind, address, verified_at, created_at, reply_failures)
    values (${lab.oscar.id}, 'sms', '+491512345678', ${now}, ${now}, 5)`);
});

describe.each(WINDOWS)('a PIN for answers by phone, %s', (size) => {
  test('is asked for where one is told, set, and no longer asked for', async () => {
    await server.db.query(sql`update account set phone_pin_hash = null where id = ${lab.oscar.id}`);
    const page = await openWindow(browser, server, lab.oscar, { size });
    await page.goto('/profile');
    await expectReadable(page, 'phone-pin-profile');
    await page.getByRole('link', { name: 'Set one' }).click();
    await expectReadable(page, 'phone-pin-missing');
    const card = page.locator('#pin');
    await card.getByLabel('PIN', { exact: true }).fill('90210');
    await card.getByLabel('The same again').fill('90210');
    await card.getByLabel('Your password').fill(PASSWORD);
    await card.getByRole('button', { name: 'Set the PIN' }).click();
    await page.getByText('Your PIN is set.').waitFor();
    expect(await page.getByText('and you have none.').count()).toBe(0);
    await page.getByText('Remove the PIN').first().click();
    await expectReadable(page, 'phone-pin-set');
  });

  test('the page of the members counts who has none', async () => {
    const page = await openWindow(browser, server, lab.ada, { size });
    await page.goto('/settings/members');
    await expectReadable(page, 'phone-pin-members');
    expect(await page.getByLabel('Ask for a PIN').isChecked()).toBe(true);
  });
});
