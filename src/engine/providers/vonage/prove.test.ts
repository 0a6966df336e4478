import { createHash } from 'node:crypto';
import { SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { isFromVonage } from './prove.ts';

const now = new Date('2026-11-15T03:00:00Z');

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
