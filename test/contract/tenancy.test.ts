// What an administrator tries to get into another organization, over the pages as they are.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFreezer } from '../support/equipment.ts';
import { invitePeople, type People } from '../support/people.ts';
import { askToken } from '../support/sign-in.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
/** Eve runs one organization, and Ada the other. */
let here: People;
let there: People;
let eve: VisitorBrowser;
let ada: VisitorBrowser;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  [here, there] = [await invitePeople(server), await invitePeople(server)];
  [eve, ada] = [await signedIn(server, here.ada), await signedIn(server, there.ada)];
});

const MEMBERS = '/settings/members';
const invites = (browser: VisitorBrowser, email: string, role = 'operator') =>
  browser.send(`${MEMBERS}/invite`, { email, name: 'Mia', role });
const accountOf = async (email: string) =>
  (await server.db.query<{ id: number }>(sql`select id from account where email = ${email}`))[0]?.id ?? 0;

describe('an administrator who was there first', () => {
  test('sets the password of an address, leaves it to another organization, and mutes its alarms', async () => {
    const mia = `mia.${here.organization}@lab.example`;
    const password = 'known to Eve alone';
    await invites(eve, mia);
    const path = `${MEMBERS}/${await accountOf(mia)}`;
    await eve.send(`${path}/set-password`, { password, password_again: password });
    await eve.send(`${path}/remove`);
    await invites(ada, mia);

    const freezer = await createFreezer(server, there, { name: 'Freezer 1' });
    const answer = await askToken(server, { username: mia, password });
    const { access_token: token } = (await answer.json()) as { access_token?: string };
    await fetch(`${server.url}/api/v1/services/${freezer.id}/mute`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await server.db.query(sql`select 1 from mute where service_id = ${freezer.id}`)).toEqual([]);
  });

  test('invites a member of another organization to read where she signed in', async () => {
    await signedIn(server, there.vera);
    await invites(eve, there.vera.email, 'viewer');
    const log = await (await eve.open('/audit.csv')).text();
    expect(log).not.toContain('auth.token,,,{},127.0.0.1,Vera');
    expect(log.split('\r\n').filter((line) => line.includes('Vera') && line.includes('auth.'))).toEqual([]);
  });

  test('invites a member of another organization to take away its right to deactivate her', async () => {
    await invites(eve, there.vera.email, 'viewer');
    const answer = await ada.send(`${MEMBERS}/${there.vera.id}/deactivate`);
    expect(answer.status).toBe(303);
  });
});
