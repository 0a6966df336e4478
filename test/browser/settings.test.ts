import type { Browser } from 'playwright-core';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { expectReadable, launchBrowser, openWindow, takePicture, test, WINDOWS } from '../support/browser.ts';
import { createFreezer, type Freezer } from '../support/equipment.ts';
import { invitePeople, type People } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let browser: Browser;
let people: People;
let freezer: Freezer;
let deviceId: number;
beforeAll(async () => {
  server = await startServer();
  browser = await launchBrowser();
});
beforeEach(async () => {
  people = await invitePeople(server);
  freezer = await createFreezer(server, people, { name: 'ULT freezer 3', location: 'Room 101' });
  const [row] = await server.db.query<{ id: number }>(sql`
    insert into device (organization_id, key, first_seen_at, last_seen_at, created_at)
    values (${people.organization}, '0004a30b001c0530', ${server.clock.read()}, ${server.clock.read()}, ${server.clock.read()})
    returning id`);
  deviceId = row?.id ?? 0;
  await server.db.query(sql`
    insert into audit (happened_at, organization_id, service_id, account_id, account_name, action, detail, address)
    values (${server.clock.read()}, ${people.organization}, ${freezer.id}, ${people.ada.id}, 'Ada', 'service.edit',
      ${{ changes: { stale_after_minutes: { before: 15, after: 20 } } }}, '10.0.0.7')`);
});

describe.each(WINDOWS)('on a %s', (size) => {
  test('every page can be read by everybody', async () => {
    const page = await openWindow(browser, server, people.ada, { size });
    const pages: [name: string, path: string][] = [
      ['overview', '/settings'],
      ['members', '/settings/members'],
      ['member', `/settings/members/${people.vera.id}`],
      ['services', '/settings/services'],
      ['service', `/settings/services/${freezer.id}`],
      ['channels', `/settings/channels?service=${freezer.id}`],
      ['devices', '/settings/devices'],
      ['device', `/settings/devices/${deviceId}`],
      ['assets', '/settings/assets'],
      ['locations', '/settings/locations'],
      ['sources', '/settings/sources'],
      ['groups', '/settings/groups'],
      ['mail', '/settings/mail'],
      ['wall', '/settings/wall'],
      ['audit', '/audit'],
      ['profile', '/profile'],
    ];
    for (const [name, path] of pages) {
      await page.goto(path);
      await expectReadable(page, `settings-${name}`);
    }
  });
});

describe.each(WINDOWS)('before signing in, on a %s', (size) => {
  test('every page can be read by everybody', async () => {
    const page = await openWindow(browser, server, null, { size });
    const pages: [name: string, path: string][] = [
      ['forgotten', '/forgot-password'],
      ['mail-sent', '/forgot-password/sent'],
      ['dead-link', '/activate/unknown'],
      ['not-found', '/nowhere'],
      ['sign-in', '/settings/members'],
    ];
    for (const [name, path] of pages) {
      await page.goto(path);
      await expectReadable(page, name);
    }
    await page.getByLabel('Email').fill(people.vera.email);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await expectReadable(page, 'sign-in-refused');
  });
});

describe.each([true, false])('with scripts: %s', (scripts) => {
  test('an administrator adopts a device that was heard of', async () => {
    const page = await openWindow(browser, server, people.ada, { size: 'phone', scripts });
    await page.goto('/settings');
    await page.getByText('1 device waiting to be adopted').waitFor();
    await page.getByRole('heading', { name: 'Devices' }).getByRole('link').click();
    await page.getByRole('link', { name: '0004a30b001c0530' }).click();
    await page.getByLabel('Unit', { exact: true }).selectOption('ULT freezer 3');
    await page.getByRole('button', { name: 'Adopt', exact: true }).click();
    await page.getByText('From now on its data is kept for this service.').waitFor();
  });

  test('a refused form keeps what was typed and says what is wrong beside the field', async () => {
    const page = await openWindow(browser, server, people.ada, { scripts });
    await page.goto('/settings/members');
    await page.getByLabel('Email').fill(people.vera.email);
    await page.getByLabel('Name', { exact: true }).fill('Vera');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(people.vera.email);
    expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
    await takePicture(page, `settings-members-refused-${scripts ? 'scripts' : 'plain'}`);
  });

  test('a new source shows its secret once', async () => {
    const page = await openWindow(browser, server, people.ada, { scripts });
    await page.goto('/settings/sources');
    await page.getByLabel('Name').fill('gateway');
    await page.getByRole('button', { name: 'Create source' }).click();
    const secret = (await page.locator('pre code').first().textContent()) ?? '';
    expect(secret).toMatch(/^[\w-]{43}$/);
    await page.getByRole('link', { name: 'I have copied it' }).click();
    await page.getByText('secret made').waitFor();
    expect(await page.content()).not.toContain(secret);
  });
});

test('the audit log is searched and downloaded', async () => {
  const page = await openWindow(browser, server, people.ada);
  await page.goto('/audit');
  await page.getByLabel('Act', { exact: true }).selectOption('service.edit');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('15 → 20').waitFor();
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as CSV' }).click();
  expect((await waiting).suggestedFilename()).toBe(`audit-${people.organization}.csv`);
});

test('viewers and operators find no way into the settings', async () => {
  for (const person of [people.vera, people.oscar]) {
    const page = await openWindow(browser, server, person);
    await page.goto('/profile');
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  }
});
