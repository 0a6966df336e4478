import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { first } from '../../src/platform/db/database.ts';
import { archive, auditOfService, createFreezer, type Freezer } from '../support/equipment.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { invitePeople, type People } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn } from '../support/visitor.ts';

let server: TestServer;
let people: People;
beforeAll(async () => {
  server = await startServer();
  people = await invitePeople(server);
});

let groups = 0;
/** A freezer whose alarms go to Vera, a plain address and a webhook. */
async function createToldFreezer(): Promise<Freezer & { groupId: number; webhookId: number }> {
  groups += 1;
  const freezer = await createFreezer(server, people);
  const { db, clock } = server;
  const group = first(
    await db.query<{ id: number }>(sql`
      insert into notification_group (organization_id, name, created_at)
      values (${people.organization}, ${`Cold team ${groups}`}, ${clock.read()}) returning id`),
  );
  const groupId = group?.id as number;
  await db.query(sql`
    insert into notification_group_account (group_id, account_id) values (${groupId}, ${people.vera.id})`);
  await db.query(sql`
    insert into notification_group_email (group_id, email) values (${groupId}, 'cold@lab.example')`);
  const webhook = first(
    await db.query<{ id: number }>(sql`
      insert into notification_group_webhook (group_id, kind, url)
      values (${groupId}, 'slack', 'https://hooks.slack.example/services/hush-hush-1234') returning id`),
  );
  await db.query(sql`
    update service_settings set notification_group_id = ${groupId} where service_id = ${freezer.id}`);
  return { ...freezer, groupId, webhookId: webhook?.id as number };
}

interface Told {
  state?: string;
  reason?: string;
  message?: string;
  kind?: string;
}

async function tell(
  freezer: { id: number; groupId: number },
  { state = 'released', reason = 'First message', message = 'Too warm', kind = 'critical' }: Told = {},
): Promise<string> {
  const now = server.clock.read();
  const row = first(
    await server.db.query<{ id: string }>(sql`
      insert into notification (service_id, organization_id, group_id, kind, severity, state, reason, message, due_at,
        decided_at, created_at, happened_at)
      values (${freezer.id}, ${people.organization}, ${freezer.groupId}, ${kind}, 'critical', ${state}, ${reason}, ${message},
        ${now}, ${state === 'waiting' ? null : now}, ${now}, ${now}) returning id`),
  );
  return row?.id as string;
}

const deliver = (
  notificationId: string,
  transport: string,
  recipient: string,
  state: string,
  error: string | null = null,
) => {
  const now = server.clock.read();
  return server.db.query(sql`
    insert into delivery (notification_id, transport, recipient, state, attempts, next_attempt_at, last_error, drop_reason,
      sent_at, created_at)
    values (${notificationId}, ${transport}, ${recipient}, ${state}, ${state === 'dropped' ? 0 : 2}, ${now},
      ${state === 'dropped' ? null : error}, ${state === 'dropped' ? error : null}, ${state === 'sent' ? now : null}, ${now})`);
};

const pageOf = ({ id }: { id: number }) => `/services/${id}/notifications`;

