// What an administrator tries to get into another organization, over the pages as they are.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFreezer } from '../support/equipment.ts';
import { type MailMode, openHostileScene, type Scene } from '../support/hostile-administrator.ts';
import { invitePeople, type People, type Person } from '../support/people.ts';
import { recordsOf, roleOf } from '../support/settings-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

interface Way {
  /** It takes a link that she reads. */
  needsLink?: true;
  /** Before Ada invites Mia, after that, and after Mia has joined. */
  before?: (scene: Scene) => Promise<unknown>;
  between?: (scene: Scene) => Promise<unknown>;
  after?: (scene: Scene) => Promise<unknown>;
}

const PASSWORD = { password: 'known to Eve alone', password_again: 'known to Eve alone' };

const takesTheAccount = async (scene: Scene) => {
  await scene.eveInvites();
  await scene.eveFollows();
};
const miaIsHers = async (scene: Scene) => {
  await scene.eveInvites();
  await scene.miaActivates();
};
const forgets = ({ eve, mia }: Scene) => eve.post('/forgot-password', { email: mia });

const WAYS: Record<string, Way> = {
  'sets the password and leaves the account to others': {
    before: async (scene) => {
      await takesTheAccount(scene);
      await scene.eveSends('set-password', PASSWORD);
      await scene.eveSends('remove');
    },
  },
  'activates the account herself and keeps it': { needsLink: true, before: takesTheAccount },
  'keeps the link to activate for later': {
    needsLink: true,
    before: async (scene) => {
      await scene.eveInvites();
      await scene.eveReads();
    },
  },
  'keeps a link for a new password for later': {
    needsLink: true,
    before: async (scene) => {
      await miaIsHers(scene);
      await forgets(scene);
      await scene.eveReads();
    },
  },
  'keeps such a link until Mia, whom the operator added, has accepted': {
    needsLink: true,
    before: async (scene) => {
      await scene.operatorAdds();
      await forgets(scene);
      await scene.eveReads();
    },
  },
  'sets a new password by a link for it': {
    needsLink: true,
    before: async (scene) => {
      await miaIsHers(scene);
      await forgets(scene);
      await scene.eveFollows();
    },
  },
  'has a link sent from the page of the member': {
    before: miaIsHers,
    between: async (scene) => {
      await scene.eveSends('reset-password');
      await scene.eveFollows();
    },
  },
  'answers the invitation of the other organization': {
    needsLink: true,
    before: takesTheAccount,
    between: (scene) => scene.eveAccepts(),
  },
  'changes her password as Mia and answers then': {
    needsLink: true,
    before: takesTheAccount,
    between: async (scene) => {
      await scene.eveAccepts();
      await scene.eveFollows();
      await scene.eveAccepts();
    },
  },
  'removes and invites again': {
    before: async (scene) => {
      await takesTheAccount(scene);
      await scene.eveSends('remove');
      await scene.eveInvites();
      await scene.eveFollows();
    },
    between: async (scene) => {
      await scene.eveSends('remove');
      await scene.eveInvites();
      await scene.eveFollows();
      await scene.eveAccepts();
    },
  },
  'invites while the other invitation waits': {
    between: async (scene) => {
      await scene.eveInvites();
      await scene.eveFollows();
      await scene.eveAccepts();
    },
  },
  'deactivates and activates': {
    needsLink: true,
    before: takesTheAccount,
    between: async (scene) => {
      await scene.eveSends('deactivate');
      await scene.eveSends('activate');
      await scene.eveFollows();
      await scene.eveAccepts();
    },
    after: async (scene) => {
      await scene.eveSends('deactivate');
      await scene.eveSends('activate');
    },
  },
  'deactivates and removes': {
    before: async (scene) => {
      await takesTheAccount(scene);
      await scene.eveSends('deactivate');
      await scene.eveSends('remove');
    },
  },
  'makes Mia an administrator': {
    needsLink: true,
    before: takesTheAccount,
    between: async (scene) => {
      await scene.eveSends('role', { role: 'administrator' });
      await scene.eveAccepts();
    },
    after: (scene) => scene.eveSends('role', { role: 'administrator' }),
  },
  'asks for a new password once Mia has joined': {
    before: miaIsHers,
    after: async (scene) => {
      await forgets(scene);
      await scene.eveSends('reset-password');
      await scene.eveFollows();
    },
  },
  'removes Mia once she has joined, and invites her anew': {
    before: miaIsHers,
    after: async (scene) => {
      await scene.eveSends('remove');
      await scene.eveInvites('administrator');
      await scene.eveFollows();
    },
  },
  'has her group tell the address': {
    before: async (scene) => {
      await scene.eve.post('/settings/groups', { name: 'Eves' });
      const [group] = await server.db.query<{ id: number }>(sql`
        select id from notification_group where organization_id = ${scene.here.organization}`);
      await scene.eve.post(`/settings/groups/${group?.id}/add-email`, { email: scene.mia });
      await scene.eveReads();
    },
    after: (scene) => scene.eveReads(),
  },
};

async function tries(mode: MailMode, { before, between, after }: Way): Promise<void> {
  const scene = await openHostileScene(server, mode);
  await before?.(scene);
  await scene.adaInvites();
  await between?.(scene);
  if (between) expect(await scene.eveMutes()).not.toContain(200);
  await scene.miaJoins();
  await after?.(scene);
  expect(await scene.eveMutes()).not.toContain(200);
  expect(await scene.miaMutes()).toBe(200);
}

describe('where mail is kept and she reads it, Eve gets in nowhere, and Mia does, if she', () => {
  test.each(Object.entries(WAYS))('%s', (_, way) => tries('mail is kept', way));
});

