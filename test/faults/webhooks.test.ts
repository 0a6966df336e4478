// Receivers as they are met in the world: gone, busy, slow, confused, hostile. Every way ends in an outcome in words.

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { WebhookKind } from '../../src/engine/transports/webhook/kinds.ts';
import { createWebhookTransport } from '../../src/engine/transports/webhook/webhook.ts';
import { letterOf, NOTICES, PUBLIC_URL } from '../support/notices.ts';
import {
  answers,
  babbles,
  hangsUp,
  holdsBack,
  neverAnswers,
  neverStops,
  redirectsTo,
  startWebhookReceiver,
} from '../support/webhook-receiver.ts';

const now = new Date('2026-11-15T02:05:00Z');
const letter = letterOf(NOTICES.critical);
const PATH = '/services/T0SECRET/B0SECRET?token=geheim';

interface Sending {
  kind?: WebhookKind;
  secret?: string;
  signal?: AbortSignal;
  allowPrivate?: boolean;
  timeoutMs?: number;
  addresses?: string[];
}

async function send(url: string, sending: Sending = {}) {
  const {
    kind = 'generic',
    secret = 'geheim-too',
    signal,
    allowPrivate = true,
    timeoutMs,
    addresses,
  } = sending;
  const transport = createWebhookTransport({
    allowPrivate,
    publicUrl: () => PUBLIC_URL,
    ...(timeoutMs && { timeoutMs }),
    ...(addresses && {
      resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    }),
  });
  const recipient = { id: 1, kind, url, secret };
  const outcome = await transport.send(letter, recipient, now, signal ?? new AbortController().signal);
  for (const hidden of ['geheim', 'SECRET']) expect(JSON.stringify(outcome)).not.toContain(hidden);
  return outcome;
}

const failed = (error: string, rest: object = {}) => ({
  isSent: false,
  error,
  retryAfterMs: null,
  isGone: false,
  ...rest,
});

/** By an answer, which tells whether the message will ever be taken. */
const answeredBadly = (error: string, rest: object = {}) => failed(error, { isRefused: false, ...rest });

describe('a receiver that answers', () => {
  test.each<[string, Parameters<typeof answers>, string, object]>([
    [
      '429 with seconds',
      [429, '', { 'retry-after': '120' }],
      'takes no more messages for now (429)',
      { retryAfterMs: 120_000 },
    ],
    [
      '429 with a date',
      [429, '', { 'retry-after': 'Sun, 15 Nov 2026 02:06:00 GMT' }],
      'takes no more messages for now (429)',
      { retryAfterMs: 60_000 },
    ],
    ['429 without a word', [429], 'takes no more messages for now (429)', {}],
    ['500', [500, 'database is down'], 'failed (500): database is down', {}],
    ['503 with seconds', [503, '', { 'retry-after': '5' }], 'failed (503)', { retryAfterMs: 5_000 }],
    ['408', [408], 'answered 408', {}],
    ['425', [425], 'answered 425', {}],
    [
      '410',
      [410, '', { 'retry-after': '5' }],
      'answered 410: this webhook is gone for good',
      { retryAfterMs: 5_000, isGone: true, isRefused: true },
    ],
    ['400 with a reason', [400, 'invalid_payload'], 'answered 400: invalid_payload', { isRefused: true }],
    ['401', [401], 'did not let the message in (401)', { isRefused: true }],
    ['403', [403], 'did not let the message in (403)', { isRefused: true }],
    [
      '404 that repeats the path',
      [404, `Cannot POST ${PATH}`],
      'answered 404: Cannot POST …',
      { isRefused: true },
    ],
    [
      '404 that repeats a part of it',
      [404, 'no hook B0SECRET, geheim-too'],
      'answered 404: no hook …, …',
      { isRefused: true },
    ],
    [
      'a page',
      [404, '<h1>Not here</h1>', { 'content-type': 'text/html' }],
      'answered 404',
      { isRefused: true },
    ],
    ['a lot of text', [400, 'x'.repeat(100_000)], 'answered 400', { isRefused: true }],
  ])('%s', async (_, answer, error, rest) => {
    const { url, host, received } = await startWebhookReceiver(answers(...answer));
    expect(await send(url + PATH)).toEqual(answeredBadly(`${host} ${error}`, rest));
    expect(received).toHaveLength(1);
  });

  test.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const elsewhere = await startWebhookReceiver(answers(200));
    const { url, host } = await startWebhookReceiver(redirectsTo(`${elsewhere.url}/geheim`, status));
    expect(await send(url + PATH)).toEqual(
      answeredBadly(
        `${host} sends messages on to another address (${status}), and redirects are not followed`,
      ),
    );
    expect(elsewhere.received).toEqual([]);
  });

  test.each([
    ['ok', true],
    ['ok\n', true],
    ['{"success":true}', true],
    ['', false],
    ['<html>Please sign in to the guest network</html>', false],
  ])('Slack with 200 "%s": sent is %s', async (text, isSent) => {
    const { url, host } = await startWebhookReceiver(answers(200, text));
    expect(await send(url + PATH, { kind: 'slack' })).toEqual(
      isSent
        ? { isSent, handedTo: host }
        : answeredBadly(`${host} answered 200, but not as a webhook of this kind does`),
    );
  });

  test('200, and never stops talking: it is sent', async () => {
    const { url } = await startWebhookReceiver(neverStops(200));
    expect(await send(url)).toMatchObject({ isSent: true });
  });

  test('200, and holds its text back: it is sent', async () => {
    const { url } = await startWebhookReceiver(holdsBack(200));
    expect(await send(url, { timeoutMs: 200 })).toMatchObject({ isSent: true });
  });
});

