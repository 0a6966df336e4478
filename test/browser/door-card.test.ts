import type { Browser } from 'playwright-core';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { doorPath } from '../../src/engine/services/doors.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  takePicture,
  test,
} from '../support/browser.ts';
import { openDeliveryDesk } from '../support/delivery-desk.ts';
import { minutes } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});

const WIDTHS = [
  { width: 360, scheme: 'dark' },
  { width: 1280, scheme: 'light' },
] as const;

test.each(WIDTHS)(
  'a door card at $width px, $scheme, without scripts: read, pressed, and read again',
  async ({ width, scheme }) => {
    const desk = await openDeliveryDesk(server, { emails: ['cold@lab.example'] });
    const freezer = await desk.freezer({ send_acknowledgements: true });
    const ada = await signedIn(server, desk.lab.ada);
    await ada.send('/settings/door-cards/save', {
      open: 'yes',
      what_to_do: 'yes',
      phones: 'yes',
      names: 'yes',
    });
    await ada.send(`/services/${freezer.id}/what-to-do`, {
      what_to_do: '1. Close the door\n2. Dry ice stands in **Room 9**',
      phones: 'Porter: +49 30 1234\nCold room: +49 30 5678',
    });
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width, height: 740 },
      colorScheme: scheme,
      javaScriptEnabled: false,
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const path = doorPath(server.signer, { serviceId: freezer.id, generation: 0 });
    const look = async (name: string) => {
      await expectNoSidewaysScroll(page);
      await takePicture(page, `door-card-${name}-${width}`);
    };
    await freezer.cools();
    await page.goto(path);
    await look('normal');
    server.clock.advance(minutes(1));
    await freezer.warms();
    await desk.strike();
    await desk.strike(3_000);
    await desk.lab.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`, { comment: 'On my way' });
    await page.reload();
    await look('alarm');
    await page.getByRole('button', { name: 'I am here' }).click();
    await page.getByText('It is being passed on.').waitFor();
    await look('said');
    await page.getByRole('button', { name: 'I am here' }).click();
    await page.getByText('Somebody said so a moment ago.').waitFor();
    await look('again');
    expect(await page.getByRole('link', { name: '+49 30 1234' }).getAttribute('href')).toBe('tel:+49301234');

    const scripted = await browser.newContext({
      baseURL: server.url,
      colorScheme: scheme,
      viewport: { width, height: 740 },
    });
    onTestFinished(() => scripted.close());
    const other = await scripted.newPage();
    await other.goto(path);
    await expectAccessible(other);
  },
);
