import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { makeSetupCode } from '../../src/features/setup/setup-code.ts';
import { expectReadable, launchBrowser, openWindow, test, WINDOWS } from '../support/browser.ts';
import { openLab } from '../support/lab.ts';
import { minutes } from '../support/movable-clock.ts';
import { startServer } from '../support/test-server.ts';

/** The command of the page, as somebody would paste it; another value on demand. */
async function paste(page: Page, value = '-71.2'): Promise<void> {
  const line = (await page.locator('pre code', { hasText: 'curl' }).first().textContent()) ?? '';
  const { stdout } = await promisify(exec)(line.replace('-71.2', value));
  expect(JSON.parse(stdout)).toMatchObject({ duplicates: 0 });
}

test('from nothing to the first alarm, by pages and one command', async () => {
  const server = await startServer();
  const code = await makeSetupCode(server.db, server.clock.read());
  const browser = await launchBrowser();
  const page = await openWindow(browser, server, null);
  await page.goto('/');
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(await page.getByLabel('Time zone').inputValue()).toBe(zone);
  await page.getByLabel('Setup code').fill(code);
  await page.getByLabel('Organization').fill('Cold Storage');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Email').fill('ada@lab.example');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Set up' }).click();

  await page.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor();
  await expectReadable(page, 'first-steps');
  await page.getByRole('link', { name: 'Connect a source' }).click();
  await page.getByLabel('Name').fill('my laptop');
  await page.getByRole('button', { name: 'Create source' }).click();
  await page.getByText('Waiting for the first reading…').waitFor();
  await expectReadable(page, 'source-waiting');
  await paste(page);
  // The page shows it by itself.
  const command = page.locator('pre code', { hasText: 'curl' }).first();
  const line = (await command.textContent()) ?? '';
  await page.getByRole('link', { name: 'Adopt 0004a30b001c0530' }).waitFor();
  await page.getByText('temperature −71.2').waitFor();
  await expectReadable(page, 'source-heard');

  await page.goto('/');
  await page.getByRole('link', { name: 'Adopt it' }).click();
  await page.getByLabel('Name of the new service').fill('Freezer 1');
  await page.getByLabel('Location').fill('Room 101');
  const template = page.getByLabel('Template');
  expect(await template.inputValue()).toBe('freezer-80');
  const critical = page.getByLabel('temperature, Critical high: limit');
  await template.selectOption('Fridge 2–8 °C');
  await expect.poll(() => critical.inputValue()).toBe('8');
  // What came in listens at once: here it is chosen again in the very moment in which it comes.
  await page.evaluate(() =>
    new MutationObserver((_, observer) => {
      observer.disconnect();
      const select = document.querySelector<HTMLSelectElement>('select[name*="template"]');
      if (!select) return;
      select.value = 'freezer-80';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }).observe(document.querySelector('fieldset.adopted-channel')?.parentElement as Element, {
      childList: true,
    }),
  );
  await template.selectOption('Limits of its own');
  await expect.poll(() => critical.inputValue()).toBe('-60');
  await critical.fill('-90');
  await page.getByRole('button', { name: 'Create and adopt' }).click();
  await page.getByText('Critical high must be strictly greater than warning high.').waitFor();
  expect(await page.getByLabel('Location').inputValue()).toBe('Room 101');
  await expectReadable(page, 'adoption-refused');
  await critical.fill('-60');
  await page.getByLabel('temperature, Critical high: sustained minutes').fill('0');
  await page.getByRole('button', { name: 'Create and adopt' }).click();
  await page.getByRole('heading', { name: 'Freezer 1', level: 1 }).waitFor();
  await page.getByText('Adopted. What its device said before came along').waitFor();
  await page.getByText('−71.2 °C').first().waitFor();
  await expectReadable(page, 'first-curve');

  server.clock.advance(minutes(1));
  await promisify(exec)(line.replace('-71.2', '-41.5'));
  await page.goto('/');
  await page.getByRole('link', { name: 'Freezer 1', exact: true }).waitFor();
  await page.getByText('1 critical').waitFor();
});

test('who may not connect anything is told whom to wait for', async () => {
  const server = await startServer();
  const lab = await openLab(server);
  const browser = await launchBrowser();
  for (const path of ['/', '/services']) {
    const vera = await openWindow(browser, server, lab.vera, { size: 'phone' });
    await vera.goto(path);
    await vera.getByText('As soon as an administrator of your organization').waitFor();
    const ada = await openWindow(browser, server, lab.ada, { size: 'phone' });
    await ada.goto(path);
    await ada.getByRole('link', { name: 'Show the lines to copy' }).waitFor();
    await expectReadable(ada, `first-steps${path === '/' ? '' : '-services'}`);
  }
});

test('without scripts a template is filled in by a button', async () => {
  const server = await startServer();
  const lab = await openLab(server);
  await lab.group({ name: 'Cold team', emails: ['cold@lab.example'] });
  for (let message = 0; message < 10; message += 1) {
    server.clock.advance(minutes(10));
    await lab.post({ device: 'EM-320', values: { temperature: 4.5, humidity: 41, battery: 97, rssi: -101 } });
  }
  const browser = await launchBrowser();
  for (const size of WINDOWS) {
    const page = await openWindow(browser, server, lab.ada, { size });
    await page.goto('/settings/devices');
    await expectReadable(page, 'devices-waiting');
    await page.getByRole('link', { name: 'EM-320' }).click();
    await page.getByRole('heading', { name: 'Make a new service of it' }).waitFor();
    await expectReadable(page, 'adoption');
  }
  const page = await openWindow(browser, server, lab.ada, { size: 'phone', scripts: false });
  await page.goto('/settings/devices');
  await page.getByRole('link', { name: 'EM-320' }).click();
  expect(await page.getByLabel('Reports every').inputValue()).toBe('10');
  await page.getByLabel('Template').nth(1).selectOption('Cold room 4 °C');
  await page.getByRole('button', { name: 'Fill in the limits' }).click();
  expect(await page.getByLabel('temperature, Critical low: limit').inputValue()).toBe('0');
  await page.getByLabel('Name of the new service').fill('Cold room');
  await page.getByRole('button', { name: 'Create and adopt' }).click();
  await page.getByRole('heading', { name: 'Cold room', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Print a sticker' }).click();
  await page.getByRole('img', { name: `QR code of ${server.url}/services/` }).waitFor();
  for (const size of WINDOWS) {
    const other = await openWindow(browser, server, lab.ada, { size });
    await other.goto('/stickers');
    await expectReadable(other, 'stickers');
  }
});