describe('a receiver that does not answer', () => {
  test('is waited for, but not for ever', async () => {
    const { url, host } = await startWebhookReceiver(neverAnswers);
    expect(await send(url + PATH, { timeoutMs: 200 })).toEqual(failed(`${host} gave no answer within 1 s`));
  });

  test('is left when Tocsin stops', async () => {
    const stopping = new AbortController();
    const { url, host } = await startWebhookReceiver(() => stopping.abort());
    expect(await send(url + PATH, { signal: stopping.signal })).toEqual(
      failed(`Tocsin was stopped before ${host} had answered`),
    );
  });

  test('is not asked when Tocsin has stopped', async () => {
    const { url, received } = await startWebhookReceiver(answers(200));
    expect(await send(url, { signal: AbortSignal.abort() })).toMatchObject({ isSent: false });
    expect(received).toEqual([]);
  });

  test('hangs up', async () => {
    const { url, host } = await startWebhookReceiver(hangsUp);
    expect(await send(url + PATH)).toEqual(failed(`${host} broke the connection off (ECONNRESET)`));
  });

  test('speaks no HTTP', async () => {
    const { url, host } = await startWebhookReceiver(babbles);
    expect(await send(url + PATH)).toEqual(failed(`${host} could not be reached (HPE_INVALID_CONSTANT)`));
  });

  test('speaks no TLS', async () => {
    const { url } = await startWebhookReceiver(answers(200));
    expect(await send(url.replace('http:', 'https:') + PATH)).toMatchObject({
      isSent: false,
    });
  });

  test('is not there', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await send(`http://127.0.0.1:${port}${PATH}`)).toEqual(
      failed(`127.0.0.1:${port} takes no connections (ECONNREFUSED)`),
    );
  });

  test('has a name that nobody knows', async () => {
    expect(await send(`http://nobody.invalid${PATH}`)).toMatchObject({
      error: expect.stringMatching(/^nobody\.invalid is a name that /),
    });
  });
});

const NEVER = 'is an address that webhooks never go to';
const PRIVATE = 'is in a private network. TOCSIN_WEBHOOK_PRIVATE=true allows that';

