import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPool } from '../../src/platform/db/database.ts';
import { anonymously, expectDetail, expectField, expectFragment, HX } from '../support/answers.ts';
import {
  acknowledgementsOf,
  archive,
  auditOfService,
  createFreezer,
  type Freezer,
  setAlarm,
  setDowntime,
} from '../support/equipment.ts';
import { type Fuse, failingDatabase } from '../support/failing-database.ts';
import { minutes } from '../support/movable-clock.ts';
import { invitePeople, type People } from '../support/people.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';

const NOT_FOUND = 'Alarm not found or already acknowledged';
const OUTSIDE = 'Not authorized for this service';
const VIEWER = 'Operator role or higher required for this action';
const NOTHING = 'No acknowledgement to remove';
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

const path = (id: string | number = freezer.id) => `/api/v1/alarms/${id}/unacknowledge`;
const acknowledge = (form: Record<string, string> = {}) =>
  people.oscar.post(`/api/v1/alarms/${freezer.id}/acknowledge`, form);
const active = async () =>
  (await acknowledgementsOf(server, freezer))
    .filter(({ endedAt }) => endedAt === null)
    .map(({ severity }) => severity);

/** Acknowledged at WARNING, then at CRITICAL. */
async function acknowledgeTwice() {
  await setAlarm(server, freezer, { severity: 'warning' });
  await acknowledge();
  await setAlarm(server, freezer, { severity: 'critical' });
  await acknowledge();
}

describe('POST /api/v1/alarms/{service_id}/unacknowledge, the states', () => {
  test('one or more exist: the newest is removed, a second call removes the next one', async () => {
    await acknowledgeTwice();
    server.clock.advance(minutes(5));
    const answer = await people.ada.post(path());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual({ status: 'unacknowledged', service_id: freezer.id });
    expect(await active()).toEqual(['WARNING']);

    expect((await people.ada.post(path())).status).toBe(200);
    expect(await active()).toEqual([]);
    const removed = { endedAt: server.clock.read(), endReason: 'removed' };
    expect(await acknowledgementsOf(server, freezer)).toMatchObject([removed, removed]);

    await expectDetail(await people.ada.post(path()), 409, NOTHING);
  });

  test('the newest is the last one given, even if the clock was set back in between', async () => {
    await setAlarm(server, freezer, { severity: 'warning' });
    await acknowledge();
    server.clock.advance(-minutes(60));
    await setAlarm(server, freezer, { severity: 'critical' });
    await acknowledge();
    await people.oscar.post(path());
    expect(await active()).toEqual(['WARNING']);
    server.clock.advance(minutes(60));
  });

  test('what was removed can be acknowledged again', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await acknowledge();
    await people.oscar.post(path());
    expect((await acknowledge()).status).toBe(200);
    expect(await active()).toEqual(['CRITICAL']);
  });

  test('it is on record', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await acknowledge();
    const answer = await people.ada.post(path());
    expect((await auditOfService(server, freezer))[1]).toEqual({
      action: 'alarm.unacknowledge',
      detail: { severity: 'CRITICAL', acknowledged_by: 'Oscar' },
      organizationId: people.organization,
      accountId: people.ada.id,
      accountName: 'Ada',
      happenedAt: server.clock.read(),
      address: '127.0.0.1',
      requestId: answer.headers.get('x-request-id'),
    });
  });

  test('no acknowledgement: 409 No acknowledgement to remove, unchanged', async () => {
    await expectDetail(await people.oscar.post(path()), 409, NOTHING);
    await setAlarm(server, freezer, { severity: 'critical' });
    await expectDetail(await people.oscar.post(path()), 409, NOTHING);
    expect(await auditOfService(server, freezer)).toEqual([]);
  });

  test('archived: its acknowledgements have ended', async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await acknowledge();
    await archive(server, freezer);
    await expectDetail(await people.oscar.post(path()), 409, NOTHING);
  });

  test('of simultaneous callers each removes one', async () => {
    await acknowledgeTwice();
    const answers = await Promise.all(Array.from({ length: 20 }, () => people.oscar.post(path())));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, ...Array(18).fill(409)]);
    expect(await active()).toEqual([]);
  });
});

