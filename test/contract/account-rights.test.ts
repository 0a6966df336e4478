// Who may do what to an account: the table of docs/accounts.md, line by line, over the pages and the command line.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import type { OrganizationId } from '../../src/domain/ids.ts';
import {
  acceptByHand,
  activateByHand,
  deactivateByHand,
  deleteByHand,
  setPasswordByHand,
} from '../../src/features/accounts/commands.ts';
import { applyLabFile } from '../../src/features/lab-file/apply-lab-file.ts';
import { projectRoot } from '../../src/platform/project-root.ts';
import { organizationOf } from '../support/equipment.ts';
import { invitePeople, PASSWORD, type People, type Person } from '../support/people.ts';
import { grantRole } from '../support/settings-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const COLUMNS = ['owner', 'alone', 'shared', 'inviting', 'operator'] as const;
type Column = (typeof COLUMNS)[number];

const TABLE = new Map(
  readFileSync(join(projectRoot, 'docs/accounts.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| What'))
    .map((line) => {
      const [what = '', ...cells] = line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim());
      return [what, cells];
    }),
);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

interface Scene extends People {
  organizationName: string;
  /** Olga's, which has invited Vera. */
  elsewhere: OrganizationId;
  invitation: string;
  elsewhereName: string;
}

const nameOf = async (id: OrganizationId) =>
  (await server.db.query<{ name: string }>(sql`select name from organization where id = ${id}`))[0]?.name ??
  '';

async function openScene(column: Column): Promise<Scene> {
  const people = await invitePeople(server);
  const elsewhere = await organizationOf(server, people.olga);
  if (column === 'shared')
    await grantRole(
      server,
      people.vera,
      await organizationOf(server, (await invitePeople(server)).ada),
      'viewer',
    );
  await people.olga.post('/settings/members/invite', { email: people.vera.email, name: 'V', role: 'viewer' });
  const [invitation] = await server.db.query<{ id: number }>(sql`
    select id from invitation where account_id = ${people.vera.id}`);
  return {
    ...people,
    elsewhere,
    elsewhereName: await nameOf(elsewhere),
    organizationName: await nameOf(people.organization),
    invitation: String(invitation?.id),
  };
}

const actors: Record<Exclude<Column, 'operator'>, (scene: Scene) => Person> = {
  owner: ({ vera }) => vera,
  alone: ({ ada }) => ada,
  shared: ({ ada }) => ada,
  inviting: ({ olga }) => olga,
};

const now = () => server.clock.read();
const applies = (file: object) =>
  applyLabFile(
    server.db,
    COMMAND_LINE,
    { text: JSON.stringify(file), fileName: 'lab.yaml', isDryRun: false },
    now(),
  );
const ofMember =
  (verb: string, form: Record<string, string> = {}) =>
  (who: Person, { vera }: Scene) =>
    who.post(`/settings/members/${vera.id}/${verb}`, form);
const accountIs =
  (condition: ReturnType<typeof sql>) =>
  async ({ vera }: Scene) =>
    (await server.db.query(sql`select from account where id = ${vera.id} and ${condition}`)).length > 0;
const roleIs = (role: string | null, where: (scene: Scene) => OrganizationId) => async (scene: Scene) =>
  ((
    await server.db.query<{ role: string }>(sql`
      select role from membership where account_id = ${scene.vera.id} and organization_id = ${where(scene)}`)
  )[0]?.role ?? null) === role;
const isInvited = async ({ vera }: Scene) =>
  (await server.db.query(sql`select from invitation where account_id = ${vera.id}`)).length > 0;

interface Act {
  before?: (scene: Scene) => Promise<unknown>;
  /** On whatever page there is. */
  tries: (who: Person, scene: Scene) => Promise<unknown>;
  byOperator?: (scene: Scene) => Promise<unknown>;
  happened: (scene: Scene) => Promise<boolean>;
}

const NEW = { password: 'a new password of words', password_again: 'a new password of words' };
const profile = { name: 'Renamed', timezone: 'Asia/Tokyo', email: 'renamed@lab.example' };

