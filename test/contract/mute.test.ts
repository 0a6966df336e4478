import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPool } from '../../src/platform/db/database.ts';
import { anonymously, expectDetail, expectField, expectFragment, HX } from '../support/answers.ts';
import { archive, auditOfService, createFreezer, type Freezer, mutesOf } from '../support/equipment.ts';
import { type Fuse, failingDatabase } from '../support/failing-database.ts';
import { minutes } from '../support/movable-clock.ts';
import { invitePeople, type People } from '../support/people.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';

const NOT_FOUND = 'Service not found';
const OUTSIDE = 'Not authorized for this service';
const VIEWER = 'Operator role or higher required for this action';
const FAILED = { status: 'error', message: 'Operation failed' };

let server: TestServer;
let people: People;
let freezer: Freezer;
const fuse: Fuse = { blowsAfter: null };
beforeAll(async () => {
  server = await startServerOn(failingDatabase((await cloneDatabase()).db, fuse));
});
beforeEach(async () => {
  fuse.blowsAfter = null;
  people = await invitePeople(server);
  freezer = await createFreezer(server, people);
});

type Verb = 'mute' | 'unmute';
const path = (verb: Verb, id: string | number = freezer.id) => `/api/v1/services/${id}/${verb}`;
const mute = (form: Record<string, string> = {}) => people.oscar.post(path('mute'), form);
const activeReasons = async () =>
  (await mutesOf(server, freezer)).filter(({ endedAt }) => endedAt === null).map(({ reason }) => reason);

describe('POST /api/v1/services/{service_id}/mute, the states', () => {
  test('not muted: muted, a record is added', async () => {
    const answer = await mute({ reason: 'Compressor swap' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual({ status: 'muted', service_id: freezer.id });
    expect(await mutesOf(server, freezer)).toEqual([
      {
        reason: 'Compressor swap',
        accountId: people.oscar.id,
        accountName: 'Oscar',
        createdAt: server.clock.read(),
        endedAt: null,
      },
    ]);
    expect(await auditOfService(server, freezer)).toEqual([
      {
        action: 'service.mute',
        detail: { reason: 'Compressor swap' },
        organizationId: people.organization,
        accountId: people.oscar.id,
        accountName: 'Oscar',
        happenedAt: server.clock.read(),
        address: '127.0.0.1',
        requestId: answer.headers.get('x-request-id'),
      },
    ]);
  });

  test('muted: another record is added', async () => {
    await mute({ reason: 'one' });
    expect(await (await mute({ reason: 'two' })).json()).toEqual({ status: 'muted', service_id: freezer.id });
    expect(await activeReasons()).toEqual(['one', 'two']);
  });

  test.each([
    ['none', {}],
    ['a blank one', { reason: ' \t' }],
  ])('without a reason: %s', async (_, form) => {
    expect((await mute(form as Record<string, string>)).status).toBe(200);
    expect(await activeReasons()).toEqual([null]);
    expect(await auditOfService(server, freezer)).toMatchObject([{ detail: { reason: null } }]);
  });

  test('a reason is kept exactly as sent', async () => {
    const reason = '  Ümläut 🧊 <script>alert(1)</script>\r\n ';
    await mute({ reason });
    expect(await activeReasons()).toEqual([reason]);
  });

  test('many at once are all recorded', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => mute()));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await activeReasons()).toHaveLength(20);
  });
});

describe('POST /api/v1/services/{service_id}/unmute, the states', () => {
  test('muted, any number of records: all are cleared', async () => {
    await mute({ reason: 'one' });
    await mute({ reason: 'two' });
    server.clock.advance(minutes(5));
    const answer = await people.ada.post(path('unmute'));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'unmuted', service_id: freezer.id });
    expect(await activeReasons()).toEqual([]);
    const ended = { endedAt: server.clock.read() };
    expect(await mutesOf(server, freezer)).toMatchObject([ended, ended]);
    expect((await auditOfService(server, freezer))[2]).toEqual({
      action: 'service.unmute',
      detail: { mutes_cleared: 2 },
      organizationId: people.organization,
      accountId: people.ada.id,
      accountName: 'Ada',
      happenedAt: server.clock.read(),
      address: '127.0.0.1',
      requestId: answer.headers.get('x-request-id'),
    });
  });

  test('not muted: succeeds, too', async () => {
    const answer = await people.oscar.post(path('unmute'));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'unmuted', service_id: freezer.id });
  });

  test('what has ended stays as it ended', async () => {
    await mute();
    await people.oscar.post(path('unmute'));
    const [before] = await mutesOf(server, freezer);
    server.clock.advance(minutes(5));
    await people.oscar.post(path('unmute'));
    expect(await mutesOf(server, freezer)).toEqual([before]);
  });

  test('other services stay muted', async () => {
    const other = await createFreezer(server, people);
    await people.oscar.post(path('mute', other.id));
    await people.oscar.post(path('unmute'));
    expect(await mutesOf(server, other)).toMatchObject([{ endedAt: null }]);
  });
});

