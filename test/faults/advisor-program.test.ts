// The advisor in the real program: bundled, with its worker thread, told by its roles and its configuration.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { first } from '../../src/platform/db/database.ts';
import { createFreezer } from '../support/equipment.ts';
import { MONTH_OF_MINUTES, readFreezer, storeReadings } from '../support/history.ts';
import { invitePeople, type People } from '../support/people.ts';
import { runCommand, startServing } from '../support/program.ts';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';

let database: TestDatabase;
let server: TestServer;
let people: People;
beforeAll(async () => {
  database = await cloneDatabase();
  server = await startServerOn(database.db);
  // The program goes by the clock on the wall.
  server.clock.advance(Date.now() - server.clock.read().getTime());
  people = await invitePeople(server);
});

/** A URL without a host cannot be read as one; where there is a socket it counts. */
const env = () => ({ DATABASE_URL: database.url.replace('@/', '@localhost/') });

async function requestLimits(count: number): Promise<ServiceId> {
  const freezer = await createFreezer(server, people);
  await storeReadings(server, freezer.id, { count, value: readFreezer });
  expect((await people.ada.post(`/api/v1/services/${freezer.id}/recommend`)).status).toBe(200);
  return freezer.id;
}

const recommendationOf = async (serviceId: ServiceId) =>
  first(
    await database.db.query<{ state: string; reason: string | null; attempts: number }>(sql`
      select state, failure_reason as "reason", attempts from recommendation where service_id = ${serviceId}`),
  );

describe('a serving program', () => {
  test('answers requests, and stops without a word', async () => {
    const id = await requestLimits(MONTH_OF_MINUTES);
    const serving = await startServing(env());
    await expect.poll(async () => (await recommendationOf(id))?.state, { timeout: 30_000 }).toBe('completed');
    expect(await serving.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['an external advisor', { TOCSIN_ADVISOR: 'external' }, []],
    ['other roles', {}, ['--roles', 'web,engine,deliver']],
  ])('with %s leaves them alone', async (_, more, args) => {
    const id = await requestLimits(10);
    const serving = await startServing({ ...env(), ...(more as object) }, args);
    // By then it has beaten twice, and the loop of an advisor would have come round several times.
    await expect
      .poll(
        async () =>
          (
            await database.db.query(sql`
              select 1 from program where beat_at > started_at + interval '4 seconds' and pid = ${serving.process.pid}`)
          ).length,
        { timeout: 30_000 },
      )
      .toBe(1);
    expect(await recommendationOf(id)).toEqual({ state: 'pending', reason: null, attempts: 0 });
    await serving.stop();
    await database.db.query(sql`delete from recommendation where service_id = ${id}`);
  });
});

test('an llm without an address stops the start with one line', async () => {
  const finished = await runCommand(['serve'], { ...env(), TOCSIN_ADVISOR: 'llm' });
  expect(finished).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'TOCSIN_ADVISOR=llm needs TOCSIN_LLM_URL and TOCSIN_LLM_MODEL to be set\n',
  });
});
