import type { Browser } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import type { InvitationId } from '../../src/domain/ids.ts';
import { insertLinks, makeLink } from '../../src/engine/accounts/account-links.ts';
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

async function linkFor(purpose: 'invitation' | 'activation'): Promise<string> {
  const { id: accountId } = people.vera;
  const [invitation] = await server.db.query<{ id: InvitationId }>(sql`
    select id from invitation where account_id = ${accountId}`);
  const now = server.clock.read();
  const link = makeLink({ accountId, purpose, invitationId: invitation?.id ?? null, isPrivate: true }, now);
  await server.db.transaction((tx) => insertLinks(tx, [link], now));
  return `${purpose === 'invitation' ? '/join' : '/activate'}/${link.token}`;
}

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
    expect(await page.getByRole('link', { name: 'Accept or decline' }).count()).toBe(0);
  });

  test('who invites sees that it is not answered', async () => {
    const page = await openWindow(browser, server, people.olga, { size });
    await page.goto('/settings/members');
    await page.getByText('Invited, not yet accepted').waitFor();
    await expectReadable(page, 'members-invited');
    await page.getByRole('link', { name: 'Withdraw the invitation of Vera' }).click();
    await page.getByRole('button', { name: 'Withdraw the invitation of Vera' }).click();
    await page.getByText('The invitation is withdrawn.').waitFor();
  });

  test('the link in the mail asks for an answer, and for a password where one is needed', async () => {
    const page = await openWindow(browser, server, null, { size });
    await page.goto(await linkFor('invitation'));
    await expectReadable(page, 'join');
    await page.goto(await linkFor('activation'));
    await expectReadable(page, 'activate-invited');
    await server.db.query(sql`update account set password_may_be_known = true where id = ${people.vera.id}`);
    await page.goto(await linkFor('invitation'));
    await page.getByLabel('New password').fill('several words of mine');
    await page.getByLabel('The same once more').fill('not the same');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('alert').waitFor();
    await expectReadable(page, 'join-new-password');
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('You declined the invitation.').waitFor();
  });

  test('who needs a new password first is told how to get one', async () => {
    await server.db.query(sql`update account set password_may_be_known = true where id = ${people.vera.id}`);
    const page = await openWindow(browser, server, people.vera, { size });
    await page.goto('/invitations');
    await page.getByText('First a new password').waitFor();
    await expectReadable(page, 'invitations-new-password');
    expect(await page.getByRole('button', { name: 'Accept the invitation' }).count()).toBe(0);
  });
});
