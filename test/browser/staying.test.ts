// Staying signed in, as somebody on a phone does it: chosen once, asked again before what is dangerous, ended on the profile.
import type { Browser } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { expectReadable, launchBrowser, openWindow, test } from '../support/browser.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { hours } from '../support/movable-clock.ts';
import { PASSWORD } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let lab: Lab;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
  lab = await openLab(server);
});

test('chosen once, asked before people are changed, and ended', async () => {
  const page = await openWindow(browser, server, null, { size: 'phone' });
  await page.goto('/login');
  await page.getByLabel('Email').fill(lab.ada.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Stay signed in on this device').last().check();
  await expectReadable(page, 'sign-in-staying');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');

  server.clock.advance(hours(9));
  await page.goto('/settings/members');
  await expectReadable(page, 'members-staying');
  await page.getByLabel('People may stay signed in for').selectOption('30 days');
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Staying signed in' }) });
  await card.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Is it you?' }).waitFor();
  await expectReadable(page, 'is-it-you');
  await page.getByLabel('Password').fill('not this one');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('Incorrect email or password').waitFor();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('It counts from now on').waitFor();
  expect(await page.getByLabel('People may stay signed in for').inputValue()).toBe('30');

  await page.goto('/profile');
  await expectReadable(page, 'profile-staying');
  await page.getByRole('link', { name: /^End staying signed in on/ }).click();
  await page.getByRole('button', { name: /^End staying signed in on/ }).click();
  await page.waitForURL('**/login**');
});
