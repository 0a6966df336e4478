import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anonymously, expectDetail, expectFragment, HX } from '../support/answers.ts';
import { DOWNTIMES, type DowntimeDesk, openDowntimeDesk } from '../support/downtime-desk.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let desk: DowntimeDesk;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openDowntimeDesk(server);
});

const idsOf = async (name: 'vera' | 'oscar' | 'olga' | 'nora') =>
  (await desk.list(desk[name])).map(({ id }) => id);
const exists = async (id: number) =>
  (await server.db.query(sql`select from downtime where id = ${id}`)).length > 0;
const at = (ms: number) => new Date(server.clock.read().getTime() + ms).toISOString().replace('Z', '+00:00');

describe('GET /api/v1/downtimes', () => {
  test('200: exactly the fields of a downtime entry', async () => {
    const id = await desk.addWindow(-minutes(5), hours(1), { reason: 'Defrost' });
    const answer = await desk.vera.get(DOWNTIMES);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual([
      {
        id,
        service_id: desk.freezer.id,
        service_name: 'Freezer 1',
        start_time: at(-minutes(5)),
        end_time: at(hours(1)),
        reason: 'Defrost',
        created_by_user_id: desk.oscar.id,
        created_by_name: 'Oscar',
        created_at: at(0),
      },
    ]);
  });

  test.each(['vera', 'oscar', 'ada'] as const)('%s sees the windows of the organization', async (name) => {
    const id = await desk.addWindow(0, hours(1));
    expect(await desk.list(desk[name])).toMatchObject([{ id }]);
  });

  test('Olga sees those of hers only', async () => {
    await desk.addWindow(0, hours(1));
    const hers = await desk.addWindow(0, hours(1), { service: desk.incubator, author: desk.olga });
    expect(await idsOf('olga')).toEqual([hers]);
  });

  test('[] for Nora, who has no role', async () => {
    await desk.addWindow(0, hours(1));
    const answer = await desk.nora.get(DOWNTIMES);
    expect([answer.status, await answer.json()]).toEqual([200, []]);
  });

  test('a member of two organizations sees both', async () => {
    const ours = await desk.addWindow(-1, hours(1));
    const theirs = await desk.addWindow(0, hours(1), { service: desk.incubator });
    await server.db.query(sql`
      insert into membership (account_id, organization_id, role, created_at)
      select ${desk.vera.id}, organization_id, 'viewer', ${server.clock.read()}
      from service where id = ${desk.incubator.id}`);
    expect(await idsOf('vera')).toEqual([theirs, ours]);
  });

  test('newest start first, then the higher id', async () => {
    const middle = await desk.addWindow(-minutes(2), hours(1));
    const oldest = await desk.addWindow(-minutes(3), hours(9));
    const newest = await desk.addWindow(-minutes(1), minutes(1));
    const middleAgain = await desk.addWindow(-minutes(2), hours(1));
    expect(await idsOf('vera')).toEqual([newest, middleAgain, middle, oldest]);
  });

  test.each<[string, number, number, boolean]>([
    ['starts now', 0, hours(1), true],
    ['starts in 1 ms', 1, hours(1), false],
    ['ends in 1 ms', -hours(1), 1, true],
    ['ends now', -hours(1), 0, false],
    ['ended 1 ms ago', -hours(1), -1, false],
    ['starts tomorrow', hours(24), hours(25), false],
    ['ended yesterday', -hours(25), -hours(24), false],
  ])('a window that %s', async (_, startsIn, endsIn, isListed) => {
    const id = await desk.addWindow(startsIn, endsIn);
    expect(await idsOf('vera')).toEqual(isListed ? [id] : []);
  });

  test('archived services are left out', async () => {
    const old = await desk.addService('Freezer 0');
    await desk.addWindow(0, hours(1), { service: old });
    const id = await desk.addWindow(0, hours(1));
    await desk.archive(old);
    expect(await idsOf('vera')).toEqual([id]);
  });

  test('created_by_name is Unknown once the account is deleted; the id stays', async () => {
    await desk.addWindow(0, hours(1));
    await server.db.query(sql`delete from account where id = ${desk.oscar.id}`);
    expect(await desk.list(desk.vera)).toMatchObject([
      { created_by_user_id: desk.oscar.id, created_by_name: 'Unknown' },
    ]);
  });

  test('created_by_name stays while the account exists, deactivated or renamed', async () => {
    await desk.addWindow(0, hours(1));
    await server.db.query(sql`
      update account set is_active = false, name = 'Oskar' where id = ${desk.oscar.id}`);
    expect(await desk.list(desk.vera)).toMatchObject([{ created_by_name: 'Oscar' }]);
  });

  test('401 Authentication required without a token', async () => {
    const answer = await anonymously(server, DOWNTIMES);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    await expectDetail(answer, 401, 'Authentication required');
    await expectDetail(await anonymously(server, DOWNTIMES, { headers: HX }), 401, 'Authentication required');
  });

  test('401 Could not validate credentials with a bad one', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    await expectDetail(
      await anonymously(server, DOWNTIMES, { headers }),
      401,
      'Could not validate credentials',
    );
  });
});

