// The first steps lead on until a message has arrived. Each tick is what is stored by whoever acts, and may go again.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrganizationId } from '../../src/domain/ids.ts';
import { type DeliveryDesk, openDeliveryDesk } from '../support/delivery-desk.ts';
import { createFreezer } from '../support/equipment.ts';
import { seconds } from '../support/movable-clock.ts';
import { expectPage, textOf } from '../support/page.ts';
import { recordsOf } from '../support/settings-desk.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { signedIn, type VisitorBrowser } from '../support/visitor.ts';

let server: TestServer;
let desk: DeliveryDesk;
let ada: VisitorBrowser;
let organization: OrganizationId;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  // Whether mail leaves is one for the whole house.
  await server.db.query(sql`update letter set is_kept = null`);
  desk = await openDeliveryDesk(server);
  ({ organization } = desk.lab);
  ada = await signedIn(server, desk.lab.ada);
});

const path = (word = '') => `/first-steps${word}?organization=${organization}`;
const guide = async () => textOf(await expectPage(await ada.open(path()), 200));
/** The titles of the steps that are done. */
const doneOn = async () => {
  const html = await (await ada.open(path())).text();
  return [...html.matchAll(/<li[^>]*class="step-done"[^>]*>\s*<strong>([^<]+)<\/strong>/g)].map(
    ([, title]) => title,
  );
};
const SET_UP = ['Connect a source', 'Let it send a first reading', 'Adopt its device'];
const lineOn = async (browser = ada) =>
  /First steps[^<]*still missing: [^<]*/.exec(await browser.read('/'))?.[0];

/** One freezer that tells the group of the desk, and was heard. */
async function watchOne() {
  const freezer = await desk.freezer();
  await freezer.cools();
  return freezer;
}
const sendTest = async () => {
  const sent = await ada.send(path('/test'));
  await desk.strike(seconds(5));
  return sent;
};

describe('what is missing', () => {
  test('is said in a quiet line on the alarms page, to administrators alone', async () => {
    await watchOne();
    expect(await lineOn()).toContain('still missing: mail that leaves and a message that arrived.');
    for (const other of [desk.lab.oscar, desk.lab.vera])
      expect(await lineOn(await signedIn(server, other))).toBeUndefined();
    expect((await (await signedIn(server, desk.lab.vera)).open(path())).status).toBe(404);
    expect((await (await signedIn(server, desk.lab.olga)).open(path())).status).toBe(404);
  });

  test('who is told is ticked, and is not any more once the group is empty', async () => {
    await watchOne();
    expect(await doneOn()).toContain('Say who is notified');
    await server.db.query(sql`delete from notification_group_email where group_id = ${desk.groupId}`);
    expect(await doneOn()).not.toContain('Say who is notified');
    expect(await lineOn()).toContain('somebody who is notified');
    expect(await (await ada.open(path())).text()).toContain(`href="/settings/groups/${desk.groupId}?`);
  });

  test('a group whose service does not tell about critical alarms does not count', async () => {
    await desk.freezer({ send_critical: false });
    expect(await doneOn()).not.toContain('Say who is notified');
  });

  test('a rota whose only person was deactivated reaches nobody, though it stands in the group', async () => {
    await watchOne();
    await server.db.query(sql`delete from notification_group_email where group_id = ${desk.groupId}`);
    await desk.lab.organizationEntry({
      rotas: [
        {
          name: 'Nights',
          timezone: 'UTC',
          handover: '08:00',
          every: 'day',
          members: [desk.lab.oscar.email],
        },
      ],
      groups: [{ name: 'Cold team', told: [{ rota: 'Nights' }] }],
    });
    expect(await doneOn()).toContain('Say who is notified');
    await server.db.query(sql`update account set is_active = false where id = ${desk.lab.oscar.id}`);
    expect(await doneOn()).not.toContain('Say who is notified');
  });

  test('a colleague: somebody else, an invitation, or the word that there is none', async () => {
    await watchOne();
    expect(await doneOn()).toContain('Invite a colleague');
    await server.db.query(sql`
      delete from membership where organization_id = ${organization} and role <> 'administrator'`);
    expect(await doneOn()).not.toContain('Invite a colleague');
    expect(await guide()).toContain('I work alone');
    expect((await ada.send(path('/alone'))).status).toBe(303);
    expect(await doneOn()).toContain('Invite a colleague');
    expect((await recordsOf(server, organization)).map(({ action }) => action)).toContain(
      'first_steps.alone',
    );
  });

  test('mail that leaves is mail that was handed over, and no longer so once it is kept', async () => {
    await watchOne();
    await sendTest();
    expect(await doneOn()).toContain('Let mail leave');
    desk.postbox.answer = () => ({ isSent: false, isKept: true }) as never;
    await sendTest();
    expect(await doneOn()).not.toContain('Let mail leave');
    desk.postbox.answer = null;
  });

  test('whoever does not keep the house reads whom to ask', async () => {
    await watchOne();
    await server.db.query(sql`update account set is_keeper = id = ${desk.lab.oscar.id}`);
    expect(await guide()).toContain('Ask Oscar to set it up.');
    await server.db.query(sql`update account set is_keeper = id = ${desk.lab.ada.id}`);
    expect(await (await ada.open(path())).text()).toContain('href="/settings/delivery?');
  });
});

