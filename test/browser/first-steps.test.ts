// The README's first steps, walked from an empty folder to a mail that arrived: the real program, a real mail server.
import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectNoSidewaysScroll, expectReadable, launchBrowser, openPage, test } from '../support/browser.ts';
import { makeDataDir, startServing } from '../support/program.ts';
import { openSmtpReceiver } from '../support/smtp-receiver.ts';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

/** Both sizes of the same page. */
async function look(page: Page, name: string): Promise<void> {
  await page.setViewportSize(PHONE);
  await expectReadable(page, name);
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESK);
  await expectReadable(page, name);
}

test('from an empty folder to a message that arrived', async () => {
  const smtp = await openSmtpReceiver();
  const serving = await startServing({ TOCSIN_DATA: await makeDataDir() });
  await expect.poll(() => serving.said()).toContain('with the code');
  const code = /with the code (\S+)/.exec(serving.said())?.[1] ?? '';
  const page = await openPage(await launchBrowser(), serving.url);
  let clicks = 0;
  const press = async (role: 'button' | 'link', name: string) => {
    clicks += 1;
    await page.getByRole(role, { name, exact: true }).first().click();
  };
  const isDone = (title: string) =>
    page.locator('li.step-done', { has: page.getByText(title, { exact: true }) });

  await page.goto('/');
  await page.getByLabel('Setup code').fill(code);
  await page.getByLabel('Organization').fill('Cold Storage');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Email').fill('ada@lab.example');
  await page.getByLabel('Password').fill('correct horse battery');
  await press('button', 'Set up');

  await page.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor();
  await look(page, 'first-steps-begin');
  await press('link', 'Connect a source');
  await page.getByLabel('Name').fill('my laptop');
  await press('button', 'Create source');
  const line = (await page.locator('pre code', { hasText: 'curl' }).first().textContent()) ?? '';
  await promisify(exec)(line);
  await press('link', 'Adopt 0004a30b001c0530');
  await page.getByLabel('Name of the new service').fill('Freezer 1');
  await page.getByLabel('Location').fill('Room 101');
  expect(await page.getByLabel('Who is notified').inputValue()).toBe('me');
  await look(page, 'first-steps-adopt');
  await press('button', 'Create and adopt');
  await page.getByText('Notified: Ada, about everything.').first().waitFor();
  await look(page, 'first-steps-service');

  await press('link', 'Alarms');
  await page.getByText('still missing: mail that leaves, a colleague and a message that arrived.').waitFor();
  await look(page, 'first-steps-line');
  await press('link', 'Go on');
  await look(page, 'first-steps-guide');

  await press('link', 'Set up mail');
  const card = page.getByRole('region', { name: 'Mail server', exact: true });
  clicks += 1;
  await card.locator('summary').first().click();
  await card.getByLabel('Server').fill('127.0.0.1');
  await card.getByLabel('Encryption').selectOption({ label: 'Encrypted where the server offers it' });
  await card.getByLabel('Port').fill(String(smtp.port));
  clicks += 1;
  await card.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Saved. It counts from now on').waitFor();

  await press('link', 'Alarms');
  await press('link', 'Go on');
  await press('button', 'I work alone');
  await isDone('Invite a colleague').waitFor();
  expect(await page.getByRole('button', { name: 'It arrived' }).count()).toBe(0);
  await press('button', 'Send a test');
  const mail = await smtp.mail(1);
  expect(mail.to_).toEqual(['ada@lab.example']);
  expect(mail.subject).toContain('test');
  // The page notices by itself that it was handed over.
  await page.getByRole('button', { name: 'It arrived' }).waitFor();
  await isDone('Let mail leave').waitFor();
  expect(await isDone('See a message arrive').count()).toBe(0);
  await look(page, 'first-steps-handed-over');
  await press('button', 'It arrived');
  await page.getByText('A message has arrived. These steps are done.').waitFor();
  await look(page, 'first-steps-done');
  await press('link', 'Alarms');
  await page.getByText('All is well').waitFor();
  expect(await page.getByText('still missing').count()).toBe(0);
  expect(clicks).toBe(16);
});
