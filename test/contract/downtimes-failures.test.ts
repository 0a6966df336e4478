// The database connection breaks for real while a window is being saved or removed.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HX } from '../support/answers.ts';
import { DOWNTIMES, type DowntimeDesk, openDowntimeDesk } from '../support/downtime-desk.ts';
import { type Fuse, failingDatabase } from '../support/failing-database.ts';
import { hours } from '../support/movable-clock.ts';
import { auditOf } from '../support/sign-in.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let desk: DowntimeDesk;
const fuse: Fuse = { blowsAfter: null };
beforeAll(async () => {
  const { db } = await cloneDatabase();
  server = await startServerOn(failingDatabase(db, fuse));
});
beforeEach(async () => {
  fuse.blowsAfter = null;
  desk = await openDowntimeDesk(server);
});

async function expectFailure(answer: Response, detail: string) {
  expect([answer.status, await answer.json()]).toEqual([500, { detail }]);
  const requestId = answer.headers.get('x-request-id');
  const logged = server.logLines
    .map((line) => JSON.parse(line))
    .filter((line) => line.requestId === requestId);
  expect(logged).toMatchObject([
    {
      msg: 'request failed',
      err: { message: expect.stringMatching(/terminat|connection|EPIPE|ECONNRESET/i) },
    },
    { msg: 'answered', status: 500 },
  ]);
}

const MOMENTS: [string, RegExp][] = [
  ['at the lock', /from alarm_state .* for no key update/s],
  ['at the audit record', /insert into audit/],
];

describe('500 Failed to schedule downtime: the save failed', () => {
  test.each<[string, RegExp]>([...MOMENTS, ['at the window', /insert into downtime/]])(
    '%s',
    async (_, moment) => {
      fuse.blowsAfter = moment;
      await expectFailure(await desk.schedule(desk.oscar), 'Failed to schedule downtime');
      expect(await desk.stored()).toEqual([]);
      expect(await auditOf(server, desk.oscar)).toEqual([]);
    },
  );

  test('and when the connection is back, it works', async () => {
    expect((await desk.schedule(desk.oscar)).status).toBe(303);
    expect(await desk.stored()).toHaveLength(1);
  });
});

describe('500 Failed to cancel downtime: the removal failed', () => {
  test.each<[string, RegExp]>([...MOMENTS, ['at the window', /delete from downtime/]])(
    '%s',
    async (_, moment) => {
      const id = await desk.addWindow(0, hours(1));
      fuse.blowsAfter = moment;
      await expectFailure(await desk.cancel(desk.oscar, id, { headers: HX }), 'Failed to cancel downtime');
      expect(await desk.list(desk.oscar)).toMatchObject([{ id }]);
      expect(await auditOf(server, desk.oscar)).toEqual([]);
    },
  );

  test('what the caller got wrong is not a failure', async () => {
    fuse.blowsAfter = /insert|delete/;
    expect((await desk.cancel(desk.oscar, 'abc')).status).toBe(422);
    expect((await desk.cancel(desk.vera, 1)).status).toBe(404);
    expect((await desk.oscar.post(DOWNTIMES, desk.form({ reason: '' }))).status).toBe(400);
  });
});
