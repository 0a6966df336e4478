import { expect, test } from 'vitest';
import { mustProve } from './device-session.ts';

const NOW = new Date('2026-03-01T03:00:00Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

test.each<[string, number | null, Date | null, boolean]>([
  ['no device', null, null, false],
  ['a device that began the session by itself', 1, null, true],
  ['a device, proved just now', 1, NOW, false],
  ['a device, proved within fifteen minutes', 1, ago(14.99), false],
  ['a device, proved fifteen minutes ago', 1, ago(15), true],
])('%s', (_, deviceId, provedAt, isAsked) => expect(mustProve({ deviceId, provedAt }, NOW)).toBe(isAsked));
