import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockAlarmStates } from '../../src/engine/journal/lock-alarm-states.ts';
import { anonymously, expectDetail } from '../support/answers.ts';
import { DOWNTIMES, type DowntimeDesk, openDowntimeDesk } from '../support/downtime-desk.ts';
import { hours } from '../support/movable-clock.ts';
import { auditOf } from '../support/sign-in.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let desk: DowntimeDesk;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  desk = await openDowntimeDesk(server);
});

const exists = async (id: number) =>
  (await server.db.query(sql`select from downtime where id = ${id}`)).length > 0;
const at = (ms: number) => new Date(server.clock.read().getTime() + ms).toISOString().replace('Z', '+00:00');

describe('DELETE /api/v1/downtimes/{downtime_id}', () => {
  test.each(['oscar', 'ada'] as const)('200 for %s: exactly status and id', async (name) => {
    const id = await desk.addWindow(0, hours(1), { author: desk.vera });
    const answer = await desk.cancel(desk[name], id);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'cancelled', id }]);
    expect(await desk.list(desk.vera)).toEqual([]);
  });

  test('200 on an archived service', async () => {
    const id = await desk.addWindow(0, hours(1));
    await desk.archive(desk.freezer);
    expect((await desk.cancel(desk.oscar, id)).status).toBe(200);
  });

  test('takes one window and leaves the others', async () => {
    const [kept, id] = [await desk.addWindow(0, hours(1)), await desk.addWindow(0, hours(1))];
    await desk.cancel(desk.oscar, id);
    expect(await desk.list(desk.vera)).toMatchObject([{ id: kept }]);
  });

  test('leaves an audit record', async () => {
    const id = await desk.addWindow(0, hours(1));
    await desk.cancel(desk.ada, id);
    expect(await auditOf(server, desk.ada)).toEqual([
      {
        action: 'downtime.cancel',
        detail: { downtime: id, reason: 'Defrost', start_time: at(0), end_time: at(hours(1)) },
      },
    ]);
    expect(
      await server.db.query(
        sql`select organization_id, service_id from audit where account_id = ${desk.ada.id}`,
      ),
    ).toEqual([{ organization_id: desk.organization, service_id: desk.freezer.id }]);
  });

  const GONE = 'Downtime not found or not authorized';

  test('404: no such window', async () => {
    await expectDetail(await desk.cancel(desk.oscar, 2_147_483_647), 404, GONE);
  });

  test('404: its service is outside the organizations', async () => {
    const id = await desk.addWindow(0, hours(1));
    await expectDetail(await desk.cancel(desk.olga, id), 404, GONE);
    expect(await exists(id)).toBe(true);
  });

  test.each([
    ['this moment', 0],
    ['1 ms ago', -1],
  ])('404: it ended %s', async (_, endsIn) => {
    const id = await desk.addWindow(-hours(1), endsIn);
    await expectDetail(await desk.cancel(desk.oscar, id), 404, GONE);
    expect(await exists(id)).toBe(true);
  });

  test('404: it is cancelled already', async () => {
    const id = await desk.addWindow(0, hours(1));
    await desk.cancel(desk.oscar, id);
    await expectDetail(await desk.cancel(desk.oscar, id), 404, GONE);
  });

  test('of callers at the same moment one cancels it, the others get 404', async () => {
    const id = await desk.addWindow(0, hours(1));
    const answers = await Promise.all(Array.from({ length: 8 }, () => desk.cancel(desk.oscar, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
    expect(await auditOf(server, desk.oscar)).toHaveLength(1);
  });

  test('403 Not authorized: no role anywhere, signed in or not, whatever the id', async () => {
    const id = await desk.addWindow(0, hours(1));
    for (const each of [id, 2_147_483_647]) {
      await expectDetail(await desk.cancel(desk.nora, each), 403, 'Not authorized');
      const anonymous = await anonymously(server, `${DOWNTIMES}/${each}`, { method: 'DELETE' });
      await expectDetail(anonymous, 403, 'Not authorized');
    }
    expect(await exists(id)).toBe(true);
  });

  test('403: a viewer, even of a window of their own', async () => {
    const id = await desk.addWindow(0, hours(1), { author: desk.vera });
    const answer = await desk.cancel(desk.vera, id);
    await expectDetail(answer, 403, 'Operator role or higher required to cancel downtime');
    expect(await exists(id)).toBe(true);
  });

  test('404 before 403: a viewer and an ended window', async () => {
    const id = await desk.addWindow(-2, -1);
    await expectDetail(await desk.cancel(desk.vera, id), 404, GONE);
  });

  test.each([
    ['0', 'range'],
    ['2147483648', 'range'],
    ['-1', 'integer'],
    ['+1', 'integer'],
    ['1.5', 'integer'],
    ['abc', 'integer'],
  ])('422: %s, also for Nora', async (input, type) => {
    const detail = [{ type, loc: ['path', 'downtime_id'], msg: expect.any(String), input }];
    await expectDetail(await desk.cancel(desk.oscar, input), 422, detail);
    await expectDetail(await desk.cancel(desk.nora, input), 422, detail);
  });

  test('401 comes before 422', async () => {
    const answer = await desk.cancel(desk.oscar, 'abc', { headers: { authorization: 'Bearer nonsense' } });
    await expectDetail(answer, 401, 'Could not validate credentials');
  });
});

describe('whoever changes what is suppressed locks the alarm state of the service first', () => {
  const somebodyWaits = () =>
    expect
      .poll(() =>
        server.db.query(sql`
          select query from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database() and query like '%alarm_state%'`),
      )
      .toHaveLength(1);

  test.each<[string, () => Promise<() => Promise<Response>>, number]>([
    ['schedule', async () => () => desk.schedule(desk.oscar), 303],
    [
      'cancel',
      async () => {
        const id = await desk.addWindow(0, hours(1));
        return () => desk.cancel(desk.oscar, id);
      },
      200,
    ],
  ])('%s', async (_, prepare, status) => {
    const act = await prepare();
    const before = await desk.stored();
    const answer = await server.db.transaction(async (tx) => {
      await lockAlarmStates(tx, [desk.freezer.id]);
      const pending = act();
      await somebodyWaits();
      expect(await desk.stored()).toEqual(before);
      return { pending };
    });
    expect((await answer.pending).status).toBe(status);
    expect(await desk.stored()).not.toEqual(before);
  });
});
