import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anonymously, expectDetail, expectField, expectFragment, HX } from '../support/answers.ts';
import {
  acknowledgementsOf,
  archive,
  auditOfService,
  createFreezer,
  episodeOf,
  type Freezer,
  minutesAgo,
  setAlarm,
  setDowntime,
  setStale,
} from '../support/equipment.ts';
import { minutes } from '../support/movable-clock.ts';
import { invitePeople, type People } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const NOT_FOUND = 'Alarm not found or already acknowledged';
const OUTSIDE = 'Not authorized for this service';
const VIEWER = 'Operator role or higher required for this action';
const NORMAL = 'No active alarm to acknowledge for this service';
const TAKEN = 'Alarm already acknowledged at this severity';

let server: TestServer;
let people: People;
let freezer: Freezer;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
  freezer = await createFreezer(server, people);
});

const path = (id: string | number = freezer.id) => `/api/v1/alarms/${id}/acknowledge`;
const nowInJson = () => server.clock.read().toISOString().replace('Z', '+00:00');
const severities = async () => (await acknowledgementsOf(server, freezer)).map(({ severity }) => severity);

describe('POST /api/v1/alarms/{service_id}/acknowledge, the states', () => {
  test('normal: 409 No active alarm to acknowledge for this service, unchanged', async () => {
    await expectDetail(await people.oscar.post(path()), 409, NORMAL);
    expect(await acknowledgementsOf(server, freezer)).toEqual([]);
    expect(await auditOfService(server, freezer)).toEqual([]);
  });

  test('active, not acknowledged: stored with comment and episode, shown in the audit log', async () => {
    await setAlarm(server, freezer, { severity: 'warning' });
    const answer = await people.oscar.post(path(), { comment: 'Door was open' });
    expect(answer.status).toBe(200);
    expect(await acknowledgementsOf(server, freezer)).toEqual([
      {
        id: expect.any(Number),
        severity: 'WARNING',
        comment: 'Door was open',
        episodeId: await episodeOf(server, freezer),
        accountId: people.oscar.id,
        accountName: 'Oscar',
        createdAt: server.clock.read(),
        endedAt: null,
        endReason: null,
      },
    ]);
    expect(await auditOfService(server, freezer)).toEqual([
      {
        action: 'alarm.acknowledge',
        detail: { severity: 'WARNING', comment: 'Door was open' },
        organizationId: people.organization,
        accountId: people.oscar.id,
        accountName: 'Oscar',
        happenedAt: server.clock.read(),
        address: '127.0.0.1',
        requestId: answer.headers.get('x-request-id'),
      },
    ]);
  });

  test('acknowledged at the current severity: 409 Alarm already acknowledged at this severity, unchanged', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await people.oscar.post(path());
    await expectDetail(await people.oscar.post(path()), 409, TAKEN);
    await expectDetail(await people.ada.post(path()), 409, TAKEN);
    expect(await severities()).toEqual(['CRITICAL']);
    expect(await auditOfService(server, freezer)).toHaveLength(1);
  });

  test('acknowledged at WARNING, escalated to critical: CRITICAL as well, and the WARNING one remains', async () => {
    await setAlarm(server, freezer, { severity: 'warning' });
    await people.oscar.post(path());
    await setAlarm(server, freezer, { severity: 'critical' });
    const answer = await people.ada.post(path());
    expect(await answer.json()).toMatchObject({ acknowledged_severity: 'CRITICAL' });
    const stored = await acknowledgementsOf(server, freezer);
    expect(stored.map(({ severity, endedAt }) => [severity, endedAt])).toEqual([
      ['WARNING', null],
      ['CRITICAL', null],
    ]);
    expect(new Set(stored.map(({ episodeId }) => episodeId)).size).toBe(1);
  });

  test('acknowledged at CRITICAL, dropped to warning: WARNING can be acknowledged again', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await people.oscar.post(path());
    await setAlarm(server, freezer, { severity: 'warning' });
    expect((await people.oscar.post(path())).status).toBe(200);
    expect(await severities()).toEqual(['CRITICAL', 'WARNING']);
  });

  test('only stale: there is no alarm to acknowledge', async () => {
    await setStale(server, freezer, minutesAgo(server, 5));
    await expectDetail(await people.oscar.post(path()), 409, NORMAL);
  });

  test('stale and critical: CRITICAL', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await setStale(server, freezer, minutesAgo(server, 5));
    expect(await (await people.oscar.post(path())).json()).toMatchObject({
      acknowledged_severity: 'CRITICAL',
    });
  });

  test('in downtime: can be acknowledged', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await setDowntime(server, freezer, -minutes(5), minutes(5));
    expect((await people.oscar.post(path())).status).toBe(200);
  });

  test('archived: normal, and its acknowledgements have ended', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await people.oscar.post(path());
    await archive(server, freezer);
    await expectDetail(await people.oscar.post(path()), 409, NORMAL);
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([{ endReason: 'archived' }]);
  });
});

