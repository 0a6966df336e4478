import { expect } from 'vitest';
import { makeSetupCode } from '../../src/features/setup/setup-code.ts';
import { expectReadable, launchBrowser, openWindow, test } from '../support/browser.ts';
import { startServer } from '../support/test-server.ts';

test('the first run: a code, an account, and a demo lab that fills itself in', async () => {
  // Three days of history tell the same story in a tenth of the time.
  const server = await startServer({ retentionDays: 4 });
  const code = await makeSetupCode(server.db, server.clock.read());
  const browser = await launchBrowser();
  const desk = await openWindow(browser, server, null);
  await desk.goto('/setup');
  await expectReadable(desk, 'setup');
  const page = await openWindow(browser, server, null, { size: 'phone' });
  await page.goto('/');
  await page.waitForURL('**/setup');
  await expectReadable(page, 'setup');
  await page.getByLabel('Setup code').fill('WRONG');
  await page.getByLabel('Organization').fill('Cold Storage');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Email').fill('ada@lab.example');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByLabel('A demo lab beside it').check();
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('alert').getByText('This is not the code').waitFor();
  expect(await page.getByLabel('A demo lab beside it').isChecked()).toBe(true);
  await expectReadable(page, 'setup-refused');

  await page.getByLabel('Setup code').fill(code);
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.waitForURL(`${server.url}/`);
  // It shows what comes in by itself, and keeps the person's own lab apart from it.
  await page.getByRole('link', { name: 'ULT freezer 2' }).first().waitFor({ timeout: 50_000 });
  await page.goto('/services');
  await page.getByLabel('Organization').selectOption('Cell Biology');
  await page.getByRole('button', { name: 'Show' }).click();
  expect(await page.getByRole('link', { name: /^ULT freezer \d$/ }).count()).toBeGreaterThan(2);
  await page.goto('/settings');
  expect(await page.locator('#organization option').allTextContents()).toContain('Cold Storage');
});
