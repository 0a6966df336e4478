import { expect, test } from 'vitest';
import { sayNodeEnded } from './node-lines.ts';

test.each([
  ['v20.20.2', '2026-04-30T12:00:00Z', null],
  [
    'v20.20.2',
    '2026-05-01T00:00:00Z',
    'node: v20.20.2 gets no mends any more since 2026-05-01: install Node 24',
  ],
  [
    'v23.11.1',
    '2026-11-18T00:00:00Z',
    'node: v23.11.1 gets no mends any more since 2025-06-02: install Node 24',
  ],
  ['v22.1.0', '2026-11-18T00:00:00Z', null],
  ['v24.21.0', '2026-11-18T00:00:00Z', null],
  ['v26.0.0', '2036-01-01T00:00:00Z', null],
])('%s on %s', (version, day, said) => {
  expect(sayNodeEnded(version, new Date(day))).toBe(said);
});