describe('the errors', () => {
  const verbs: Verb[] = ['mute', 'unmute'];

  test.each(verbs)('%s, 404 Service not found: no such service', async (verb) => {
    for (const person of [people.vera, people.oscar, people.ada, people.olga, people.nora]) {
      await expectDetail(await person.post(path(verb, 2147483647)), 404, NOT_FOUND);
    }
    const answer = await anonymously(server, path(verb, 2147483647), { method: 'POST' });
    await expectDetail(answer, 404, NOT_FOUND);
  });

  test('mute, 404 Service not found: archived, before 403', async () => {
    await archive(server, freezer);
    for (const person of [people.vera, people.oscar, people.ada, people.olga, people.nora]) {
      await expectDetail(await person.post(path('mute')), 404, NOT_FOUND);
    }
    await expectDetail(await anonymously(server, path('mute'), { method: 'POST' }), 404, NOT_FOUND);
    expect(await mutesOf(server, freezer)).toEqual([]);
  });

  test('unmute: an archived service answers 200', async () => {
    await mute();
    await archive(server, freezer);
    await expectDetail(await people.vera.post(path('unmute')), 403, VIEWER);
    await expectDetail(await people.olga.post(path('unmute')), 403, OUTSIDE);
    const answer = await people.oscar.post(path('unmute'));
    expect(await answer.json()).toEqual({ status: 'unmuted', service_id: freezer.id });
    expect(await activeReasons()).toEqual([]);
  });

  test.each(verbs)('%s, 403 Not authorized for this service', async (verb) => {
    await mute();
    await expectDetail(await people.olga.post(path(verb)), 403, OUTSIDE);
    await expectDetail(await people.nora.post(path(verb)), 403, OUTSIDE);
    await expectDetail(await anonymously(server, path(verb), { method: 'POST' }), 403, OUTSIDE);
    expect(await activeReasons()).toEqual([null]);
    expect(await auditOfService(server, freezer)).toHaveLength(1);
  });

  test.each(verbs)('%s, 403 Operator role or higher required for this action', async (verb) => {
    await mute();
    await expectDetail(await people.vera.post(path(verb)), 403, VIEWER);
    expect(await activeReasons()).toEqual([null]);
    expect(await auditOfService(server, freezer)).toHaveLength(1);
  });

  test.each(verbs)('%s, 200 for Oscar and Ada', async (verb) => {
    expect((await people.oscar.post(path(verb))).status).toBe(200);
    expect((await people.ada.post(path(verb))).status).toBe(200);
  });

  const ids = ['0', '-1', '+1', '2147483648', `1${'0'.repeat(400)}`, 'abc', '1.0', '1e3', '%201', ''];
  test.each(verbs.flatMap((verb) => ids.map((id) => [verb, id] as const)))(
    '%s, 422: the id %j',
    async (verb, id) => {
      const input = decodeURIComponent(id);
      await expectField(await people.oscar.post(path(verb, id)), 'path', 'service_id', input);
      await expectField(
        await anonymously(server, path(verb, id), { method: 'POST' }),
        'path',
        'service_id',
        input,
      );
    },
  );

  test('mute, 422: a NUL character in the reason', async () => {
    await expectField(await mute({ reason: 'a\0' }), 'body', 'reason', 'a\0');
  });

  test.each(verbs)('%s, 401 Could not validate credentials before everything else', async (verb) => {
    const headers = { authorization: 'Bearer nonsense' };
    const answer = await anonymously(server, path(verb, 'abc'), { method: 'POST', headers });
    await expectDetail(answer, 401, 'Could not validate credentials');
  });
});

