import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anonymously, expectDetail, expectField, expectFragment, HX } from '../support/answers.ts';
import { archive, auditOfService, createFreezer } from '../support/equipment.ts';
import { type Fuse, failingDatabase } from '../support/failing-database.ts';
import { minutes } from '../support/movable-clock.ts';
import {
  openRecommendationDesk,
  type RecommendationDesk,
  recommendationsOf,
  wordsOf,
} from '../support/recommendation-desk.ts';
import { cloneDatabase } from '../support/test-database.ts';
import { startServerOn, type TestServer } from '../support/test-server.ts';

const NOT_FOUND = 'Service not found or not authorized';
const INSUFFICIENT = 'Insufficient permissions to request AI recommendations';

let server: TestServer;
let desk: RecommendationDesk;
const fuse: Fuse = { blowsAfter: null };
beforeAll(async () => {
  server = await startServerOn(failingDatabase((await cloneDatabase()).db, fuse));
});
beforeEach(async () => {
  fuse.blowsAfter = null;
  desk = await openRecommendationDesk(server);
});

const queued = () => `✓ AI recommendation request queued successfully (service ${desk.freezer.id}).`;
const alreadyPending = () => `A recommendation request is already pending for service ${desk.freezer.id}.`;
const states = async () => (await recommendationsOf(server, desk.freezer.id)).map(({ state }) => state);

test('sent as a plain form it leads back to the page, which says what came of it', async () => {
  const page = `/services/${desk.freezer.id}`;
  const send = async (person = desk.ada) =>
    (await person.post(`${page}/recommend`)).headers.get('location') ?? '';
  expect(await desk.read(desk.ada)).toContain(`method="post" action="${page}/recommend"`);
  expect(await send(desk.oscar)).toBe(`${page}?refused=not_administrator`);
  expect(await states()).toEqual([]);
  expect(await send()).toBe(`${page}?done=recommend`);
  expect(await states()).toEqual(['pending']);
  expect(await (await desk.ada.get(await send())).text()).toContain('requested already');
  expect(await (await desk.ada.get(`${page}?done=recommend`)).text()).toContain('Requested.');
});

describe('POST /api/v1/services/{service_id}/recommend, the texts', () => {
  test('queued: pending, and on record', async () => {
    const answer = await desk.ada.post(desk.path('recommend'));
    expect(wordsOf(await expectFragment(answer))).toBe(queued());
    expect(await recommendationsOf(server, desk.freezer.id)).toMatchObject([
      { state: 'pending', requestedByName: 'Ada', attempts: 0, resultText: null },
    ]);
    expect(await auditOfService(server, desk.freezer)).toEqual([
      {
        action: 'recommendation.request',
        detail: { result_id: expect.stringMatching(/^\d+$/) },
        organizationId: desk.organization,
        accountId: desk.ada.id,
        accountName: 'Ada',
        happenedAt: server.clock.read(),
        address: '127.0.0.1',
        requestId: answer.headers.get('x-request-id'),
      },
    ]);
  });

  test('one already pending: no second request is made', async () => {
    await desk.recommend(desk.ada);
    server.clock.advance(minutes(5));
    expect(wordsOf(await desk.recommend(desk.ada))).toBe(alreadyPending());
    expect(await states()).toEqual(['pending']);
    expect(await auditOfService(server, desk.freezer)).toHaveLength(1);
  });

  test('50 at the same moment: one is queued, for the others it is pending already', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => desk.recommend(desk.ada)));
    const texts = answers.map(wordsOf).sort();
    expect(texts).toEqual([...Array(49).fill(alreadyPending()), queued()].sort());
    expect(await states()).toEqual(['pending']);
    expect(await auditOfService(server, desk.freezer)).toHaveLength(1);
  });

  test('Not authorized: no role anywhere, whatever the service', async () => {
    const missing = { id: 2147483647 as typeof desk.freezer.id, name: '' };
    for (const freezer of [desk.freezer, missing]) {
      expect(wordsOf(await desk.recommend(desk.nora, freezer))).toBe('Not authorized');
      const answer = await anonymously(server, desk.path('recommend', freezer.id), { method: 'POST' });
      expect(wordsOf(await expectFragment(answer))).toBe('Not authorized');
    }
    expect(await states()).toEqual([]);
  });

  test('Service not found or not authorized: no such service', async () => {
    for (const person of [desk.vera, desk.oscar, desk.ada, desk.olga]) {
      const answer = await person.post(desk.path('recommend', 2147483647));
      expect(wordsOf(await expectFragment(answer))).toBe(NOT_FOUND);
    }
  });

  test("Service not found or not authorized: outside the caller's organizations", async () => {
    expect(wordsOf(await desk.recommend(desk.olga))).toBe(NOT_FOUND);
    expect(await states()).toEqual([]);
  });

  test('Service not found or not authorized: archived', async () => {
    await archive(server, desk.freezer);
    for (const person of [desk.vera, desk.oscar, desk.ada, desk.olga]) {
      expect(wordsOf(await desk.recommend(person))).toBe(NOT_FOUND);
    }
    expect(await states()).toEqual([]);
  });

  test('Insufficient permissions: viewer and operator, whether or not one is pending', async () => {
    for (const person of [desk.vera, desk.oscar, desk.vera]) {
      const html = await desk.recommend(person);
      expect(html).toContain(`>${INSUFFICIENT}<`);
      await desk.recommend(desk.ada);
    }
    expect(await states()).toEqual(['pending']);
    expect(await auditOfService(server, desk.freezer)).toHaveLength(1);
  });
});

