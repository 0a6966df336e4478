import { expect, test } from 'vitest';
import { english } from './language/english.ts';
import { describeSpan } from './span.ts';

test.each([
  [0, 'less than a second'],
  [999, 'less than a second'],
  [1000, '1 second'],
  [59_999, '59 seconds'],
  [60_000, '1 minute'],
  [125_000, '2 minutes 5 seconds'],
  [3_600_000, '1 hour'],
  [3_605_000, '1 hour'],
  [9_000_000, '2 hours 30 minutes'],
  [90_000_000, '1 day 1 hour'],
])('%i ms: %s', (ms, expected) => expect(describeSpan(ms, english)).toBe(expected));
