import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { english } from '../../../domain/language/english.ts';
import { makePushKeys } from '../../../platform/web-push/vapid.ts';
import { readSubscription, writePush } from './write-push.ts';

const browser = createECDH('prime256v1');
browser.generateKeys();
const auth = randomBytes(16);
const subscription = {
  endpoint: 'https://push.example/send/abc',
  p256dh: browser.getPublicKey('base64url'),
  auth: auth.toString('base64url'),
};
const keys = { ...makePushKeys(), subject: 'https://tocsin.lab.example/' };
const NOW = new Date('2026-11-15T03:00:00Z');
const message = {
  id: '1',
  language: english,
  title: '[CRITICAL] Freezer 3 (Room 101)',
  text: 'temperature −61.2 °C is above −65 °C',
  sms: '',
  spoken: '',
  link: { label: 'Acknowledge', url: 'https://tocsin.lab.example/acknowledge/abc' },
  urgency: 'critical' as const,
  isFirstCritical: true,
  topic: 'x'.repeat(32),
  answer: 'none' as const,
};

/** As a browser does it: RFC 8291 over RFC 8188. */
function decrypt(body: Buffer): string {
  const salt = body.subarray(0, 16);
  const length = body.readUInt8(20);
  const server = body.subarray(21, 21 + length);
  const sealed = body.subarray(21 + length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), server]);
  const secret = Buffer.from(hkdfSync('sha256', browser.computeSecret(server), auth, info, 32));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return text.subarray(0, text.lastIndexOf(2)).toString('utf8');
}

test('what is sent can be read by that browser alone, and says what newer browsers show by themselves', () => {
  const { url, headers, body } = writePush(
    message,
    subscription.endpoint,
    JSON.stringify(subscription),
    keys,
    NOW,
  );
  expect(url.href).toBe('https://push.example/send/abc');
  expect(headers).toMatchObject({
    ttl: '3600',
    urgency: 'high',
    topic: 'x'.repeat(32),
    'content-encoding': 'aes128gcm',
  });
  expect(JSON.parse(decrypt(body as Buffer))).toEqual({
    web_push: 8030,
    notification: {
      title: '[CRITICAL] Freezer 3 (Room 101)',
      body: 'temperature −61.2 °C is above −65 °C',
      navigate: 'https://tocsin.lab.example/acknowledge/abc',
      tag: 'x'.repeat(32),
    },
  });
});

test('it is signed for the push service, by the key that the browser subscribed with', () => {
  const { headers } = writePush(message, subscription.endpoint, JSON.stringify(subscription), keys, NOW);
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  expect(key).toBe(keys.publicKey);
  const [head = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  expect(claims).toEqual({
    aud: 'https://push.example',
    sub: 'https://tocsin.lab.example/',
    exp: Date.parse('2026-11-15T15:00:00Z') / 1000,
  });
  const raw = Buffer.from(key, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: raw.subarray(1, 33).toString('base64url'),
      y: raw.subarray(33).toString('base64url'),
    },
  });
  const given = { key: publicKey, dsaEncoding: 'ieee-p1363' as const };
  expect(
    verify('sha256', Buffer.from(`${head}.${payload}`), given, Buffer.from(signature, 'base64url')),
  ).toBe(true);
});

test('an endless alarm fits into a message', () => {
  const long = { ...message, title: '你'.repeat(5000), text: '"'.repeat(50_000) };
  const { body } = writePush(long, subscription.endpoint, JSON.stringify(subscription), keys, NOW);
  expect((body as Buffer).length).toBeLessThan(4096);
});

test.each([
  [{}],
  [{ ...subscription, endpoint: 'http://push.example/x' }],
  [{ ...subscription, endpoint: 'javascript:alert(1)' }],
  [{ ...subscription, endpoint: 'https://user@push.example/x' }],
  [{ ...subscription, endpoint: `https://push.example/${'x'.repeat(1000)}` }],
  [{ ...subscription, p256dh: 'short' }],
  [{ ...subscription, auth: '!!!' }],
])('%j is no subscription', (given) => {
  expect(readSubscription(given)).toBeNull();
});

test('that of a browser is', () => {
  expect(readSubscription(subscription)).toEqual(subscription);
});