describe('where mail leaves, Eve gets in nowhere, and Mia does, if she', () => {
  const ways = Object.entries(WAYS).filter(([, { needsLink }]) => !needsLink);
  test.each(ways)('%s', (_, way) => tries('mail leaves', way));
});

describe('to invite a member of another organization', () => {
  const invites = ({ ada: eve }: People, { email }: Person) =>
    eve.post('/settings/members/invite', { email, name: 'Mia', role: 'viewer' });

  test('does not show where she signed in', async () => {
    const [here, there] = [await invitePeople(server), await invitePeople(server)];
    await signedIn(server, there.vera);
    await invites(here, there.vera);
    for (const path of ['/audit', '/audit.csv'])
      expect(await (await here.ada.get(path)).text()).not.toContain('Vera');
  });

  test('does not take from the other organization the right to deactivate her', async () => {
    const [here, there] = [await invitePeople(server), await invitePeople(server)];
    await invites(here, there.vera);
    const answer = await there.ada.post(`/settings/members/${there.vera.id}/deactivate`);
    expect(answer.status).toBe(303);
  });

  test('adds her to nothing: no role, no list, no group, no page', async () => {
    const [here, there] = [await invitePeople(server), await invitePeople(server)];
    await invites(here, there.vera);
    const { id } = there.vera;
    for (const verb of ['role', 'remove', 'deactivate', 'activate', 'reset-password', 'invite-again'])
      expect((await here.ada.post(`/settings/members/${id}/${verb}`, { role: 'viewer' })).status).toBe(404);
    const freezer = await createFreezer(server, here, { name: 'Freezer 1' });
    expect((await there.vera.get(`/services/${freezer.id}`)).status).toBe(404);
    expect((await there.vera.get('/api/v1/alarms')).status).toBe(200);
    await here.ada.post('/settings/groups', { name: 'Eves' });
    const [group] = await server.db.query<{ id: number }>(sql`
      select id from notification_group where organization_id = ${here.organization}`);
    await here.ada.post(`/settings/groups/${group?.id}/add-member`, { account_id: String(id) });
    expect(
      await server.db.query(sql`select 1 from notification_group_account where group_id = ${group?.id}`),
    ).toEqual([]);
  });

  test('is hers to answer, and nobody else’s', async () => {
    const [here, there] = [await invitePeople(server), await invitePeople(server)];
    await invites(here, there.vera);
    const [invitation] = await server.db.query<{ id: number }>(sql`
      select id from invitation where account_id = ${there.vera.id}`);
    for (const person of [here.ada, there.ada, there.nora])
      for (const word of ['accept', 'decline'])
        expect((await person.post(`/invitations/${invitation?.id}/${word}`)).status).toBe(422);
    expect((await there.vera.post(`/invitations/${invitation?.id}/accept`)).status).toBe(303);
    expect(await roleOf(server, there.vera, here.organization)).toBe('viewer');
    expect((await recordsOf(server, here.organization)).at(-1)).toMatchObject({
      action: 'member.join',
      accountName: 'Vera',
      detail: { email: there.vera.email, role: 'viewer', invited_by: 'Ada' },
    });
    expect((await there.vera.post(`/invitations/${invitation?.id}/accept`)).status).toBe(422);
  });

  test('is declined without a word about her', async () => {
    const [here, there] = [await invitePeople(server), await invitePeople(server)];
    await invites(here, there.vera);
    const [invitation] = await server.db.query<{ id: number }>(sql`
      select id from invitation where account_id = ${there.vera.id}`);
    expect((await there.vera.post(`/invitations/${invitation?.id}/decline`)).status).toBe(303);
    const log = await (await here.ada.get('/audit.csv')).text();
    expect(log).toContain(`${there.vera.email},,member.decline`);
    expect(log).not.toMatch(/Vera|127\.0\.0\.1.*decline/);
  });

  test('with a role that was changed since she read of it does not count', async () => {
    const [here, there] = [await invitePeople(server), await invitePeople(server)];
    await invites(here, there.vera);
    const select = () =>
      server.db.query<{ id: number }>(sql`select id from invitation where account_id = ${there.vera.id}`);
    const [first] = await select();
    await here.ada.post('/settings/members/withdraw', { invitation_id: String(first?.id) });
    await here.ada.post('/settings/members/invite', {
      email: there.vera.email,
      name: 'Mia',
      role: 'administrator',
    });
    expect((await there.vera.post(`/invitations/${first?.id}/accept`)).status).toBe(422);
    expect(await roleOf(server, there.vera, here.organization)).toBeNull();
  });

  test('is accepted once, however often it is pressed, and not beside a withdrawal', async () => {
    const [here, there] = [await invitePeople(server), await invitePeople(server)];
    await invites(here, there.vera);
    await invites(here, there.oscar);
    const idOf = async ({ id }: Person) =>
      (await server.db.query<{ id: number }>(sql`select id from invitation where account_id = ${id}`))[0]?.id;
    const veras = await idOf(there.vera);
    const pressed = await Promise.all([1, 2, 3].map(() => there.vera.post(`/invitations/${veras}/accept`)));
    expect(pressed.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
    const oscars = await idOf(there.oscar);
    const [accepted, withdrawn] = await Promise.all([
      there.oscar.post(`/invitations/${oscars}/accept`),
      here.ada.post('/settings/members/withdraw', { invitation_id: String(oscars) }),
    ]);
    expect([accepted.status, withdrawn.status].sort()).toEqual([303, 422]);
    const isMember = (await roleOf(server, there.oscar, here.organization)) !== null;
    expect(isMember).toBe(accepted.status === 303);
  });
});
