// What one organization asks for is not paid by another: mail takes turns, and nobody is pestered through us.
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DeliveryDesk, openDeliveryDesk } from '../support/delivery-desk.ts';
import { hours, minutes, seconds } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

test('the mail of an organization does not wait behind the storm of another', async () => {
  const emails = Array.from({ length: 300 }, (_, index) => `person-${index}@storm.example`);
  const stormy = await openDeliveryDesk(server, { emails });
  const calm = await openDeliveryDesk(server, { emails: ['calm@lab.example'] });
  const [theirs, ours] = [await stormy.freezer(), await calm.freezer()];
  await theirs.warms();
  await stormy.decide();
  server.clock.advance(seconds(5));
  await ours.warms();
  await calm.decide();
  await calm.strike(seconds(2), stormy.deliverer);

  const order = stormy.postbox.arrivals.map(({ to }) => to);
  expect(order).toHaveLength(301);
  expect(order.slice(0, 20)).toContain('calm@lab.example');
});

const TOO_MANY = 'Enough tests, drills and invitations went to addresses that nobody has confirmed';

describe('addresses that nobody has confirmed', () => {
  let desk: DeliveryDesk;
  let settings: string;
  beforeEach(async () => {
    desk = await openDeliveryDesk(server, { emails: ['vouched@lab.example'] });
    settings = `/settings/groups/${desk.groupId}`;
  });
  const test10 = async () => {
    for (let count = 0; count < 10; count += 1)
      expect((await desk.lab.ada.post(`${settings}/test`)).status).toBe(303);
  };

  test('get ten tests and drills in an hour; alarms leave all the same', async () => {
    const freezer = await desk.freezer();
    await desk.lab.ada.post(`${settings}/add-email`, { email: 'stranger@elsewhere.example' });
    await test10();
    const refused = await desk.lab.ada.post(`${settings}/test`);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain(TOO_MANY);
    const drill = await desk.lab.ada.post(`/services/${freezer.id}/drill`);
    expect(drill.status).toBe(409);
    expect(await drill.text()).toContain(TOO_MANY);

    await freezer.warms();
    await desk.decide();
    expect(
      (await desk.deliveries()).filter(({ recipient }) => recipient === 'stranger@elsewhere.example'),
    ).toHaveLength(11);
    server.clock.advance(hours(1) + minutes(1));
    expect((await desk.lab.ada.post(`${settings}/test`)).status).toBe(303);
  });

  test('are not those of the lab file, nor of people who chose a password', async () => {
    await desk.lab.ada.post(`${settings}/add-email`, { email: desk.lab.vera.email });
    await test10();
    expect((await desk.lab.ada.post(`${settings}/test`)).status).toBe(303);
  });

  test('become so by the lab file', async () => {
    await desk.lab.ada.post(`${settings}/add-email`, { email: 'later@lab.example' });
    await desk.lab.group({ name: 'Cold team', emails: ['later@lab.example'] });
    await test10();
    expect((await desk.lab.ada.post(`${settings}/test`)).status).toBe(303);
  });

  test('are invited fifty times an hour, however many ask at once', async () => {
    const invite = (index: number) =>
      desk.lab.ada.post('/settings/members/invite', {
        email: `guest-${index}@crowd.example`,
        name: 'Guest',
        role: 'viewer',
      });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => invite(index)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(50);
    const [refused] = answers.filter(({ status }) => status !== 303);
    expect(await refused?.text()).toContain('Enough invitations and tests were sent for now');
    const [row] = await server.db.query<{ mails: number; invited: number }>(sql`
      select (select count(*)::int from account_mail join account on account.id = account_id
          where email like '%@crowd.example') as "mails",
        (select count(*)::int from account where email like '%@crowd.example') as "invited"`);
    expect(row).toEqual({ mails: 50, invited: 50 });
  });
});
