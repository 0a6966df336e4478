import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  acknowledgementsOf,
  archive,
  auditOfService,
  createFreezer,
  episodeOf,
  type Freezer,
  setAlarm,
} from '../support/equipment.ts';
import { minutes } from '../support/movable-clock.ts';
import { expectPage } from '../support/page.ts';
import { invitePeople, type People, type Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';
import { openVisitor, signedIn } from '../support/visitor.ts';

let server: TestServer;
let people: People;
beforeAll(async () => {
  server = await startServer();
  people = await invitePeople(server);
});

/** A freezer in alarm, and the link that a message about it carries. */
async function raise(severity: 'critical' | 'warning' = 'critical') {
  const freezer = await createFreezer(server, people, { location: `Room ${randomBytes(4).toString('hex')}` });
  await setAlarm(server, freezer, { severity });
  return { freezer, link: await linkOf(freezer) };
}

async function linkOf(freezer: Freezer): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await server.db.query(sql`
    insert into acknowledge_link (token, service_id, episode_id, created_at)
    values (${token}, ${freezer.id}, ${await episodeOf(server, freezer)}, ${server.clock.read()})`);
  return `/acknowledge/${token}`;
}

const recovers = ({ id }: Freezer) =>
  server.db.query(sql`
    update alarm_state set severity = 'normal', severity_since = null, channel = null, message = null, episode_id = null
    where service_id = ${id}`);

const opens = async (person: Person, link: string, headers: Record<string, string> = {}) =>
  (await signedIn(server, person)).open(link, headers);

describe('opening the link with a session', () => {
  test.each(['oscar', 'ada'] as const)('%s acknowledges', async (name) => {
    const { freezer, link } = await raise();
    const html = await expectPage(await opens(people[name], link), 200);
    expect(html).toContain(`<h1>${freezer.name}</h1>`);
    expect(html).toContain('Acknowledged by you, ');
    expect(html).toMatch(/<time [^>]*>today 04:/);
    expect(html).toContain('class="severity severity-critical">Critical</span>');
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([
      { severity: 'CRITICAL', accountName: people[name].name, comment: null, endedAt: null },
    ]);
  });

  test('is on record like the verb of the HTTP interface', async () => {
    const { freezer, link } = await raise('warning');
    await opens(people.oscar, link);
    expect(await auditOfService(server, freezer)).toMatchObject([
      { action: 'alarm.acknowledge', accountName: 'Oscar', detail: { severity: 'WARNING', comment: null } },
    ]);
  });

  test('a second time changes nothing and says who it was', async () => {
    const { freezer, link } = await raise();
    await opens(people.oscar, link);
    expect(await expectPage(await opens(people.oscar, link), 409)).toContain('already acknowledged by you');
    expect(await expectPage(await opens(people.ada, link), 409)).toContain('already acknowledged by Oscar');
    expect(await acknowledgementsOf(server, freezer)).toHaveLength(1);
  });

  test('of two at once one succeeds', async () => {
    const { freezer, link } = await raise();
    const answers = await Promise.all([opens(people.oscar, link), opens(people.ada, link)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await acknowledgementsOf(server, freezer)).toHaveLength(1);
  });

  test('after an escalation it acknowledges the same alarm at its new severity', async () => {
    const { freezer, link } = await raise('warning');
    await opens(people.oscar, link);
    await setAlarm(server, freezer, { severity: 'critical' });
    await expectPage(await opens(people.ada, link), 200);
    const severities = (await acknowledgementsOf(server, freezer)).map(({ severity }) => severity);
    expect(severities).toEqual(['WARNING', 'CRITICAL']);
  });

  test('a viewer may look only', async () => {
    const { freezer, link } = await raise();
    const html = await expectPage(await opens(people.vera, link), 403);
    expect(html).toContain('acknowledging takes the role of operator or higher');
    expect(await acknowledgementsOf(server, freezer)).toEqual([]);
  });

  test('an alarm that is over needs nothing any more', async () => {
    const { freezer, link } = await raise();
    await recovers(freezer);
    expect(await expectPage(await opens(people.oscar, link), 409)).toContain('This alarm is over');
  });

  test('an old link does not acknowledge a new alarm', async () => {
    const { freezer, link } = await raise();
    await recovers(freezer);
    await setAlarm(server, freezer, { severity: 'critical' });
    const html = await expectPage(await opens(people.oscar, link), 409);
    expect(html).toContain('a new one has begun since');
    expect(await acknowledgementsOf(server, freezer)).toEqual([]);
    await expectPage(await opens(people.oscar, await linkOf(freezer)), 200);
  });

  test('an archived service is normal', async () => {
    const { freezer, link } = await raise();
    await archive(server, freezer);
    expect(await expectPage(await opens(people.oscar, link), 409)).toContain('This alarm is over');
  });

  test('names and comments are shown as they are, not carried out', async () => {
    const freezer = await createFreezer(server, people, { name: '<b>Freezer</b>' });
    await setAlarm(server, freezer, { severity: 'critical', message: '<i>warm</i>' });
    const html = await expectPage(await opens(people.oscar, await linkOf(freezer)), 200);
    expect(html).toContain('&lt;b>Freezer&lt;/b>');
    expect(html).not.toMatch(/<b>|<i>/);
  });
});

describe('who has no business there learns nothing', () => {
  test.each(['olga', 'nora'] as const)(
    '%s gets the same page for a real link as for an invented one',
    async (name) => {
      const { freezer, link } = await raise();
      const unknown = `/acknowledge/${randomBytes(32).toString('base64url')}`;
      const [real, invented] = await Promise.all(
        [link, unknown].map(async (path) =>
          (await expectPage(await opens(people[name], path), 404)).replaceAll(
            path.split('/').at(-1) ?? '',
            'token',
          ),
        ),
      );
      expect(real).toBe(invented);
      expect(real).not.toContain(freezer.name);
      expect(await acknowledgementsOf(server, freezer)).toEqual([]);
    },
  );

  test.each([
    'x',
    '%00',
    '..%2f..',
    `${'a'.repeat(300)}`,
    '%22%3E%3Cscript%3E',
    "';drop table drill;--aaaaaaaaaaaa",
  ])('the link %s is not known', async (token) => {
    await expectPage(await opens(people.oscar, `/acknowledge/${token}`), 404);
  });
});

describe('without a session', () => {
  test('leads to the sign-in page and changes nothing; signing in then acknowledges', async () => {
    const { freezer, link } = await raise();
    const browser = openVisitor(server);
    const answer = await browser.open(link);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`/login?${new URLSearchParams({ next: link })}`);
    expect(await acknowledgementsOf(server, freezer)).toEqual([]);

    const signed = await browser.signsIn(people.oscar, link);
    expect(signed.headers.get('location')).toBe(link);
    await expectPage(await browser.open(link), 200);
    expect(await acknowledgementsOf(server, freezer)).toHaveLength(1);
  });

  test('an invented link leads there too', async () => {
    const answer = await openVisitor(server).open('/acknowledge/nothing');
    expect(answer.headers.get('location')).toBe('/login?next=%2Facknowledge%2Fnothing');
  });
});