describe('after a request is done, a new one can be made', () => {
  test('completed and waiting: the waiting result stays', async () => {
    await desk.completed({ proposed_bands: [] });
    expect(wordsOf(await desk.recommend(desk.ada))).toBe(queued());
    expect(await states()).toEqual(['completed', 'pending']);
  });

  test('failed', async () => {
    await desk.failed('Too little data');
    expect(wordsOf(await desk.recommend(desk.ada))).toBe(queued());
    expect(await states()).toEqual(['failed', 'pending']);
  });

  test('applied', async () => {
    const id = await desk.completed({ proposed_bands: [{ band: 'CRITICAL_HIGH', limit: -60 }] });
    await desk.apply(desk.ada, id);
    expect(wordsOf(await desk.recommend(desk.ada))).toBe(queued());
    expect(await states()).toEqual(['applied', 'pending']);
  });

  test('each service has requests of its own', async () => {
    await desk.recommend(desk.ada);
    const other = await createFreezer(server, desk);
    expect(await desk.recommend(desk.ada, other)).toContain(`(service ${other.id})`);
  });
});

describe('the fragment', () => {
  test.each([{}, HX])('comes with the headers %j', async (headers) => {
    const html = await expectFragment(await desk.ada.post(desk.path('recommend'), {}, headers));
    expect(html).toContain(queued());
  });

  test('asks for news every 20 seconds, queued or already pending', async () => {
    const { id } = desk.freezer;
    for (const _ of ['queued', 'pending']) {
      const html = await desk.recommend(desk.ada);
      expect(html).toMatch(new RegExp(`^<div id="recommendation-${id}" [^>]*>.*</div>$`));
      expect(html).toContain(`hx-get="/api/v1/services/${id}/recommendation"`);
      expect(html).toContain('hx-trigger="every 20s"');
      expect(html).toContain('hx-swap="outerHTML"');
    }
  });

  test('a refusal asks for nothing', async () => {
    for (const person of [desk.vera, desk.olga, desk.nora]) {
      expect(await desk.recommend(person)).not.toContain('hx-trigger');
    }
  });
});

describe('the errors', () => {
  const ids = ['0', '-1', '+1', '2147483648', `1${'0'.repeat(400)}`, 'abc', '1.0', '1e3', '%201', ''];
  test.each(ids)('422: the id %j', async (id) => {
    const input = decodeURIComponent(id);
    const path = desk.path('recommend', id);
    await expectField(await desk.ada.post(path), 'path', 'service_id', input);
    await expectField(await desk.nora.post(path), 'path', 'service_id', input);
    await expectField(await anonymously(server, path, { method: 'POST' }), 'path', 'service_id', input);
  });

  test('401 Could not validate credentials before everything else', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    const answer = await anonymously(server, desk.path('recommend', 'abc'), { method: 'POST', headers });
    await expectDetail(answer, 401, 'Could not validate credentials');
  });

  test.each([
    ['once the request is made', /insert into recommendation/],
    ['once it is on record', /insert into audit/],
  ])('503, and no request: the connection is lost %s', async (_, statement) => {
    fuse.blowsAfter = statement;
    const answer = await desk.ada.post(desk.path('recommend'));
    fuse.blowsAfter = null;
    await expectDetail(answer, 503, 'The database is not available at the moment: try again');
    expect(await states()).toEqual([]);
    expect(wordsOf(await desk.recommend(desk.ada))).toBe(queued());
  });
});
