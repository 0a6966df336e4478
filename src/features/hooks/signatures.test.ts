import { createHash, createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { isFromBird, isFromTwilio, isFromVonage } from './signatures.ts';

const now = new Date('2026-11-15T03:00:00Z');

test('Twilio: the example of its documentation', () => {
  const url = 'https://example.com/myapp.php?foo=1&bar=2';
  const form = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675310',
    Digits: '1234',
    From: '+14158675310',
    To: '+18005551212',
  };
  const signature = 'L/OH5YylLD5NRKLltdqwSvS0BnU=';
  expect(isFromTwilio('12345', url, form, signature)).toBe(true);
  expect(isFromTwilio('12346', url, form, signature)).toBe(false);
  expect(isFromTwilio('12345', `${url}&more=1`, form, signature)).toBe(false);
  expect(isFromTwilio('12345', url, { ...form, Digits: '1' }, signature)).toBe(false);
  expect(isFromTwilio('12345', url, form, undefined)).toBe(false);
});

test('Vonage: signed, of this body, of now', async () => {
  const body = Buffer.from('{"status":"delivered"}');
  const token = (hash: string, at = now) =>
    new SignJWT({ payload_hash: hash })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt(Math.floor(at.getTime() / 1000))
      .sign(Buffer.from('secret'));
  const hash = createHash('sha256').update(body).digest('hex');
  expect(await isFromVonage('secret', `Bearer ${await token(hash)}`, body, now)).toBe(true);
  expect(await isFromVonage('other', `Bearer ${await token(hash)}`, body, now)).toBe(false);
  expect(await isFromVonage('secret', `Bearer ${await token('0')}`, body, now)).toBe(false);
  expect(await isFromVonage('secret', `Bearer ${await token(hash, new Date(0))}`, body, now)).toBe(false);
  expect(await isFromVonage('secret', undefined, body, now)).toBe(false);
});

test('Bird: time, address and body', () => {
  const body = Buffer.from('{"status":"delivered"}');
  const url = 'https://tocsin.lab.example/hooks/messagebird/status';
  const timestamp = String(now.getTime() / 1000);
  const signed = Buffer.concat([
    Buffer.from(`${timestamp}\n${url}\n`),
    createHash('sha256').update(body).digest(),
  ]);
  const signature = createHmac('sha256', 'key').update(signed).digest('base64');
  expect(isFromBird('key', { timestamp, url, body, signature }, now)).toBe(true);
  expect(isFromBird('key', { timestamp, url: `${url}/`, body, signature }, now)).toBe(false);
  expect(isFromBird('key', { timestamp, url, body: Buffer.from(''), signature }, now)).toBe(false);
  expect(isFromBird('key', { timestamp, url, body, signature }, new Date(now.getTime() + 600_000))).toBe(
    false,
  );
  expect(isFromBird('key', { timestamp: undefined, url, body, signature }, now)).toBe(false);
});
