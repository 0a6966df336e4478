import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestOutbound } from './request-outbound.ts';

let heard: IncomingHttpHeaders = {};
const receiver = createServer((request, response) => {
  heard = request.headers;
  response.end();
});
beforeAll(() => new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done)));
afterAll(() => new Promise((done) => receiver.close(done)));

test.each<[string, Record<string, string>, string]>([
  ['every request says who asks', {}, 'Tocsin'],
  ['unless the operator wrote something else', { 'user-agent': 'lab-gateway/1' }, 'lab-gateway/1'],
])('%s', async (_, headers, userAgent) => {
  const url = new URL(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}`);
  const settings = { allowPrivate: true, timeoutMs: 10_000 };
  const answer = await requestOutbound({ url, headers, body: '' }, settings, new AbortController().signal);
  expect(answer.ok).toBe(true);
  expect(heard['user-agent']).toBe(userAgent);
});
