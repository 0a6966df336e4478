import { beforeAll, describe, expect, test } from 'vitest';
import { openPool } from '../../src/platform/db/database.ts';
import { invitePeople, type People } from '../support/people.ts';
import { sendRaw } from '../support/raw-http.ts';
import { askToken } from '../support/sign-in.ts';
import { createEmptyDatabase } from '../support/test-database.ts';
import { startServer, startServerOn, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let people: People;
beforeAll(async () => {
  server = await startServer();
  people = await invitePeople(server);
});

const FORM = 'application/x-www-form-urlencoded';
const ask = (path: string, init: RequestInit = {}) =>
  fetch(server.url + path, { redirect: 'manual', ...init });

async function expectDetail(answer: Response, status: number, detail: unknown) {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await answer.json()).toEqual({ detail });
}

describe('404 Not Found for an unknown path', () => {
  test.each([
    '/api/v1/',
    '/api/v1',
    '/api/v1/nothing',
    '/api/v1/auth',
    '/api/v1/auth/me/',
    '/api/v1/AUTH/ME',
    '/api/v1/auth/token/x',
    '/api/v2/auth/me',
  ])('%s', async (path) => expectDetail(await ask(path), 404, 'Not Found'));

  test('whatever the Accept header says', async () => {
    await expectDetail(await ask('/api/v1/nothing', { headers: { accept: 'text/html' } }), 404, 'Not Found');
  });

  test('before credentials are looked at', async () => {
    await expectDetail(
      await ask('/api/v1/nothing', { headers: { authorization: 'Bearer nonsense' } }),
      404,
      'Not Found',
    );
  });

  test('before a body is looked at', async () => {
    const body = 'x'.repeat(2 * 1024 * 1024);
    await expectDetail(await ask('/api/v1/nothing', { method: 'POST', body }), 404, 'Not Found');
    await expectDetail(await ask('/api/v1/auth/me', { method: 'POST', body }), 405, 'Method Not Allowed');
  });
});

describe('405 Method Not Allowed with Allow for a known path', () => {
  test.each([
    ['GET', '/api/v1/auth/token', 'POST'],
    ['PUT', '/api/v1/auth/token', 'POST'],
    ['POST', '/api/v1/auth/me', 'GET, HEAD'],
    ['DELETE', '/api/v1/auth/me', 'GET, HEAD'],
    ['PATCH', '/api/v1/auth/logout', 'GET, HEAD, POST'],
    ['OPTIONS', '/api/v1/health', 'GET, HEAD'],
    ['PROPFIND', '/api/v1/health', 'GET, HEAD'],
    ['POST', '/api/v1/health/detailed?x=1', 'GET, HEAD'],
    ['POST', '/health', 'GET, HEAD'],
  ])('%s %s: %s', async (method, path, allow) => {
    const answer = await ask(path, { method });
    expect(answer.headers.get('allow')).toBe(allow);
    await expectDetail(answer, 405, 'Method Not Allowed');
  });

  test('before credentials are looked at', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    await expectDetail(await ask('/api/v1/auth/me', { method: 'PUT', headers }), 405, 'Method Not Allowed');
  });
});

