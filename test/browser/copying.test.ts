// What people take along is copied by a button, also where the page came without encryption.
import type { Browser } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { launchBrowser, openWindow, test } from '../support/browser.ts';
import { openLab } from '../support/lab.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});

test.each([true, false])('a secret is copied; the page came encrypted: %s', async (isSecure) => {
  const lab = await openLab(server);
  const page = await openWindow(browser, server, lab.ada);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(`Object.defineProperty(window, 'isSecureContext', { get: () => ${isSecure} });`);
  await page.goto('/settings/sources');
  await page.getByLabel('Name').fill('gateway 2');
  await page.getByRole('button', { name: 'Create source' }).click();
  const secret = await page.locator('.copyable code').first().textContent();
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(secret?.length).toBeGreaterThan(20);
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
});