describe('the silent failure: 200 with status error, logged, nothing changed', () => {
  test.each<[Verb, string, RegExp]>([
    ['mute', 'once it has begun', /alarm_state/],
    ['mute', 'once the record is added', /insert into mute/],
    ['mute', 'once it is on record', /insert into audit/],
    ['unmute', 'once it has begun', /alarm_state/],
    ['unmute', 'once the records are cleared', /update mute/],
    ['unmute', 'once it is on record', /insert into audit/],
  ])('%s: the connection is lost %s', async (verb, _, statement) => {
    await mute({ reason: 'before' });
    const before = await auditOfService(server, freezer);
    for (const headers of [{}, HX]) {
      fuse.blowsAfter = statement;
      const answer = await people.oscar.post(path(verb), {}, headers);
      fuse.blowsAfter = null;
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await answer.json()).toEqual(FAILED);
      expect(await activeReasons()).toEqual(['before']);
      expect(await auditOfService(server, freezer)).toEqual(before);

      const requestId = answer.headers.get('x-request-id');
      const logged = server.logLines
        .map((line) => JSON.parse(line) as { level: number; requestId?: string; err?: { message: string } })
        .filter((line) => line.requestId === requestId && line.level === 50);
      expect(logged).toMatchObject([{ err: { message: expect.any(String) } }]);
    }
    expect((await people.oscar.post(path(verb))).status).toBe(200);
  });

  test.each<Verb>(['mute', 'unmute'])('%s: there is no database at all', async (verb) => {
    const broken = await startServerOn(openPool({ host: '127.0.0.1', port: 1 }, () => {}));
    const token = await broken.signer.issue(
      { accountId: people.oscar.id, generation: 1 },
      broken.clock.read(),
    );
    for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
      const answer = await anonymously(broken, path(verb, 1), { method: 'POST', headers });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual(FAILED);
    }
  });

  test('htmx is told to leave the control alone; others hear nothing of it', async () => {
    fuse.blowsAfter = /insert into mute/;
    expect((await people.oscar.post(path('mute'), {}, HX)).headers.get('hx-reswap')).toBe('none');
    expect((await people.oscar.post(path('mute'))).headers.get('hx-reswap')).toBeNull();
  });
});

describe('with HX-Request', () => {
  test('mute answers with the control to unmute', async () => {
    const html = await expectFragment(
      await people.oscar.post(path('mute'), { reason: 'Compressor swap' }, HX),
    );
    expect(html).toMatch(new RegExp(`^<div id="mute-${freezer.id}" class="mute-control">.*</div>$`));
    expect(html).toContain('<strong>Muted.</strong>');
    expect(html).toContain('By Oscar');
    expect(html).toContain('<q>Compressor swap</q>');
    expect(html).toMatch(/<time datetime="[^"]+\+00:00" title="[^"]+" data-moment>today \d\d:\d\d<\/time>/);
    expect(html).toContain(`hx-post="/api/v1/services/${freezer.id}/unmute"`);
    expect(html).toContain(`aria-label="Unmute ${freezer.name}"`);
    expect(html).toContain('hx-target="closest .mute-control"');
    expect(html).toContain('hx-swap="outerHTML"');
  });

  test('every mute that is active is shown, the newest first', async () => {
    await mute({ reason: 'one' });
    const html = await expectFragment(await people.ada.post(path('mute'), { reason: 'two' }, HX));
    expect([...html.matchAll(/<q>(.*?)<\/q>/g)].map(([, reason]) => reason)).toEqual(['two', 'one']);
  });

  test('unmute answers with the control to mute, with a field for the reason', async () => {
    await mute();
    const html = await expectFragment(await people.oscar.post(path('unmute'), {}, HX));
    expect(html).toMatch(new RegExp(`^<div id="mute-${freezer.id}" class="mute-control">.*</div>$`));
    expect(html).toContain(`action="/alarms/${freezer.id}/mute"`);
    expect(html).toContain('<option value="240" selected>4 hours</option>');
    expect(html).toContain('name="reason"');
    expect(html).toContain(`aria-label="Mute ${freezer.name}"`);
    expect(html).not.toContain('Muted');
  });

  test('hostile names and reasons are shown, not obeyed', async () => {
    const hostile = await createFreezer(server, people, { name: '"><script>alert("n")</script>' });
    const reason = '</q><script>alert("r")</script>';
    const html = await expectFragment(await people.oscar.post(path('mute', hostile.id), { reason }, HX));
    expect(html).toContain('<q>&lt;/q>&lt;script>alert(&quot;r&quot;)&lt;/script></q>');
    expect(html).toContain('aria-label="Unmute &quot;>&lt;script>alert(&quot;n&quot;)&lt;/script>"');
  });

  test('errors stay JSON', async () => {
    await expectDetail(await people.vera.post(path('mute'), {}, HX), 403, VIEWER);
    await expectDetail(await people.oscar.post(path('unmute', 2147483647), {}, HX), 404, NOT_FOUND);
  });
});