describe('401 Could not validate credentials', () => {
  test('on every endpoint that looks at credentials, with WWW-Authenticate', async () => {
    for (const path of ['/api/v1/auth/me', '/api/v1/health/detailed']) {
      const answer = await ask(path, { headers: { authorization: 'Bearer nonsense', accept: 'text/html' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      await expectDetail(answer, 401, 'Could not validate credentials');
    }
  });

  test.each(['/api/v1/health', '/health'])('never on %s', async (path) => {
    expect((await ask(path, { headers: { authorization: 'Bearer nonsense' } })).status).toBe(200);
  });
});

describe('the shape of the body', () => {
  const post = (body: BodyInit, type: string) =>
    ask('/api/v1/auth/token', { method: 'POST', body, headers: { 'content-type': type } });

  test('400: broken UTF-8 in a form', async () => {
    await expectDetail(await post('username=%ff&password=x', FORM), 400, 'The request could not be read');
  });

  test('400: a multipart form without a boundary', async () => {
    await expectDetail(await post('x', 'multipart/form-data'), 400, 'The request could not be read');
  });

  test('413: a body over a mebibyte, whatever its type', async () => {
    const body = 'x'.repeat(1024 * 1024 + 1);
    await expectDetail(await post(body, FORM), 413, 'Request body too large');
    await expectDetail(await post(body, 'application/octet-stream'), 413, 'Request body too large');
    await expectDetail(await post(body, 'multipart/form-data; boundary=x'), 413, 'Request body too large');
  });

  test('413: a body that does not say how long it is', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(300_000));
    const stream = () =>
      new ReadableStream({
        start(controller) {
          for (let count = 0; count < 5; count += 1) controller.enqueue(chunk);
          controller.close();
        },
      });
    const answer = await ask('/api/v1/auth/token', {
      method: 'POST',
      body: stream(),
      headers: { 'content-type': FORM },
      duplex: 'half',
    } as RequestInit);
    await expectDetail(answer, 413, 'Request body too large');
  });

  test.each(['application/json', 'text/plain', 'nonsense', 'a/b; c'])(
    '422: %s counts as an empty form',
    async (type) => {
      const answer = await post('{"username": "a", "password": "b"}', type);
      expect(answer.status).toBe(422);
    },
  );

  test('422: each fault has exactly type, loc, msg and input', async () => {
    const answer = await askToken(server, { username: 'a' });
    await expectDetail(answer, 422, [
      { type: 'missing', loc: ['body', 'password'], msg: 'Field required', input: null },
    ]);
  });
});

describe('what fails says nothing about the inside, and the log says all under the request id', () => {
  const failOn = async (unable: TestServer) => {
    const answer = await askToken(
      unable,
      { username: 'vera@lab.example', password: 'x' },
      { accept: 'text/html' },
    );
    const requestId = answer.headers.get('x-request-id');
    const logged = unable.logLines
      .map((line) => JSON.parse(line))
      .find((line) => line.msg === 'request failed' && line.requestId === requestId);
    return { answer, logged };
  };

  test('503, to be tried again: nobody listens where the database should be', async () => {
    const { answer, logged } = await failOn(
      await startServerOn(openPool({ host: '127.0.0.1', port: 1 }, () => {})),
    );
    expect(answer.headers.get('retry-after')).toBe('5');
    await expectDetail(answer, 503, 'The database is not available at the moment: try again');
    expect(logged.err.message).toContain('ECONNREFUSED');
    expect(logged.err.stack).toContain('connect ECONNREFUSED');
  });

  test('500 Internal Server Error: there is nothing in the database', async () => {
    const { answer, logged } = await failOn(await startServerOn((await createEmptyDatabase()).db));
    expect(answer.headers.get('retry-after')).toBeNull();
    await expectDetail(answer, 500, 'Internal Server Error');
    expect(logged.err.message).toContain('does not exist');
  });
});

describe('the request id', () => {
  test('is in a header of every answer and in the log, and differs each time', async () => {
    const ids = await Promise.all(
      ['/health', '/api/v1/nothing', '/api/v1/auth/me'].map(async (path) =>
        (await ask(path)).headers.get('x-request-id'),
      ),
    );
    expect(new Set(ids).size).toBe(3);
    const logged = server.logLines.map((line) => JSON.parse(line).requestId);
    for (const id of ids) expect(logged).toContain(id);
  });

  test('is ours: one that is sent along is not taken over', async () => {
    const answer = await ask('/health', { headers: { 'x-request-id': 'forged', 'request-id': 'forged' } });
    expect(answer.headers.get('x-request-id')).not.toBe('forged');
  });

  test('the log names the route, never the path', async () => {
    await ask('/api/v1/auth/me?secret=hush-1');
    await ask('/reset-password/hush-2');
    expect(server.logLines.join('')).not.toContain('hush');
  });
});

describe('what is hardly HTTP', () => {
  test('an address that cannot be decoded', async () => {
    const answer = await sendRaw(
      server.url,
      'GET /api/v1/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.split('\r\n\r\n')[1]).toBe('{"detail":"The request could not be read"}');
  });

  test('a request line that makes no sense', async () => {
    const answer = await sendRaw(server.url, 'ALARM!\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.split('\r\n\r\n')[1]).toBe('{"detail":"The request could not be read"}');
  });

  test('endless headers', async () => {
    const answer = await sendRaw(
      server.url,
      `GET /health HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer.split('\r\n\r\n')[1]).toBe('{"detail":"The request headers are too large"}');
  });

  test('the server still answers afterwards', async () => {
    expect((await people.vera.get('/api/v1/auth/me')).status).toBe(200);
  });
});

test('HEAD answers like GET, without a body', async () => {
  const answer = await ask('/api/v1/health', { method: 'HEAD' });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe('');
});

test('every answer carries the security headers', async () => {
  const { headers } = await ask('/api/v1/health');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
  );
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.get('strict-transport-security')).toBeNull();
  expect(headers.get('x-powered-by')).toBeNull();
});

test('on HTTPS browsers are told to stay there', async () => {
  const secure = await startServer({ publicUrl: new URL('https://tocsin.lab.example') });
  const { headers } = await fetch(`${secure.url}/health`);
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
});
