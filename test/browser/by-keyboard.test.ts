// An alarm at night from the list to whoever takes it over, without a mouse.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { launchBrowser, openWindow, test } from '../support/browser.ts';
import { openDeliveryDesk } from '../support/delivery-desk.ts';
import { startServer } from '../support/test-server.ts';

/** Of a page, from where the focus is. */
const MOST_STEPS = 25;

/** By the key alone, as somebody who sees where the focus is. */
async function tabTo(page: Page, name: string, most = MOST_STEPS): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < most; step += 1) {
    await page.keyboard.press('Tab');
    const focused = String(
      await page.evaluate(`(() => {
        const one = document.activeElement;
        return (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent).trim();
      })()`),
    );
    if (focused === name) return;
    passed.push(focused);
  }
  throw new Error(`Nothing is called ${name}. There are: ${passed.join(' | ')}`);
}

test('an alarm is found, acknowledged with a comment, handed over and looked at by keys alone', async () => {
  const server = await startServer();
  const desk = await openDeliveryDesk(server, { emails: ['cold@lab.example'] });
  const freezer = await desk.freezer({});
  await freezer.warms();
  const page = await openWindow(await launchBrowser(), server, desk.lab.oscar);
  await page.goto('/overview');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.waitForURL(`${server.url}/`);

  await tabTo(page, `Comment on the alarm of ${freezer.name} (optional)`);
  await page.keyboard.type('On my way');
  await tabTo(page, `Acknowledge ${freezer.name}`);
  await page.keyboard.press('Enter');
  await page.getByText('On my way').waitFor();

  // In what replaced the button that was pressed.
  await tabTo(page, `Cannot go, or hand over ${freezer.name}`, 4);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'It is yours now' }).waitFor();
  await tabTo(page, 'Hand it to somebody else');
  await page.keyboard.type('Ada');
  await tabTo(page, 'Hand it over');
  await page.keyboard.press('Enter');
  await page.getByText('It stays yours until they take it.').first().waitFor();

  await page.keyboard.press('/');
  await page.keyboard.type(freezer.name);
  await page.getByRole('dialog', { name: 'Search' }).getByText('Found: 1').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: freezer.name, level: 1 }).waitFor();
  await page.keyboard.press('?');
  await page.keyboard.press('Escape');
  expect(new URL(page.url()).pathname).toMatch(/^\/(services\/\d+|keys)$/);
});