describe('POST /api/v1/alarms/{service_id}/acknowledge, the result', () => {
  beforeEach(() => setAlarm(server, freezer, { severity: 'critical', since: minutesAgo(server, 30) }));

  test('exactly these fields, in this order', async () => {
    const answer = await people.oscar.post(path(), { comment: 'On my way' });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const result = (await answer.json()) as object;
    const [stored] = await acknowledgementsOf(server, freezer);
    expect(result).toEqual({
      id: stored?.id,
      service_id: freezer.id,
      service_name: `Service ${freezer.id}`,
      severity: 'acknowledged',
      message: 'On my way',
      triggered_at: nowInJson(),
      acknowledged: true,
      acknowledged_by: 'Oscar',
      acknowledged_at: nowInJson(),
      acknowledged_severity: 'CRITICAL',
    });
    expect(Object.keys(result)).toEqual([
      'id',
      'service_id',
      'service_name',
      'severity',
      'message',
      'triggered_at',
      'acknowledged',
      'acknowledged_by',
      'acknowledged_at',
      'acknowledged_severity',
    ]);
  });

  test.each([
    ['none', {}],
    ['an empty one', { comment: '' }],
    ['a blank one', { comment: ' \t\n\u00a0' }],
  ])('message is Acknowledged without a comment: %s', async (_, form) => {
    const answer = await people.oscar.post(path(), form as Record<string, string>);
    expect(await answer.json()).toMatchObject({ message: 'Acknowledged' });
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([{ comment: null }]);
    expect(await auditOfService(server, freezer)).toMatchObject([
      { detail: { severity: 'CRITICAL', comment: null } },
    ]);
  });

  test('without a body at all', async () => {
    const token = await server.signer.issue(
      { accountId: people.oscar.id, generation: 1 },
      server.clock.read(),
    );
    const answer = await anonymously(server, path(), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await answer.json()).toMatchObject({ message: 'Acknowledged' });
  });

  test('a comment is kept exactly as sent', async () => {
    const comment = '  Ümläut 🧊 <script>alert(1)</script>\r\n"quoted" ';
    const answer = await people.oscar.post(path(), { comment });
    expect(await answer.json()).toMatchObject({ message: comment });
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([{ comment }]);
  });
});