describe('the states of a window', () => {
  test('scheduled, active when its start is reached, gone when its end is', async () => {
    const [start_time, end_time] = [minutes(10), minutes(20)].map((ms) => at(ms).replace('.000', ''));
    await desk.schedule(desk.oscar, { start_time: start_time ?? '', end_time: end_time ?? '' });
    const seen: number[] = [];
    for (const step of [minutes(10) - 1, 1, minutes(10) - 1, 1]) {
      server.clock.advance(step);
      seen.push((await desk.list(desk.vera)).length);
    }
    expect(seen).toEqual([0, 1, 1, 0]);
  });

  test('scheduled with a start in the past it is active at once', async () => {
    await desk.schedule(desk.oscar, { start_time: '2026-11-01' });
    expect(await desk.list(desk.vera)).toMatchObject([{ start_time: '2026-10-31T23:00:00.000+00:00' }]);
  });

  test.each<[string, number]>([
    ['active', -minutes(1)],
    ['future', hours(1)],
  ])('cancelled while %s it is deleted', async (_, startsIn) => {
    const id = await desk.addWindow(startsIn, hours(2));
    expect((await desk.cancel(desk.oscar, id)).status).toBe(200);
    expect(await exists(id)).toBe(false);
  });
});

describe('with HX-Request', () => {
  const list = (name: 'vera' | 'oscar' | 'nora') => desk[name].get(DOWNTIMES, HX).then(expectFragment);

  test("the list shows times in the reader's zone, names it, and has UTC beside", async () => {
    await desk.addWindow(0, hours(1));
    const start = at(0);
    const fragment = await list('vera');
    expect(fragment).toContain('Times are in Europe/Berlin.');
    expect(fragment).toMatch(
      new RegExp(
        `<time datetime="${start.replaceAll('+', '\\+')}" title="2026-11-15 \\d\\d:\\d\\d UTC\\+01:00"[^>]*>today \\d\\d:\\d\\d</time>`,
      ),
    );
  });

  test('operators can cancel from the list, viewers cannot', async () => {
    const id = await desk.addWindow(0, hours(1));
    expect(await list('oscar')).toContain(`hx-delete="/api/v1/downtimes/${id}"`);
    expect(await list('vera')).not.toContain('hx-delete');
  });

  test('an empty list says so', async () => {
    expect(await list('nora')).toContain('No service is in downtime.');
  });

  test('cancel answers with the row that replaces the one clicked', async () => {
    const id = await desk.addWindow(0, hours(1));
    const row = `downtime-${id}`;
    expect(await list('oscar')).toContain(`<tr id="${row}">`);
    const fragment = await expectFragment(await desk.cancel(desk.oscar, id, { headers: HX }));
    expect(fragment).toBe(
      `<tr id="${row}" class="muted"><td colspan="6">Downtime of Freezer 1 cancelled.</td></tr>`,
    );
  });

  test('hostile text comes out as text', async () => {
    const hostile = `</td><script>alert("1")</script><img/onerror='alert(2)'>&amp;`;
    const service = await desk.addService(hostile);
    const author = { id: desk.oscar.id, name: hostile };
    const id = await desk.addWindow(0, hours(1), { service, reason: hostile, author });
    const fragments = [
      await list('oscar'),
      await expectFragment(await desk.cancel(desk.oscar, id, { headers: HX })),
    ];
    for (const fragment of fragments) {
      expect(fragment).toContain('&lt;/td>&lt;script>alert(&quot;1&quot;)&lt;/script>');
      expect(fragment).toContain('&amp;amp;');
      expect(fragment).not.toMatch(/<script|<img/);
    }
  });

  test('errors stay JSON', async () => {
    const id = await desk.addWindow(0, hours(1));
    await expectDetail(
      await desk.cancel(desk.vera, id, { headers: HX }),
      403,
      'Operator role or higher required to cancel downtime',
    );
  });
});
