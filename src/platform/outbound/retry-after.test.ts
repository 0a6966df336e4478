import { expect, test } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const now = new Date('2026-11-15T02:00:00Z');
const DAY = 86_400_000;

test.each<[string | undefined, number | null]>([
  [undefined, null],
  ['', null],
  ['soon', null],
  ['-5', null],
  ['1e3', null],
  ['2026-11-15', null],
  ['0', 0],
  [' 120 ', 120_000],
  ['0.3', 300],
  ['999999999', DAY],
  ['Sun, 15 Nov 2026 02:01:30 GMT', 90_000],
  ['Sun, 15 Nov 2026 01:00:00 GMT', 0],
  ['Tue, 17 Nov 2026 02:00:00 GMT', DAY],
  ['Sun, 99 Nov 2026 02:00:00 GMT', null],
])('Retry-After: %s means %s ms', (text, wait) => expect(readRetryAfter(text, now)).toBe(wait));
