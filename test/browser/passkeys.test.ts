// A device of Chromium's own makes and uses passkeys, at the only name without TLS that browsers allow it for.
import type { Browser, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import {
  expectReadable,
  launchBrowser,
  openWindow,
  testInstalled as test,
  WINDOWS,
} from '../support/browser.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { PASSWORD } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let lab: Lab;
beforeAll(async () => {
  const started = await startServer();
  server = { ...started, url: started.url.replace('127.0.0.1', 'localhost') };
  browser = await launchBrowser('all');
});
beforeEach(async () => {
  lab = await openLab(server);
});

async function addDevice(page: Page, isUserVerified = true) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    verifies: (isVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isVerified }),
  };
}

async function addPasskey(page: Page): Promise<void> {
  await page.goto('/profile');
  await page.getByLabel('Name of the new passkey').fill('Phone of Oscar');
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('The passkey is added.').waitFor();
}

test('one touch signs in at three in the morning, without an address or a password', async () => {
  const page = await openWindow(browser, server, lab.oscar);
  const device = await addDevice(page);
  await addPasskey(page);
  expect(await page.getByText('Phone of Oscar').count()).toBe(1);

  await page.getByText('Oscar', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL('**/login');
  await page.goto('/login?next=/services');
  await device.verifies(false);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('The device was not unlocked').waitFor();
  await device.verifies(true);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(`${server.url}/services`);

  await page.goto('/profile');
  await page.getByRole('link', { name: 'Remove the passkey Phone of Oscar' }).click();
  await page.getByRole('button', { name: 'Remove the passkey Phone of Oscar' }).click();
  await page.getByText('The passkey is removed').waitFor();
});

test('a device that has one is not given a second, and a wrong password gets none', async () => {
  const page = await openWindow(browser, server, lab.oscar);
  await addDevice(page);
  await addPasskey(page);
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('This device has a passkey of yours already.').waitFor();
  await page.getByLabel('Your password').fill('wrong');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('This is not your password.').waitFor();
});

describe.each(WINDOWS)('on a %s', (size) => {
  test('passkeys can be read by everybody', async () => {
    const page = await openWindow(browser, server, lab.oscar, { size });
    await addDevice(page);
    await addPasskey(page);
    await expectReadable(page, 'profile-passkeys');
    await page.getByLabel('Your password').fill('wrong');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('This is not your password.').waitFor();
    await expectReadable(page, 'profile-passkeys-refused');
    await page.context().clearCookies();
    await page.goto('/login');
    await expectReadable(page, 'login-passkeys');
  });
});
