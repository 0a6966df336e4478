// What the interface description promises is what the routes answer: every documented status is provoked here, and
// test-server.ts fails any test that provokes an undocumented one.
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { openPool } from '../../src/platform/db/database.ts';
import { invitePeople, PASSWORD, type People } from '../support/people.ts';
import { askToken } from '../support/sign-in.ts';
import { startServer, startServerOn, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let broken: TestServer;
let people: People;
beforeAll(async () => {
  server = await startServer();
  people = await invitePeople(server);
  // Nobody listens there: the database is gone.
  broken = await startServerOn(openPool({ host: '127.0.0.1', port: 1 }, () => {}));
});

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + path, { method, headers, redirect: 'manual' });
const withBadToken = { authorization: 'Bearer nonsense' };
const withoutDatabase = async (path: string, method = 'GET') => {
  const token = await broken.signer.issue({ accountId: people.vera.id, generation: 1 }, broken.clock.read());
  return fetch(broken.url + path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    redirect: 'manual',
  });
};
const fail = (username: string) => askToken(server, { username, password: 'wrong' });

const PROVOCATIONS: Record<string, () => Promise<Response>> = {
  'POST /api/v1/auth/token 200': () => askToken(server, { username: people.vera.email, password: PASSWORD }),
  'POST /api/v1/auth/token 400': async () => {
    await server.db.query(sql`update account set is_active = false where id = ${people.oscar.id}`);
    return askToken(server, { username: people.oscar.email, password: PASSWORD });
  },
  'POST /api/v1/auth/token 401': () => fail(people.vera.email),
  'POST /api/v1/auth/token 413': () => askToken(server, { username: 'x'.repeat(1024 * 1024) }),
  'POST /api/v1/auth/token 422': () => askToken(server, {}),
  'POST /api/v1/auth/token 429': async () => {
    for (let count = 0; count < 5; count += 1) await fail(people.ada.email);
    return fail(people.ada.email);
  },
  'POST /api/v1/auth/token 500': () => askToken(broken, { username: 'vera@lab.example', password: PASSWORD }),
  'GET /api/v1/auth/me 200': () => ask('/api/v1/auth/me'),
  'GET /api/v1/auth/me 401': () => ask('/api/v1/auth/me', withBadToken),
  'GET /api/v1/auth/me 500': () => withoutDatabase('/api/v1/auth/me'),
  'GET /api/v1/auth/logout 302': () => ask('/api/v1/auth/logout'),
  'GET /api/v1/auth/logout 500': () => withoutDatabase('/api/v1/auth/logout'),
  'POST /api/v1/auth/logout 302': () => ask('/api/v1/auth/logout', withBadToken, 'POST'),
  'POST /api/v1/auth/logout 500': () => withoutDatabase('/api/v1/auth/logout', 'POST'),
  'GET /health 200': () => ask('/health', withBadToken),
  'GET /api/v1/health 200': () => ask('/api/v1/health', withBadToken),
  'GET /api/v1/health/detailed 200': () => people.nora.get('/api/v1/health/detailed'),
  'GET /api/v1/health/detailed 401': () => ask('/api/v1/health/detailed'),
  'GET /api/v1/health/detailed 500': () => withoutDatabase('/api/v1/health/detailed'),
};

async function readDocumented(): Promise<string[]> {
  const { paths } = (await (await ask('/api/v1/openapi.json')).json()) as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  );
}

test('every documented status is provoked below, and nothing else', async () => {
  expect((await readDocumented()).sort()).toEqual(Object.keys(PROVOCATIONS).sort());
});

describe('the route answers as documented', () => {
  test.each(Object.entries(PROVOCATIONS))('%s', async (line, provoke) => {
    const answer = await provoke();
    expect(answer.status).toBe(Number(line.split(' ')[2]));
  });
});
