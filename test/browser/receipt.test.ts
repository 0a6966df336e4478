// The page behind "I have it" in a mail, on the phone of somebody who was woken, signed in or not.
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import {
  expectNoSidewaysScroll,
  expectReadable,
  launchBrowser,
  openWindow,
  takePicture,
  test,
  WINDOWS,
} from '../support/browser.ts';
import { type DeliveryDesk, openDeliveryDesk } from '../support/delivery-desk.ts';
import { seconds } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let desk: DeliveryDesk;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
  desk = await openDeliveryDesk(server, {
    emails: ['cold@lab.example'],
    steps: [{ step: 1, after_minutes: 10 }],
    told: [{ step: 1, email: 'second@lab.example' }],
  });
}, 60_000);

/** Answers with the link in the mail that came of it. */
async function tell(count: number): Promise<string> {
  const program = desk.hire({ publicUrl: () => server.url });
  await desk.warmAll(await desk.freezers(count));
  await desk.strike(seconds(3), program);
  await desk.strike(seconds(60), program);
  return desk.postbox.arrivals.at(-1)?.letter.receiptUrl ?? '';
}

describe.each(WINDOWS)('on a %s', (size) => {
  test('one button, with or without scripts, and a word of thanks', async () => {
    const link = await tell(1);
    const page = await openWindow(browser, server, null, { size, scripts: size === 'desk' });
    await page.goto(link);
    if (size === 'desk') await expectReadable(page, 'alarm-receipt');
    await page.getByRole('button', { name: 'I have it' }).click();
    await page.getByText('you have it. Thank you.').waitFor();
    expect(page.url()).toBe(link);
    expect(await page.getByRole('button').count()).toBe(0);
    if (size === 'desk') await expectReadable(page, 'alarm-receipt-noted');
  });

  test('a digest can be read, too', async () => {
    const page = await openWindow(browser, server, null, { size });
    await page.goto(await tell(12));
    await expectReadable(page, 'alarm-receipt-digest');
    await page.setViewportSize({ width: 360, height: 800 });
    await expectNoSidewaysScroll(page);
    await takePicture(page, `alarm-receipt-digest-360-${size}`);
    await page.goto(await tell(1));
    await expectNoSidewaysScroll(page);
    await takePicture(page, `alarm-receipt-360-${size}`);
  });
});