describe('what was told of a service', () => {
  test('to whom, with what outcome; and what was not told, and why', async () => {
    const freezer = await createToldFreezer();
    const told = await tell(freezer);
    await deliver(told, 'email', people.vera.email, 'sent');
    await deliver(told, 'email', 'cold@lab.example', 'failed', '550 <b>no such</b> mailbox');
    await deliver(told, 'webhook', String(freezer.webhookId), 'queued', '503 from the receiver');
    await deliver(told, 'email', 'gone@lab.example', 'dropped', 'Acknowledged by Oscar');
    await tell(freezer, { state: 'dropped', reason: 'send_warning is off', kind: 'warning' });

    const oscar = await signedIn(server, people.oscar);
    const html = await expectPage(await oscar.open(pageOf(freezer)), 200);
    expect(html).toContain(`Notifications of ${freezer.name}`);
    expect(html).toContain(`Notified Cold team ${groups}: First message`);
    expect(html).toContain('Not notified: Warnings are switched off for this unit');
    expect(html).toContain(`Vera (${people.vera.email})`);
    expect(html).toContain('Failed after 2 attempts: 550 &lt;b>no such&lt;/b> mailbox');
    expect(html).toContain('Failing after 2 attempts: 503 from the receiver. Next attempt');
    expect(html).toContain('Left out: Acknowledged by Oscar');
    expect(html).toContain('Slack webhook at https://hooks.slack.example/…');
    expect(html).not.toContain('hush');
  });

  test('a viewer sees who was told, but neither addresses nor errors', async () => {
    const freezer = await createToldFreezer();
    const told = await tell(freezer);
    await deliver(told, 'email', people.vera.email, 'sent');
    await deliver(told, 'email', 'cold@lab.example', 'failed', '550 cold@lab.example unknown');
    await deliver(told, 'webhook', String(freezer.webhookId), 'sent');
    const html = await (await signedIn(server, people.vera)).read(pageOf(freezer));
    expect(html).toContain('<span>Vera</span>');
    expect(html).toContain('An email address');
    expect(html).toContain('Slack webhook');
    expect(html).not.toMatch(/lab\.example|slack\.example|550 cold/);
  });

  test('a plain address of somebody outside keeps that person’s name to itself', async () => {
    const freezer = await createToldFreezer();
    await deliver(await tell(freezer), 'email', people.olga.email, 'sent');
    const html = await (await signedIn(server, people.ada)).read(pageOf(freezer));
    expect(html).toContain(people.olga.email);
    expect(html).not.toContain('Olga (');
  });

  test('a webhook that is gone', async () => {
    const freezer = await createToldFreezer();
    await deliver(await tell(freezer), 'webhook', String(freezer.webhookId), 'sent');
    await server.db.query(sql`delete from notification_group_webhook where id = ${freezer.webhookId}`);
    expect(await (await signedIn(server, people.ada)).read(pageOf(freezer))).toContain(
      'A webhook that was removed since',
    );
  });

  test('fifty at a time, newest first', async () => {
    const freezer = await createToldFreezer();
    for (let count = 1; count <= 51; count += 1) await tell(freezer, { message: `Message number ${count}.` });
    const vera = await signedIn(server, people.vera);
    const html = await vera.read(pageOf(freezer));
    expect(html.indexOf('number 51.')).toBeLessThan(html.indexOf('number 2.'));
    expect(html).not.toContain('number 1.');
    const older = /href="([^"]+\?before=[0-9]+)"/.exec(html)?.[1] ?? '';
    const rest = await vera.read(older);
    expect(rest).toContain('number 1.');
    expect(rest).not.toContain('?before=');
  });

  test('nothing yet', async () => {
    const freezer = await createFreezer(server, people);
    expect(await (await signedIn(server, people.vera)).read(pageOf(freezer))).toContain(
      'There are no notifications of this service yet',
    );
  });

  test('strangers: 404; archived: 404; nobody: the sign-in page', async () => {
    const freezer = await createToldFreezer();
    for (const name of ['olga', 'nora'] as const)
      await expectPage(await (await signedIn(server, people[name])).open(pageOf(freezer)), 404);
    const answer = await openVisitor(server).open(pageOf(freezer));
    expect(answer.headers.get('location')).toBe(`/login?${new URLSearchParams({ next: pageOf(freezer) })}`);
    await archive(server, freezer);
    await expectPage(await (await signedIn(server, people.ada)).open(pageOf(freezer)), 404);
  });

  test.each(['0', 'x', '-1', '2147483647', '2147483648', '99999999999999999999', '%00', '7.0'])(
    'no service %s: 404',
    async (id) => {
      const ada = await signedIn(server, people.ada);
      for (const page of ['notifications', 'drill'])
        await expectPage(await ada.open(`/services/${id}/${page}`), 404);
      await expectPage(await ada.send(`/services/${id}/drill`), 404);
    },
  );

  test.each(['x', '%00', '99999999999999999999', "1'"])('before=%s counts as none', async (before) => {
    const freezer = await createToldFreezer();
    await tell(freezer);
    const vera = await signedIn(server, people.vera);
    expect(await vera.read(`${pageOf(freezer)}?before=${before}`)).toContain('Too warm');
  });
});