describe('an address that must not be reached', () => {
  test.each([
    ['127.0.0.1', PRIVATE, '127.0.0.1'],
    ['2130706433', PRIVATE, '127.0.0.1'],
    ['0x7f.1', PRIVATE, '127.0.0.1'],
    ['0177.0.0.1', PRIVATE, '127.0.0.1'],
    ['127.0.0.1.', PRIVATE, '127.0.0.1'],
    ['[::1]', PRIVATE, '[::1]'],
    ['[::ffff:127.0.0.1]', PRIVATE, '[::ffff:7f00:1]'],
    ['0.0.0.0', NEVER, '0.0.0.0'],
    ['169.254.169.254', NEVER, '169.254.169.254'],
  ])('%s is refused by the address', async (host, words, shown) => {
    const { url, received } = await startWebhookReceiver(answers(200));
    const { port } = new URL(url);
    expect(await send(`http://user:geheim@${host}:${port}${PATH}`, { allowPrivate: false })).toEqual(
      failed(`${shown} ${words}`),
    );
    expect(received).toEqual([]);
  });

  test.each([
    ['127.0.0.1', PRIVATE],
    ['::1', PRIVATE],
    ['::ffff:127.0.0.1', PRIVATE],
    ['10.1.2.3', PRIVATE],
    ['169.254.169.254', NEVER],
    ['0.0.0.0', NEVER],
  ])('%s is refused behind a name', async (address, words) => {
    const { url, received } = await startWebhookReceiver(answers(200));
    const { port } = new URL(url);
    for (const host of ['hooks.example', 'hooks.example.'])
      expect(
        await send(`http://${host}:${port}${PATH}`, { allowPrivate: false, addresses: [address] }),
      ).toEqual(failed(`${host} ${words}`));
    expect(received).toEqual([]);
  });

  test('the name of this machine leads to this machine', async () => {
    const { url, received } = await startWebhookReceiver(answers(200));
    const address = url.replace('127.0.0.1', 'localhost') + PATH;
    expect(await send(address, { allowPrivate: false })).toEqual(failed(`localhost ${PRIVATE}`));
    expect(received).toEqual([]);
    expect(await send(address)).toMatchObject({ isSent: true });
  });

  test('metadata is refused also where private networks are allowed', async () => {
    expect(await send('http://169.254.169.254/latest')).toEqual(failed(`169.254.169.254 ${NEVER}`));
    expect(await send('http://meta.example/', { addresses: ['fd00:ec2::254'] })).toEqual(
      failed(`meta.example ${NEVER}`),
    );
  });

  test('of the addresses of a name only those are used that may be', async () => {
    const { url, received } = await startWebhookReceiver(answers(200));
    const { port } = new URL(url);
    const addresses = ['169.254.169.254', 'fe80::1', '127.0.0.1'];
    expect(await send(`http://hooks.example:${port}/x`, { addresses })).toMatchObject({ isSent: true });
    expect(received[0]?.headers.host).toBe(`hooks.example:${port}`);
  });

  test('a name is looked up once per message: what was checked is what is reached', async () => {
    const { url, received } = await startWebhookReceiver(answers(200));
    const { port } = new URL(url);
    let lookups = 0;
    const transport = createWebhookTransport({
      allowPrivate: true,
      publicUrl: () => PUBLIC_URL,
      resolve: async () => {
        lookups += 1;
        return [{ address: lookups === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
      },
    });
    const recipient = {
      id: 1,
      kind: 'generic',
      url: `http://rebinding.example:${port}/`,
      secret: null,
    } as const;
    const { signal } = new AbortController();
    expect(await transport.send(letter, recipient, now, signal)).toMatchObject({ isSent: true });
    expect([lookups, received.length]).toEqual([1, 1]);
    expect(await transport.send(letter, recipient, now, signal)).toMatchObject({
      isSent: false,
    });
    expect(received).toHaveLength(1);
  });
});
