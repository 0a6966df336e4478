// Each kind of webhook as a receiver gets it: over HTTP, in its shape, within its limits, signed.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Letter } from '../../src/engine/letters/letter.ts';
import { createWebhookSecret } from '../../src/engine/transports/webhook/kinds/webhook-secret.ts';
import { WEBHOOK_KIND_NAMES, type WebhookKind } from '../../src/engine/transports/webhook/kinds.ts';
import { createWebhookTransport } from '../../src/engine/transports/webhook/webhook.ts';
import { digestOf, letterOf, NOTICES, PUBLIC_URL } from '../support/notices.ts';
import { answers, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { findBrokenRules } from '../support/webhook-rules.ts';

const now = new Date('2026-11-15T02:05:01Z');
const signal = new AbortController().signal;
const transport = createWebhookTransport({
  allowPrivate: true,
  publicUrl: () => PUBLIC_URL,
  timeoutMs: 60_000,
});

const LETTERS: [what: string, letter: Letter][] = [
  ...Object.entries(NOTICES).map(([told, notice]): [string, Letter] => [told, letterOf(notice)]),
  ['a digest of 6', digestOf(6)],
  ['a digest of 500', digestOf(500)],
];

/** MQTT is no request: mqtt-publish.test.ts. */
const WEB_KINDS = WEBHOOK_KIND_NAMES.filter((kind) => kind !== 'mqtt');

/** What each receiver answers when all is well. */
const THANKS: Record<Exclude<WebhookKind, 'mqtt'>, Parameters<typeof answers>> = {
  generic: [204],
  slack: [200, 'ok'],
  teams: [202],
  discord: [200, '{"id":"1"}'],
  ntfy: [200, '{"id":"x"}'],
  gotify: [200, '{"id":1}'],
  matrix: [200, '{"event_id":"$x"}'],
  pagerduty: [202, '{"status":"success"}'],
  alertmanager: [200],
};

const send = (
  kind: WebhookKind,
  { url }: WebhookReceiver,
  letter: Letter,
  secret: string | null = 'R0uting',
) => {
  const path = kind === 'matrix' ? '!cold:lab.example' : 'cold-team';
  return transport.send(letter, { id: 1, kind, url: `${url}/${path}`, secret }, now, signal);
};

describe.each(WEB_KINDS)('%s', (kind) => {
  test.each(LETTERS)('takes %s', async (_, letter) => {
    const receiver = await startWebhookReceiver(answers(...THANKS[kind]));
    expect(await send(kind, receiver, letter)).toMatchObject({ isSent: true });
    expect(receiver.received).toHaveLength(kind === 'pagerduty' ? letter.notices.length : 1);
    for (const { method, path, headers, text } of receiver.received) {
      expect(method).toBe(kind === 'matrix' ? 'PUT' : 'POST');
      expect(findBrokenRules(kind, { url: new URL(path, receiver.url), headers, text })).toEqual([]);
    }
  });
});

/** As a receiver verifies, by the text of Standard Webhooks and nothing of ours. */
function verify(secret: string, { headers, text }: WebhookReceiver['received'][number]): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${expected}`);
}

describe('the generic webhook', () => {
  test('is signed; a retry has the same id and body, its own time, and a signature that holds', async () => {
    const receiver = await startWebhookReceiver(answers(500), answers(204));
    const secret = createWebhookSecret();
    const recipient = { id: 1, kind: 'generic', url: `${receiver.url}/in`, secret } as const;
    const letter = letterOf({ ...NOTICES.acknowledgement, comment: 'Ölstand geprüft 👍' });
    const later = new Date(now.getTime() + 5_000);
    expect(await transport.send(letter, recipient, now, signal)).toMatchObject({
      isSent: false,
    });
    expect(await transport.send(letter, recipient, later, signal)).toMatchObject({ isSent: true });

    const [first, second] = receiver.received as [
      WebhookReceiver['received'][number],
      (typeof receiver.received)[number],
    ];
    expect(first.text).toBe(second.text);
    expect(
      [first, second].map(({ headers }) => [headers['webhook-id'], headers['webhook-timestamp']]),
    ).toEqual([
      ['1001', '1794708301'],
      ['1001', '1794708306'],
    ]);
    expect([first, second].map((one) => verify(secret, one))).toEqual([true, true]);
    expect(verify(createWebhookSecret(), first)).toBe(false);
    expect(verify(secret, { ...first, text: first.text.replace('Oscar', 'Olga') })).toBe(false);
  });

  test('verifies with either secret while one replaces the other', async () => {
    const receiver = await startWebhookReceiver(answers(204));
    const [old, fresh] = [createWebhookSecret(), createWebhookSecret()];
    await send('generic', receiver, letterOf(NOTICES.critical), `${fresh} ${old}`);
    expect([old, fresh].map((secret) => verify(secret, receiver.received[0] as never))).toEqual([true, true]);
  });

  test('without a secret it is not signed', async () => {
    const receiver = await startWebhookReceiver(answers(204));
    expect(await send('generic', receiver, letterOf(NOTICES.critical), null)).toMatchObject({ isSent: true });
    expect(receiver.received[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  test('user and password of the address travel as a header, not in the path', async () => {
    const receiver = await startWebhookReceiver(answers(204));
    const url = receiver.url.replace('http://', 'http://tocsin:ge%3Aheim@');
    await transport.send(
      letterOf(NOTICES.critical),
      { id: 1, kind: 'generic', url: `${url}/in?a=1`, secret: null },
      now,
      signal,
    );
    const [{ path, headers } = {} as never] = receiver.received;
    expect(path).toBe('/in?a=1');
    expect(headers.authorization).toBe(`Basic ${Buffer.from('tocsin:ge:heim').toString('base64')}`);
    expect(headers.connection).toBe('close');
  });
});

describe('PagerDuty, one event at a time', () => {
  test('what arrived is not posted again, even if the letter has lost a notice meanwhile', async () => {
    const receiver = await startWebhookReceiver(
      answers(202),
      answers(202),
      answers(429, '', { 'retry-after': '30' }),
      answers(202),
    );
    const letter = digestOf(6);
    expect(await send('pagerduty', receiver, letter)).toMatchObject({
      isSent: false,
      retryAfterMs: 30_000,
    });
    const [first, second, ...rest] = letter.notices;
    expect(await send('pagerduty', receiver, letterOf(first, ...rest))).toMatchObject({ isSent: true });
    const keys = receiver.received.map(({ body }) => (body as { dedup_key: string }).dedup_key.slice(-4));
    expect(keys).toEqual(['5000', '5001', '5002', '5002', '5003', '5004', '5005']);
    expect(second?.episodeId).toBe('5001');
  });
});