describe('POST /api/v1/alarms/{service_id}/unacknowledge, the errors', () => {
  beforeEach(async () => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await acknowledge();
  });

  test('404 Alarm not found or already acknowledged: no such service', async () => {
    for (const person of [people.vera, people.oscar, people.ada, people.olga, people.nora]) {
      await expectDetail(await person.post(path(2147483647)), 404, NOT_FOUND);
    }
    await expectDetail(await anonymously(server, path(2147483647), { method: 'POST' }), 404, NOT_FOUND);
  });

  test.each(['0', '-1', '-2147483648'])('404: the id %s is looked up', async (id) => {
    await expectDetail(await people.oscar.post(path(id)), 404, NOT_FOUND);
    await expectDetail(await anonymously(server, path(id), { method: 'POST' }), 404, NOT_FOUND);
  });

  test('403 Not authorized for this service: outside the organizations of the caller', async () => {
    await expectDetail(await people.olga.post(path()), 403, OUTSIDE);
    await expectDetail(await people.nora.post(path()), 403, OUTSIDE);
    await expectDetail(await anonymously(server, path(), { method: 'POST' }), 403, OUTSIDE);
    expect(await active()).toEqual(['CRITICAL']);
  });

  test('403 Operator role or higher required for this action: caller is a viewer', async () => {
    await expectDetail(await people.vera.post(path()), 403, VIEWER);
    expect(await active()).toEqual(['CRITICAL']);
  });

  test.each(['oscar', 'ada'] as const)('200 for %s, whoever acknowledged', async (name) => {
    expect((await people[name].post(path())).status).toBe(200);
  });

  test.each(['abc', '1.0', '', '%201'])('422: %j is no integer', async (id) => {
    await expectField(await people.oscar.post(path(id)), 'path', 'service_id', decodeURIComponent(id));
  });

  test('401 Could not validate credentials comes before everything else', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    const answer = await anonymously(server, path(2147483648), { method: 'POST', headers });
    await expectDetail(answer, 401, 'Could not validate credentials');
  });
});

describe('POST /api/v1/alarms/{service_id}/unacknowledge, the silent failure', () => {
  test.each(['2147483648', '-2147483649', '9007199254740993', `1${'0'.repeat(400)}`])(
    '200 with status error: the id %s, for anonymous callers too',
    async (id) => {
      for (const answer of [
        await people.oscar.post(path(id)),
        await people.vera.post(path(id)),
        await anonymously(server, path(id), { method: 'POST' }),
        await people.oscar.post(path(id), {}, HX),
      ]) {
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(await answer.json()).toEqual(FAILED);
      }
    },
  );

  test.each([
    ['once it has begun', /alarm_state/],
    ['once the acknowledgement is removed', /update acknowledgement/],
    ['once it is on record', /insert into audit/],
  ])('200 with status error, logged, nothing changed: the connection is lost %s', async (_, statement) => {
    await setAlarm(server, freezer, { severity: 'critical' });
    await acknowledge();
    const before = await auditOfService(server, freezer);
    for (const headers of [{}, HX]) {
      fuse.blowsAfter = statement;
      const answer = await people.oscar.post(path(), {}, headers);
      fuse.blowsAfter = null;
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await answer.json()).toEqual(FAILED);
      expect(await active()).toEqual(['CRITICAL']);
      expect(await auditOfService(server, freezer)).toEqual(before);

      const requestId = answer.headers.get('x-request-id');
      const logged = server.logLines
        .map((line) => JSON.parse(line) as { level: number; requestId?: string; err?: { message: string } })
        .filter((line) => line.requestId === requestId && line.level === 50);
      expect(logged).toMatchObject([{ err: { message: expect.any(String) } }]);
    }
    expect((await people.oscar.post(path())).status).toBe(200);
    expect(await active()).toEqual([]);
  });

  test('200 with status error: there is no database at all', async () => {
    const broken = await startServerOn(openPool({ host: '127.0.0.1', port: 1 }, () => {}));
    const token = await broken.signer.issue(
      { accountId: people.oscar.id, generation: 1 },
      broken.clock.read(),
    );
    for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
      const answer = await anonymously(broken, path(1), { method: 'POST', headers });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual(FAILED);
    }
  });

  test('htmx is told to leave the row alone', async () => {
    const answer = await people.oscar.post(path(2147483648), {}, HX);
    expect(answer.headers.get('hx-reswap')).toBe('none');
  });
});

describe('POST /api/v1/alarms/{service_id}/unacknowledge with HX-Request', () => {
  test('answers with the row as it is now', async () => {
    await acknowledgeTwice();
    const html = await expectFragment(await people.oscar.post(path(), {}, HX));
    expect(html).toMatch(new RegExp(`^<tr id="alarm-${freezer.id}" [^>]*>.*</tr>$`));
    expect(html).toContain('Acknowledged at warning by Oscar');
    expect(html).toContain(`aria-label="Acknowledge ${freezer.name}"`);

    const bare = await expectFragment(await people.oscar.post(path(), {}, HX));
    expect(bare).not.toContain('Acknowledged');
    expect(bare).not.toContain('/unacknowledge');
  });

  test('also for a service in downtime', async () => {
    await acknowledgeTwice();
    await setDowntime(server, freezer, -minutes(5), minutes(5));
    expect(await expectFragment(await people.oscar.post(path(), {}, HX))).toMatch(/^<tr /);
  });

  test('errors stay JSON', async () => {
    await expectDetail(await people.oscar.post(path(), {}, HX), 409, NOTHING);
    await expectDetail(await people.vera.post(path(), {}, HX), 403, VIEWER);
  });
});
