import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { OrganizationId } from '../../domain/ids.ts';
import type { PostOutcome } from '../../engine/ingest/ingest.ts';
import { prepareHead } from '../../platform/http/prepared-head.ts';
import type { Log } from '../../platform/log.ts';
import { openShortWay } from './short-way.ts';

const SOURCE = { sourceId: 1, organizationId: 1 as OrganizationId, settings: {} };
const GOOD = '{"device":"freezer","values":{"temperature":-80}}';
const SECRET = 'Bearer secret';
const STORED: PostOutcome = { accepted: 1, duplicates: 0, rejected: [] };

/** A server that knows every connection by the secret above, and answers the long way with 418. */
async function openWay(take: () => Promise<PostOutcome> = async () => STORED) {
  const logged: object[] = [];
  const log = { info: () => {}, error: (what: object) => logged.push(what) } as unknown as Log;
  const way = openShortWay({
    handIn: take,
    clock: () => new Date(0),
    log,
    metrics: null,
  });
  const head = prepareHead({ 'x-kept': 'always' }, 72_000);
  const server = createServer((incoming, response) => {
    if (way.passBy(incoming, response, head)) return;
    response.writeHead(418).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.on('connection', (socket) =>
    way.know({ socket, headers: { authorization: SECRET } } as never, { source: SOURCE, secret: 'secret' }),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => {
    agent.destroy();
    server.close();
  });
  const send = (
    body: string,
    { path = '/api/v1/telemetry', method = 'POST', ...headers }: Record<string, string> = {},
  ) =>
    new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }>(
      (resolve, reject) => {
        const all = {
          authorization: SECRET,
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          ...headers,
        };
        const { port } = server.address() as AddressInfo;
        const asked = request({ port, path, method, headers: all, agent }, async (answer) => {
          let text = '';
          for await (const part of answer) text += part;
          resolve({ status: answer.statusCode, headers: answer.headers, text });
        });
        asked.on('error', reject).end(body);
      },
    );
  return { way, send, logged };
}

test('a small post of a sender who is known passes by the framework', async () => {
  const { send } = await openWay();
  const { status, headers, text } = await send(GOOD);
  expect([status, text]).toEqual([200, '{"accepted":1,"duplicates":0,"rejected":[]}']);
  expect(headers).toMatchObject({ 'x-kept': 'always', 'cache-control': 'no-store' });
});

test.each([
  ['another path', GOOD, { path: '/api/v1/telemetry?x=1' }],
  ['another method', GOOD, { method: 'PUT' }],
  ['another secret', GOOD, { authorization: 'Bearer other' }],
  ['another content type', GOOD, { 'content-type': 'text/plain' }],
  ['a packed body', GOOD, { 'content-encoding': 'gzip' }],
  ['a large body', ' '.repeat(64 * 1024) + GOOD, {}],
])('%s goes the long way', async (_, body, headers) => {
  const { send } = await openWay();
  expect((await send(body, headers)).status).toBe(418);
});

test('once the program stops, everything does', async () => {
  const { way, send } = await openWay();
  expect((await send(GOOD)).status).toBe(200);
  way.close();
  expect((await send(GOOD)).status).toBe(418);
});

test('a source that is gone is refused once, and unknown from then on', async () => {
  const { send } = await openWay(async () => 'unknown_source');
  const { status, headers, text } = await send(GOOD);
  expect([status, text]).toEqual([401, '{"detail":"Could not validate credentials"}']);
  expect(headers['www-authenticate']).toBe('Bearer');
  expect((await send(GOOD)).status).toBe(418);
});

test('our failure is named in the log, and the sender is to come again', async () => {
  const { send, logged } = await openWay(async () => {
    throw new Error('no disk');
  });
  const { status, headers } = await send(GOOD);
  expect([status, headers['retry-after']]).toEqual([503, '5']);
  expect(logged).toMatchObject([{ err: { message: 'no disk' }, requestId: headers['x-request-id'] }]);
});