describe('POST /api/v1/alarms/{service_id}/acknowledge, the errors', () => {
  test('404 Alarm not found or already acknowledged: no such service', async () => {
    for (const person of [people.vera, people.oscar, people.ada, people.olga, people.nora]) {
      await expectDetail(await person.post(path(2147483647)), 404, NOT_FOUND);
    }
    await expectDetail(await anonymously(server, path(2147483647), { method: 'POST' }), 404, NOT_FOUND);
  });

  test.each([
    '2147483648',
    '-2147483649',
    '9007199254740993',
    `1${'0'.repeat(400)}`,
    '0',
    '-1',
    '-2147483648',
  ])('404, not 422: the id %s, for anonymous callers too', async (id) => {
    await expectDetail(await people.oscar.post(path(id)), 404, NOT_FOUND);
    await expectDetail(await anonymously(server, path(id), { method: 'POST' }), 404, NOT_FOUND);
  });

  test('a signed id is looked up', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    expect((await people.oscar.post(path(`+${freezer.id}`))).status).toBe(200);
    await expectDetail(await people.oscar.post(path(`00${freezer.id}`)), 409, TAKEN);
  });

  test('403 Not authorized for this service: outside the organizations of the caller', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await expectDetail(await people.olga.post(path()), 403, OUTSIDE);
    await expectDetail(await people.nora.post(path()), 403, OUTSIDE);
    await expectDetail(await anonymously(server, path(), { method: 'POST' }), 403, OUTSIDE);
    expect(await acknowledgementsOf(server, freezer)).toEqual([]);
    expect(await auditOfService(server, freezer)).toEqual([]);
  });

  test('403 Operator role or higher required for this action: caller is a viewer', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await expectDetail(await people.vera.post(path()), 403, VIEWER);
    expect(await acknowledgementsOf(server, freezer)).toEqual([]);
  });

  test('403 comes before 409', async () => {
    await expectDetail(await people.vera.post(path()), 403, VIEWER);
    await expectDetail(await people.olga.post(path()), 403, OUTSIDE);
  });

  test.each(['oscar', 'ada'] as const)('200 for %s', async (name) => {
    await setAlarm(server, freezer, { severity: 'critical' });
    expect((await people[name].post(path())).status).toBe(200);
  });

  test('409 for all but one of 50 simultaneous callers', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 ? people.ada : people.oscar).post(path())),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(49).fill(409)]);
    const details = await Promise.all(
      answers.filter(({ status }) => status === 409).map((answer) => answer.json()),
    );
    expect(details).toEqual(Array(49).fill({ detail: TAKEN }));
    expect(await severities()).toEqual(['CRITICAL']);
    expect(await auditOfService(server, freezer)).toHaveLength(1);
  });

  test('409 also when another program got there first', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await server.db.query(sql`
      insert into acknowledgement (service_id, episode_id, severity, account_id, account_name, created_at)
      values (${freezer.id}, 1, 'CRITICAL', ${people.ada.id}, 'Ada', ${server.clock.read()})`);
    await expectDetail(await people.oscar.post(path()), 409, TAKEN);
  });

  test.each(['abc', '1.0', '1e3', '0x10', '%201', '--1', '١'])('422: %s is no integer', async (id) => {
    await expectField(await people.oscar.post(path(id)), 'path', 'service_id', decodeURIComponent(id));
    await expectField(
      await anonymously(server, path(id), { method: 'POST' }),
      'path',
      'service_id',
      decodeURIComponent(id),
    );
  });

  test('422: a NUL character in the comment', async () => {
    await expectField(await people.oscar.post(path(), { comment: 'a\0' }), 'body', 'comment', 'a\0');
  });

  test('401 Could not validate credentials comes before everything else', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    const answer = await anonymously(server, path('abc'), { method: 'POST', headers });
    await expectDetail(answer, 401, 'Could not validate credentials');
  });

  test('405 for another method', async () => {
    const answer = await people.oscar.get(path());
    expect(answer.headers.get('allow')).toBe('POST');
    await expectDetail(answer, 405, 'Method Not Allowed');
  });
});

describe('POST /api/v1/alarms/{service_id}/acknowledge with HX-Request', () => {
  beforeEach(() => setAlarm(server, freezer, { severity: 'critical', since: minutesAgo(server, 30) }));

  test('answers with the row as it is now', async () => {
    const html = await expectFragment(await people.oscar.post(path(), { comment: 'On my way' }, HX));
    expect(html).toMatch(new RegExp(`^<tr id="alarm-${freezer.id}" [^>]*>.*</tr>$`));
    expect(html).toContain('Acknowledged at critical by Oscar');
    expect(html).toContain('<q>On my way</q>');
    expect(html).toContain(`hx-post="/api/v1/alarms/${freezer.id}/unacknowledge"`);
    expect(html).toContain('hx-target="closest tr"');
    expect(html).toContain('hx-swap="outerHTML"');
    expect(html).not.toContain(`/api/v1/alarms/${freezer.id}/acknowledge"`);
  });

  test('also for a service in downtime', async () => {
    await setDowntime(server, freezer, -minutes(5), minutes(5));
    expect(await expectFragment(await people.oscar.post(path(), {}, HX))).toMatch(/^<tr /);
  });

  test('a hostile comment is shown, not obeyed', async () => {
    const html = await expectFragment(
      await people.oscar.post(path(), { comment: '<script>alert("c")</script>' }, HX),
    );
    expect(html).toContain('<q>&lt;script>alert(&quot;c&quot;)&lt;/script></q>');
  });

  test('errors stay JSON', async () => {
    await expectDetail(await people.vera.post(path(), {}, HX), 403, VIEWER);
    await people.oscar.post(path());
    await expectDetail(await people.oscar.post(path(), {}, HX), 409, TAKEN);
    await expectDetail(await people.oscar.post(path(2147483648), {}, HX), 404, NOT_FOUND);
  });
});