describe('the alarm drill', () => {
  const drillOf = ({ id }: { id: number }) => `/services/${id}/drill`;

  test('goes to everybody in the group, and shows who was reached', async () => {
    const freezer = await createToldFreezer();
    const ada = await signedIn(server, people.ada);
    expect(await ada.read(drillOf(freezer))).toContain('None yet.');
    const answer = await ada.send(drillOf(freezer));
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(drillOf(freezer));
    const html = await expectPage(await ada.open(drillOf(freezer)), 200);
    expect(html).toContain('<meta http-equiv="refresh" content="5"/>');
    expect(html).toContain('Nobody has acknowledged it yet.');
    for (const whom of [`Vera (${people.vera.email})`, 'cold@lab.example', 'Slack webhook at'])
      expect(html).toContain(whom);
    expect(await auditOfService(server, freezer)).toMatchObject([
      { action: 'service.drill', accountName: 'Ada' },
    ]);
  });

  test('the link in its message acknowledges the drill and no alarm, and the time is measured', async () => {
    const freezer = await createToldFreezer();
    const ada = await signedIn(server, people.ada);
    await ada.send(drillOf(freezer));
    const link = first(
      await server.db.query<{ token: string }>(sql`
        select token from acknowledge_link where service_id = ${freezer.id}`),
    );
    server.clock.advance(minutes(2) + seconds(5));
    const oscar = await signedIn(server, people.oscar);
    const html = await expectPage(await oscar.open(`/acknowledge/${link?.token}`), 200);
    expect(html).toContain('This is a drill, not a real alarm.');
    expect(html).toContain('It took 2 minutes 5 seconds');
    server.clock.advance(minutes(1));
    const again = await expectPage(
      await (await signedIn(server, people.ada)).open(`/acknowledge/${link?.token}`),
      409,
    );
    expect(again).toContain('already acknowledged by Oscar');

    expect(await ada.read(drillOf(freezer))).toContain(
      'Acknowledged after 2 minutes 5 seconds</strong> by Oscar',
    );
    const acknowledgements = await server.db.query(sql`
      select 1 from acknowledgement where service_id = ${freezer.id}`);
    expect(acknowledgements).toEqual([]);
    expect((await auditOfService(server, freezer)).map(({ action }) => action)).toEqual([
      'service.drill',
      'drill.acknowledge',
    ]);
  });

  test('a viewer cannot acknowledge it', async () => {
    const freezer = await createToldFreezer();
    await (await signedIn(server, people.ada)).send(drillOf(freezer));
    const link = first(
      await server.db.query<{ token: string }>(sql`
        select token from acknowledge_link where service_id = ${freezer.id}`),
    );
    await expectPage(await (await signedIn(server, people.vera)).open(`/acknowledge/${link?.token}`), 403);
  });

  test('without a group it says what to do', async () => {
    const freezer = await createFreezer(server, people);
    const html = await expectPage(await (await signedIn(server, people.ada)).send(drillOf(freezer)), 409);
    expect(html).toContain('This service has no notification group');
    expect(await auditOfService(server, freezer)).toEqual([]);
  });

  test('with nobody in the group too', async () => {
    const freezer = await createToldFreezer();
    for (const table of ['account', 'email', 'webhook'])
      await server.db.query(
        table === 'account'
          ? sql`delete from notification_group_account where group_id = ${freezer.groupId}`
          : table === 'email'
            ? sql`delete from notification_group_email where group_id = ${freezer.groupId}`
            : sql`delete from notification_group_webhook where group_id = ${freezer.groupId}`,
      );
    const html = await expectPage(await (await signedIn(server, people.ada)).send(drillOf(freezer)), 409);
    expect(html).toContain('There is nobody in the group of this service');
  });

  test.each(['vera', 'oscar', 'olga', 'nora'] as const)('%s: 404, and nothing is sent', async (name) => {
    const freezer = await createToldFreezer();
    const who = await signedIn(server, people[name]);
    await expectPage(await who.open(drillOf(freezer)), 404);
    await expectPage(await who.send(drillOf(freezer)), 404);
    expect(await server.db.query(sql`select 1 from drill where service_id = ${freezer.id}`)).toEqual([]);
  });

  test('an archived service: 404; another site: 403; nobody: the sign-in page', async () => {
    const freezer = await createToldFreezer();
    const ada = await signedIn(server, people.ada);
    await expectPage(await ada.send(drillOf(freezer), {}, { 'sec-fetch-site': 'cross-site' }), 403);
    expect((await openVisitor(server).send(drillOf(freezer))).headers.get('location')).toBe('/login');
    await archive(server, freezer);
    await expectPage(await ada.open(drillOf(freezer)), 404);
    await expectPage(await ada.send(drillOf(freezer)), 404);
    expect(await server.db.query(sql`select 1 from drill where service_id = ${freezer.id}`)).toEqual([]);
  });
});
