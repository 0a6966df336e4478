// Whoever sends slowly, or holds connections and sends nothing, is cut off and keeps nobody out.
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Lab, openLab } from '../support/lab.ts';
import { listens } from '../support/live-stream.ts';
import { openRaw, type RawConnection } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

interface Head {
  authorization?: string;
  [name: string]: string | undefined;
}

/** The head of a post, and no more of it. `whenFinished`: tests beside each other have to bring their own. */
function beginPost(
  { url }: TestServer,
  secret: string | null,
  headers: Head = {},
  whenFinished = onTestFinished,
): RawConnection {
  const all = {
    host: 'tocsin',
    ...(secret !== null && { authorization: `Bearer ${secret}` }),
    'content-type': 'application/json',
    'content-length': '1000',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const connection = openRaw(url, `POST /api/v1/telemetry HTTP/1.1\r\n${lines.join('')}\r\n`);
  whenFinished(connection.close);
  return connection;
}

describe('a post is answered before any of its body was sent, and then cut off', () => {
  let server: TestServer;
  let lab: Lab;
  beforeAll(async () => {
    server = await startServer();
    lab = await openLab(server);
  });

  test.for([
    ['without a secret', 401, 'Authentication required', null, {}],
    ['with a wrong one', 401, 'Could not validate credentials', 'wrong', {}],
    ['with a declared length', 413, 'Request body too large', '', { 'content-length': '16777217' }],
    ['of another kind', 415, 'Telemetry is JSON: send it as application/json', '', { 'content-type': 'a/b' }],
  ] as const)('%s: %i %s', { concurrent: true }, async ([, status, detail, secret, headers], context) => {
    const own = secret === '' ? lab.secret : secret;
    const answer = await beginPost(server, own, headers, context.onTestFinished).untilHungUp;
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain(JSON.stringify({ detail }));
  });
});

test('a request that does not arrive in time is answered 408; an open stream has no end', async () => {
  const server = await startServer({ requestTimeoutSeconds: 1 });
  const lab = await openLab(server);
  const freezer = await lab.freezer({
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
  });
  const stream = await listens(server, lab.vera);
  const slow = [
    beginPost(server, lab.secret),
    openRaw(server.url, 'GET /health HTTP/1.1\r\nHost: tocsin\r\nX-Endless: '),
    openRaw(server.url, ''),
  ];
  for (const { untilHungUp } of slow) {
    const answer = await untilHungUp;
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toContain('{"detail":"The request took too long to arrive"}');
  }
  await freezer.reads(-40);
  await expect.poll(stream.changes).toBeGreaterThan(0);
});

const health = async ({ url }: TestServer, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${url}/health`, { headers: { connection: 'close', ...headers } });
  return answer.status;
};

describe.each([
  ['from one address', { inAll: 100, perAddress: 3 }],
  ['in all', { inAll: 3, perAddress: 100 }],
])('as many connections as there may be %s', (_, connections) => {
  test('the one that has been sending for longest makes room', async () => {
    const server = await startServer({ connections });
    const { secret } = await openLab(server);
    const slow = [0, 1, 2].map(() => beginPost(server, secret));
    await expect.poll(() => health(server)).toBe(200);
    await expect.poll(() => slow.filter(({ isOpen }) => isOpen()).length).toBe(2);
    expect(server.logLines.filter((line) => line.includes('more connections than allowed'))).toHaveLength(1);
  });

  test('those that are being answered stay, and who comes is told so', async () => {
    const server = await startServer({ connections });
    const { vera } = await openLab(server);
    const [first] = await Promise.all([0, 1, 2].map(() => listens(server, vera)));
    const answer = await openRaw(server.url, 'GET /health HTTP/1.1\r\nHost: tocsin\r\n\r\n').untilHungUp;
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
    expect(answer).toContain('Retry-After: 5');
    expect(answer).toContain('{"detail":"Too many connections at the moment: try again"}');
    first?.leave();
    await expect.poll(() => health(server).catch(() => 'refused')).toBe(200);
  });
});

test('a proxy that is trusted brings as many as there may be in all', async () => {
  const server = await startServer({ connections: { inAll: 100, perAddress: 3 }, trustProxy: 'nearest' });
  const { secret } = await openLab(server);
  expect(await health(server, { 'x-forwarded-for': '203.0.113.7' })).toBe(200);
  const slow = [0, 1, 2, 3, 4].map(() => beginPost(server, secret, { 'x-forwarded-for': '203.0.113.7' }));
  expect(await health(server, { 'x-forwarded-for': '203.0.113.8' })).toBe(200);
  expect(slow.every(({ isOpen }) => isOpen())).toBe(true);
  expect(server.logLines.some((line) => line.includes('more connections than allowed'))).toBe(false);
});
