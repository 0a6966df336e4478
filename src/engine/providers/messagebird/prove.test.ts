import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { isFromBird } from './prove.ts';

const now = new Date('2026-11-15T03:00:00Z');

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
