import type { Browser } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { expectReadable, launchBrowser, openWindow, test, WINDOWS } from '../support/browser.ts';
import { invitePeople, type People } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
let browser: Browser;
let people: People;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});
beforeEach(async () => {
  people = await invitePeople(server);
  const olga = await signedIn(server, people.olga);
  await olga.send('/settings/members/invite', { email: people.vera.email, name: 'Vera', role: 'operator' });
});

describe.each(WINDOWS)('on a %s', (size) => {
  test('whoever is invited reads of it on every page, and answers', async () => {
    const page = await openWindow(browser, server, people.vera, { size });
    await page.goto('/');
    await expectReadable(page, 'invited');
    await page.getByRole('link', { name: 'Accept or decline' }).click();
    await page.getByText('invites you to Virology').waitFor();
    await expectReadable(page, 'invitations');
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('status').waitFor();
    await expectReadable(page, 'invitations-accepted');
    expect(await page.getByRole('link', { name: 'Accept or decline' }).count()).toBe(0);
  });

  test('who invites sees that it is not answered', async () => {
    const page = await openWindow(browser, server, people.olga, { size });
    await page.goto('/settings/members');
    await page.getByText('Invited, not yet accepted').waitFor();
    await expectReadable(page, 'members-invited');
    await page.getByRole('button', { name: 'Withdraw the invitation of Vera' }).click();
    await page.getByText('The invitation is withdrawn.').waitFor();
  });
});
