// Every settings page as every kind of person: who sees it, and who does not learn that it exists.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFreezer, type Freezer } from '../support/equipment.ts';
import { expectPage } from '../support/page.ts';
import { grantRole, openSettingsDesk, type SettingsDesk } from '../support/settings-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn } from '../support/visitor.ts';

let server: TestServer;
let desk: SettingsDesk;
let freezer: Freezer;
let deviceId: number;
beforeAll(async () => {
  server = await startServer();
  desk = await openSettingsDesk(server);
  freezer = await createFreezer(server, desk.people, { name: 'Sealed freezer', location: 'Sealed room' });
  const [row] = await server.db.query<{ id: number }>(sql`
    insert into device (organization_id, key, created_at)
    values (${desk.organization}, 'sealed-device', ${server.clock.read()}) returning id`);
  deviceId = row?.id ?? 0;
  await desk.sends('/settings/sources/create', { name: 'Sealed source' });
});

const PAGES = [
  '/settings',
  '/settings/members',
  '/settings/members/:vera',
  '/settings/services',
  '/settings/services/:freezer',
  '/settings/channels',
  '/settings/channels?service=:freezer',
  '/settings/devices',
  '/settings/devices/:device',
  '/settings/assets',
  '/settings/locations',
  '/settings/sources',
  '/settings/readings',
  '/audit',
];
const FORMS = [
  '/settings/members/invite',
  '/settings/members/device-days',
  '/settings/members/personal-links',
  '/settings/members/phone-pin',
  '/settings/services/create',
  '/settings/services/:freezer/place',
  '/settings/services/:freezer/archive',
  '/settings/services/:freezer/restore',
  '/settings/channels/save',
  '/settings/devices/add',
  '/settings/devices/:device/assign',
  '/settings/devices/:device/new-service',
  '/settings/devices/:device/template',
  '/settings/devices/:device/interval',
  '/settings/devices/:device/forget',
  '/settings/assets/create',
  '/settings/assets/edit',
  '/settings/assets/delete',
  '/settings/locations/create',
  '/settings/locations/rename',
  '/settings/locations/delete',
  '/settings/sources/create',
  '/settings/sources/renew',
  '/settings/sources/revoke',
  '/settings/readings/retention',
];

const fill = (path: string) =>
  path
    .replace(':vera', String(desk.people.vera.id))
    .replace(':freezer', String(freezer.id))
    .replace(':device', String(deviceId));
const inOrganization = (path: string) =>
  `${fill(path)}${path.includes('?') ? '&' : '?'}organization=${desk.organization}`;

const OTHERS = ['vera', 'oscar', 'nora', 'olga'] as const;

describe.each(PAGES)('GET %s', (path) => {
  test('an administrator sees it', async () => {
    await expectPage(await desk.ada.open(fill(path)), 200);
    await expectPage(await desk.ada.open(inOrganization(path)), 200);
  });

  test.each(OTHERS)('%s does not', async (name) => {
    const browser = await signedIn(server, desk.people[name]);
    const html = await expectPage(await browser.open(inOrganization(path)), 404);
    expect(html).not.toMatch(/sealed/i);
  });

  test('without a session it leads to the sign-in page and back', async () => {
    const answer = await openVisitor(server).open(fill(path));
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`/login?${new URLSearchParams({ next: fill(path) })}`);
  });

  test('to an administrator of another organization nothing of it shows in his own', async () => {
    const olga = await signedIn(server, desk.people.olga);
    const answer = await olga.open(fill(path));
    expect(answer.status).toBe(/:|\?/.test(path) ? 404 : 200);
    expect(await answer.text()).not.toMatch(/sealed/i);
  });
});

describe.each(FORMS)('POST %s', (path) => {
  test('nobody but an administrator may send it', async () => {
    const before = await server.db.query(
      sql`select count(*) from audit where organization_id = ${desk.organization}`,
    );
    for (const name of OTHERS) {
      const browser = await signedIn(server, desk.people[name]);
      await expectPage(await browser.send(inOrganization(path)), 404);
    }
    expect((await openVisitor(server).send(inOrganization(path))).headers.get('location')).toMatch(
      /^\/login/,
    );
    const after = await server.db.query(
      sql`select count(*) from audit where organization_id = ${desk.organization}`,
    );
    expect(after).toEqual(before);
  });
});

describe('somebody with several organizations', () => {
  test('chooses one of those he administers', async () => {
    const other = await openSettingsDesk(server);
    await grantRole(server, other.people.ada, desk.organization, 'administrator');
    const html = await expectPage(
      await other.ada.open(`/settings/services?organization=${desk.organization}`),
      200,
    );
    expect(html).toContain('Sealed freezer');
    expect(html).toContain('name="organization"');
    expect(await other.ada.read(`/settings/services?organization=${other.organization}`)).not.toContain(
      'Sealed freezer',
    );
    await grantRole(server, other.people.ada, desk.organization, 'operator');
    await expectPage(await other.ada.open(`/settings/services?organization=${desk.organization}`), 404);
  });

  test.each(['0', '-1', 'x', '99999999999', '2147483647', ''])(
    'organization=%s is not found',
    async (asked) => {
      await expectPage(await desk.ada.open(`/settings?organization=${asked}`), 404);
    },
  );
});

test.each(['0', 'x', '2147483648', '-1'])('an id of %s is not found', async (id) => {
  for (const path of ['members', 'services', 'devices'])
    await expectPage(await desk.ada.open(`/settings/${path}/${id}`), 404);
});
