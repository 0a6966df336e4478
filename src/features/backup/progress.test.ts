import { expect, test } from 'vitest';
import { describeProgress } from './progress.ts';

test('share, bytes, speed and what is left', () => {
  expect(describeProgress(50_000_000, 0.25, 10)).toBe('25 %, 50.0 MB, 5.0 MB/s, 0:30 left');
  expect(describeProgress(0, 0, 0)).toBe('0 %, 0 bytes, 0 bytes/s');
  expect(describeProgress(2_000, null, 1)).toBe('2.0 kB, 2.0 kB/s');
});