describe('a message that arrived', () => {
  test('is said by a person, and only of one that was handed over', async () => {
    await watchOne();
    expect(await guide()).not.toContain('It arrived');
    await expectPage(await ada.send(path('/arrived')), 422);
    await ada.send(path('/test'));
    expect(await guide()).not.toContain('It arrived');
    await desk.strike(seconds(5));
    expect(await guide()).toContain('It arrived');
    expect(await doneOn()).not.toContain('See a message arrive');
    expect((await ada.send(path('/arrived'))).status).toBe(303);
    expect(await doneOn()).toEqual([
      ...SET_UP,
      'Let mail leave',
      'Say who is notified',
      'Invite a colleague',
      'See a message arrive',
    ]);
    expect(await guide()).toContain('A message has arrived. These steps are done.');
    expect(await lineOn()).toBeUndefined();
  });

  test('is not what was only kept', async () => {
    await watchOne();
    desk.postbox.answer = () => ({ isSent: false, isKept: true }) as never;
    await sendTest();
    expect(await guide()).not.toContain('It arrived');
    expect(await guide()).toContain('There is no mail server: 1 mail was kept here and did not leave.');
    await expectPage(await ada.send(path('/arrived')), 422);
    desk.postbox.answer = null;
  });

  test('is also an alarm whose link somebody followed', async () => {
    const freezer = await watchOne();
    await desk.strike(seconds(5));
    await freezer.warms();
    await desk.strike(seconds(5));
    await desk.strike(seconds(60));
    expect(await guide()).toContain('It arrived');
    const url = desk.postbox.arrivals.at(-1)?.letter.notices[0]?.acknowledgeUrl ?? '';
    await (await signedIn(server, desk.lab.oscar)).open(new URL(url).pathname);
    expect(await doneOn()).toContain('See a message arrive');
  });

  test('the arrival of one organization is no other one’s', async () => {
    await watchOne();
    await sendTest();
    const other = await openDeliveryDesk(server);
    const foreign = await signedIn(server, other.lab.ada);
    await (await other.freezer()).cools();
    const answer = await foreign.send(`/first-steps/arrived?organization=${other.lab.organization}`);
    expect(answer.status).toBe(422);
    expect((await foreign.send(path('/arrived'))).status).toBe(404);
  });

  test('without anybody to tell no test is sent', async () => {
    await createFreezer(server, desk.lab, { name: 'Silent' });
    const page = await expectPage(await ada.send(path('/test')), 422);
    expect(textOf(page)).toContain('Nobody is notified yet');
  });
});
