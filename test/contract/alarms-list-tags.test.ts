// Contract, Alarms: programs that ask again and again learn by a tag that nothing has changed.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anonymously, expectDetail, expectFragment, HX } from '../support/answers.ts';
import { createFreezer, type Freezer, setAlarm } from '../support/equipment.ts';
import { invitePeople, type People } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const ALARMS = '/api/v1/alarms';

let server: TestServer;
let people: People;
let freezer: Freezer;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
  freezer = await createFreezer(server, people);
  await setAlarm(server, freezer, { severity: 'critical' });
});

const askAgain = (tags: string) => people.vera.get(ALARMS, { 'if-none-match': tags });
const findTag = async () => (await people.vera.get(ALARMS)).headers.get('etag') ?? '';

describe('GET /api/v1/alarms, tags', () => {
  test('every list has a strong one, the empty one too', async () => {
    expect(await findTag()).toMatch(/^"[\w-]+"$/);
    expect((await people.nora.get(ALARMS)).headers.get('etag')).toMatch(/^"[\w-]+"$/);
  });

  test('304 without a body to whoever has that list already', async () => {
    const tag = await findTag();
    const answer = await askAgain(tag);
    expect(answer.status).toBe(304);
    expect(await answer.text()).toBe('');
    expect(answer.headers.get('etag')).toBe(tag);
    expect(answer.headers.get('content-type')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['weak', (tag: string) => `W/${tag}`, 304],
    ['among others', (tag: string) => `"one", W/"two" , ${tag}`, 304],
    ['any', () => '*', 304],
    ['another', () => '"one"', 200],
    ['without its quotes', (tag: string) => tag.slice(1, -1), 200],
    ['nonsense', () => '"', 200],
  ])('If-None-Match: %s', async (_, header, status) => {
    const tag = await findTag();
    const answer = await askAgain(header(tag));
    expect(answer.status).toBe(status);
    expect(answer.headers.get('etag')).toBe(tag);
    const list = status === 200 ? await answer.json() : [];
    expect(list).toHaveLength(status === 200 ? 1 : 0);
  });

  test('HEAD is answered alike', async () => {
    const ask = async (tag: string) =>
      anonymously(server, ALARMS, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${await people.vera.token()}`, 'if-none-match': tag },
      });
    const tag = await findTag();
    expect((await ask(tag)).status).toBe(304);
    expect((await ask('"another"')).headers.get('etag')).toBe(tag);
  });

  test('they go by what the caller may see: an operator has another one than a viewer', async () => {
    const tag = await findTag();
    expect((await people.oscar.get(ALARMS, { 'if-none-match': tag })).status).toBe(200);
    expect((await people.olga.get(ALARMS, { 'if-none-match': tag })).status).toBe(200);
    expect((await people.oscar.get(ALARMS)).headers.get('etag')).toBe(
      (await people.ada.get(ALARMS)).headers.get('etag'),
    );
  });

  test('whatever tag comes along, credentials are asked for first', async () => {
    const headers = { 'if-none-match': '*' };
    await expectDetail(await anonymously(server, ALARMS, { headers }), 401, 'Authentication required');
    const bad = { ...headers, authorization: 'Bearer nonsense' };
    await expectDetail(
      await anonymously(server, ALARMS, { headers: bad }),
      401,
      'Could not validate credentials',
    );
  });

  test('a fragment has none', async () => {
    const answer = await people.vera.get(ALARMS, { ...HX, 'if-none-match': '*' });
    expect(answer.headers.get('etag')).toBeNull();
    await expectFragment(answer);
  });
});