const ACTS: Record<string, Act> = {
  'change its name, time zone and language': {
    tries: async (who, scene) => {
      await who.post('/profile/save', { ...profile, account_id: String(scene.vera.id) });
      await ofMember('save', profile)(who, scene);
    },
    byOperator: ({ vera }) => applies({ accounts: [{ email: vera.email, name: 'Renamed' }] }),
    happened: accountIs(sql`name = 'Renamed'`),
  },
  'change its address': {
    tries: async (who, scene) => {
      await who.post('/profile/save', profile);
      await ofMember('save', profile)(who, scene);
    },
    happened: accountIs(sql`email = ${profile.email}`),
  },
  'choose its password': {
    tries: async (who, scene) => {
      await who.post('/profile/password', {
        current_password: PASSWORD,
        ...NEW,
        account_id: String(scene.vera.id),
      });
      await ofMember('set-password', NEW)(who, scene);
    },
    byOperator: ({ vera }) => setPasswordByHand(server.db, vera.email, NEW.password, now()),
    happened: accountIs(sql`token_generation > 1`),
  },
  'add and remove its passkeys': {
    before: ({ vera }) =>
      server.db.query(sql`
        insert into passkey (account_id, credential_id, public_key, signatures, host, name, created_at)
        values (${vera.id}, ${`of ${vera.id}`}, ${Buffer.alloc(8)}, 0, 'localhost', 'Phone', ${now()})`),
    tries: async (who, { vera }) => {
      const [passkey] = await server.db.query<{ id: number }>(
        sql`select id from passkey where account_id = ${vera.id}`,
      );
      await who.post(`/profile/passkeys/${passkey?.id}/remove`);
    },
    happened: async ({ vera }) =>
      (await server.db.query(sql`select from passkey where account_id = ${vera.id}`)).length === 0,
  },
  'set and remove its PIN for answers by phone': {
    tries: async (who, scene) => {
      const form = { pin: '90210', pin_again: '90210', current_password: PASSWORD };
      await who.post('/profile/contacts/pin', { ...form, account_id: String(scene.vera.id) });
      await ofMember('pin', form)(who, scene);
    },
    happened: accountIs(sql`phone_pin_hash is not null`),
  },
  'have a link for a new password mailed to it': {
    tries: (who, scene) =>
      who === scene.vera
        ? who.post('/forgot-password', { email: who.email })
        : ofMember('reset-password')(who, scene),
    happened: accountIs(
      sql`exists (select from account_mail where account_id = account.id and kind = 'password_reset')`,
    ),
  },
  'read such a link where mail is kept': {
    before: ({ vera }) =>
      server.db.query(sql`
        insert into kept_mail (mail_id, account_id, recipient, subject, text_body, html_body, created_at)
        values (${`mail of ${vera.id}`}, ${vera.id}, ${vera.email}, 'Choose', 'text', 'html', ${now()})`),
    tries: async (who, { vera }) => {
      const [mail] = await server.db.query<{ id: string }>(
        sql`select id from kept_mail where account_id = ${vera.id}`,
      );
      await who.get(`/settings/mail/${mail?.id}`);
    },
    happened: async ({ vera }) =>
      (
        await server.db.query(sql`
          select from audit where action = 'mail.read' and detail ->> 'account' = ${String(vera.id)}`)
      ).length > 0,
  },
  'change its role': {
    tries: ofMember('role', { role: 'operator' }),
    byOperator: ({ vera, organizationName: name }) =>
      applies({ organizations: [{ name, members: [{ email: vera.email, role: 'operator' }] }] }),
    happened: roleIs('operator', ({ organization }) => organization),
  },
  'remove it from the organization': {
    tries: ofMember('remove'),
    happened: roleIs(null, ({ organization }) => organization),
  },
  'deactivate it': {
    tries: ofMember('deactivate'),
    byOperator: ({ vera }) => deactivateByHand(server.db, vera.email, now()),
    happened: accountIs(sql`not is_active`),
  },
  'activate it, deactivated by an administrator': {
    before: ({ vera }) => server.db.query(sql`update account set is_active = false where id = ${vera.id}`),
    tries: ofMember('activate'),
    byOperator: ({ vera }) => activateByHand(server.db, vera.email, now()),
    happened: accountIs(sql`is_active`),
  },
  'activate it, deactivated by the operator': {
    before: ({ vera }) => deactivateByHand(server.db, vera.email, now()),
    tries: ofMember('activate'),
    byOperator: ({ vera }) => activateByHand(server.db, vera.email, now()),
    happened: accountIs(sql`is_active`),
  },
  'accept an invitation for it': {
    tries: (who, { invitation }) => who.post(`/invitations/${invitation}/accept`),
    byOperator: ({ vera, elsewhereName }) => acceptByHand(server.db, vera.email, elsewhereName, now()),
    happened: roleIs('viewer', ({ elsewhere }) => elsewhere),
  },
  'decline an invitation': {
    tries: (who, { invitation }) => who.post(`/invitations/${invitation}/decline`),
    happened: async (scene) => !(await isInvited(scene)),
  },
  'withdraw an invitation': {
    tries: (who, { invitation }) => who.post('/settings/members/withdraw', { invitation_id: invitation }),
    happened: async (scene) => !(await isInvited(scene)),
  },
  'delete it': {
    tries: ofMember('delete'),
    byOperator: ({ vera }) => deleteByHand(server.db, vera.email, now()),
    happened: async (scene) => !(await accountIs(sql`true`)(scene)),
  },
};

test('the table and the test speak of the same', () => {
  expect([...TABLE.keys()]).toEqual(Object.keys(ACTS));
});

describe.each(Object.entries(ACTS))('%s', (what, { before, tries, byOperator, happened }) => {
  test.each(COLUMNS)('%s', async (column) => {
    const scene = await openScene(column);
    await before?.(scene);
    if (column === 'operator') await byOperator?.(scene);
    else await tries(actors[column](scene), scene);
    expect((await happened(scene)) ? 'yes' : 'no').toBe(TABLE.get(what)?.[COLUMNS.indexOf(column)]);
  });
});
