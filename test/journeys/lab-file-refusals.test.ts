// A lab file with anything wrong saves nothing, and says everything that only the database can tell.
import sql from 'sql-template-tag';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LabFileDesk, openLabFileDesk } from '../support/lab-file.ts';

let desk: LabFileDesk;
beforeEach(async () => {
  desk = await openLabFileDesk();
  await desk.apply(`
accounts: [{ email: vera@lab.example, name: Vera }, { email: olga@lab.example, name: Olga }]
organizations:
  - name: Lab
    members: [{ email: vera@lab.example, role: viewer }]
    sources: [{ name: gateway, secret: the secret of the lab }]
    groups: [{ name: Cold }]
    services: [{ name: A, key: a, asset: X, device: { key: d1 } }, { name: B, key: b, asset: X }]
  - name: Other
    members: [{ email: olga@lab.example, role: viewer }]
    groups: [{ name: Elsewhere }]
`);
});
afterEach(() => desk.db.close());

const wrong: [what: string, body: string, fault: string][] = [
  [
    'a member without an account',
    'members: [{ email: nobody@lab.example, role: viewer }]',
    '7:24 organizations[1].members[0].email: there is no account nobody@lab.example, neither in this file nor in the database',
  ],
  [
    'a new source without a secret',
    'sources: [{ name: second }]',
    '7:15 organizations[1].sources[0].secret: is missing: there is no source "second" yet, and a new one needs a secret',
  ],
  [
    'the secret of another source',
    'sources: [{ name: second, secret: the secret of the lab }]',
    '7:39 organizations[1].sources[0].secret: is the secret of another source; each source needs its own',
  ],
  [
    'somebody notified who is no member',
    'groups: [{ name: Cold, accounts: [olga@lab.example] }]',
    '7:39 organizations[1].groups[0].accounts[0]: olga@lab.example is not a member of Lab',
  ],
  [
    'a group of another organization',
    'services: [{ name: A, notifications: { group: Elsewhere } }]',
    '7:51 organizations[1].services[0].notifications.group: there is no group "Elsewhere" in Lab, neither in this file nor in the database',
  ],
  [
    'a device of another service',
    'services: [{ name: B, key: b, device: { key: d1 } }]',
    '7:50 organizations[1].services[0].device.key: this device belongs to service "A"',
  ],
  [
    'two places for an asset that both already share',
    'services: [{ name: A, location: Room 1 }, { name: B, location: Room 2 }]',
    '7:68 organizations[1].services[1].location: asset "X" is given another location on line 7',
  ],
];

const file = (body: string) => `
accounts: [{ email: nora@lab.example, name: Nora, password: a long password }]
organizations:
  - name: New
    services: [{ name: N, limits: [{ channel: default, bands: { WARNING_LOW: { limit: 1 } } }] }]
  - name: Lab
    ${body}
`;

test.each(wrong)('%s: nothing is saved', async (_, body, fault) => {
  const before = await desk.snapshot();
  expect(await desk.refuse(file(body))).toEqual([fault]);
  expect(await desk.snapshot()).toEqual(before);
});

test('a member whose password an administrator of another organization may know needs a new one', async () => {
  const name = 'organizations:\n  - name: Lab\n    members: [{ email: olga@lab.example, role: viewer }]\n';
  await desk.db.query(sql`update account set password_may_be_known = true`);
  const before = await desk.snapshot();
  expect(await desk.refuse(name)).toEqual([
    '3:24 organizations[0].members[0].email: an administrator of another organization may know the password of olga@lab.example: give the account a new one',
  ]);
  expect(await desk.snapshot()).toEqual(before);
  await desk.apply(`accounts: [{ email: olga@lab.example, password: nobody else knows it }]\n${name}`);
  expect(await desk.db.query(sql`select 1 from membership`)).toHaveLength(3);
});

test('an account that is new and has no name: nothing is saved, and its memberships are not complained about', async () => {
  const text = `
accounts: [{ email: nora@lab.example }]
organizations:
  - { name: Lab, members: [{ email: nora@lab.example, role: viewer }], groups: [{ name: Cold, accounts: [nora@lab.example] }] }
`;
  expect(await desk.refuse(text)).toEqual([
    '2:12 accounts[0].name: is missing: there is no account nora@lab.example yet, and a new one needs a name',
  ]);
});

test('all of it is told at once', async () => {
  const text = `organizations:
  - name: Lab
    members: [{ email: nobody@lab.example, role: viewer }]
    sources: [{ name: second }]
    services: [{ name: C, key: c, device: { key: d1 }, notifications: { group: Warm } }]
`;
  expect(await desk.refuse(text)).toHaveLength(4);
});
