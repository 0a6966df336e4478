import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createWebhookSecret, isDamagedSecret, signWebhook } from './webhook-secret.ts';

const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

test('the published vector of Standard Webhooks', () => expect(signWebhook(SECRET, message)).toBe(SIGNATURE));

test('two secrets sign side by side while one replaces the other', () => {
  const other = createWebhookSecret();
  expect(signWebhook(`${SECRET} ${other}`, message).split(' ')).toEqual([
    SIGNATURE,
    signWebhook(other, message),
  ]);
});

test('a password that people agreed on is the key as it is', () => {
  const expected = createHmac('sha256', 'a long pass phrase')
    .update('msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}')
    .digest('base64');
  expect(signWebhook('a long pass phrase', message)).toBe(`v1,${expected}`);
});

test('a new secret has 32 bytes that nobody had before', () => {
  const [one, other] = [createWebhookSecret(), createWebhookSecret()];
  expect(one).not.toBe(other);
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(isDamagedSecret(one)).toBe(false);
});

test.each([
  [SECRET, false],
  [`${SECRET} ${SECRET}`, false],
  ['a long pass phrase', false],
  ['whsec_', true],
  ['whsec_short', true],
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La…', true],
  [`${SECRET} and more`, true],
])('%s: damaged is %s', (secret, isDamaged) => expect(isDamagedSecret(secret)).toBe(isDamaged));