describe('who only looks changes nothing', () => {
  test.each([
    ['sec-purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'prefetch'],
    ['x-purpose', 'preview'],
    ['x-moz', 'prefetch'],
  ])('%s: %s', async (name, value) => {
    const { freezer, link } = await raise();
    const html = await expectPage(await opens(people.oscar, link, { [name]: value }), 503);
    expect(html).toContain(`href="${link}"`);
    expect(await acknowledgementsOf(server, freezer)).toEqual([]);
  });

  test('HEAD', async () => {
    const { freezer, link } = await raise();
    const token = await server.signer.issue(
      { accountId: people.oscar.id, generation: 1 },
      server.clock.read(),
    );
    await fetch(server.url + link, { method: 'HEAD', headers: { cookie: `access_token=${token}` } });
    expect(await acknowledgementsOf(server, freezer)).toEqual([]);
  });

  test('a picture on another site', async () => {
    const { freezer, link } = await raise();
    // fetch says of itself that it does not navigate, as a picture would.
    const answer = await opens(people.oscar, link, { 'sec-fetch-site': 'cross-site' });
    expect(answer.status).toBe(303);
    expect(await acknowledgementsOf(server, freezer)).toEqual([]);
  });
});

describe('the comment afterwards', () => {
  test('is kept with the acknowledgement, on record, and shown', async () => {
    const { freezer, link } = await raise();
    const oscar = await signedIn(server, people.oscar);
    expect(await oscar.read(link)).toContain(`action="${link}/comment"`);
    server.clock.advance(minutes(1));
    const answer = await oscar.send(`${link}/comment`, { comment: 'Door <b>open</b>' });
    expect(answer.status).toBe(303);
    const html = await expectPage(await oscar.open(answer.headers.get('location') ?? ''), 200);
    expect(html).toContain('<q>Door &lt;b>open&lt;/b></q>');
    expect(html).toContain('Your comment is kept');
    expect(await oscar.read(link)).not.toContain(`action="${link}/comment"`);
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([{ comment: 'Door <b>open</b>' }]);
    await expectPage(await opens(people.ada, `${link}/comment`), 404);
    expect((await auditOfService(server, freezer)).at(-1)).toMatchObject({
      action: 'alarm.comment',
      detail: { severity: 'CRITICAL', comment: 'Door <b>open</b>' },
    });
  });

  test('nobody comments the acknowledgement of somebody else', async () => {
    const { freezer, link } = await raise();
    await opens(people.oscar, link);
    await (await signedIn(server, people.ada)).send(`${link}/comment`, { comment: 'Mine' });
    await expectPage(
      await (await signedIn(server, people.olga)).send(`${link}/comment`, { comment: 'x' }),
      404,
    );
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([{ comment: null }]);
  });

  test('who is an operator no more adds none, and reads why', async () => {
    const { freezer, link } = await raise();
    const own = await invitePeople(server);
    await server.db.query(sql`
      insert into membership (account_id, organization_id, role, created_at)
      values (${own.oscar.id}, ${people.organization}, 'operator', ${server.clock.read()})`);
    const former = await signedIn(server, own.oscar);
    await former.open(link);
    await server.db.query(sql`
      update membership set role = 'viewer'
      where account_id = ${own.oscar.id} and organization_id = ${people.organization}`);
    const answer = await former.send(`${link}/comment`, { comment: 'Too late' });
    await expectPage(await former.open(answer.headers.get('location') ?? ''), 403);
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([{ comment: null }]);
  });

  test('what was said stays', async () => {
    const { freezer, link } = await raise();
    const oscar = await signedIn(server, people.oscar);
    await oscar.open(link);
    await oscar.send(`${link}/comment`, { comment: 'First' });
    await oscar.send(`${link}/comment`, { comment: 'Second' });
    await oscar.send(`${link}/comment`, { comment: '  ' });
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([{ comment: 'First' }]);
  });

  test('another site cannot add one', async () => {
    const { freezer, link } = await raise();
    const oscar = await signedIn(server, people.oscar);
    await oscar.open(link);
    await expectPage(
      await oscar.send(`${link}/comment`, { comment: 'x' }, { 'sec-fetch-site': 'cross-site' }),
      403,
    );
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([{ comment: null }]);
  });
});
