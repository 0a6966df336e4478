import { expect, test } from 'vitest';
import { readScheme } from './read-scheme.ts';

test.each([
  ['Bearer abc', 'bearer', 'abc'],
  ['  BEARER    a b ', 'bearer', 'a b'],
  ['bearer', 'bearer', ''],
  ['', '', ''],
  [`Token${' '.repeat(16_000)}x`, 'token', 'x'],
])('%s', (header, scheme, given) => expect(readScheme(header)).toEqual({ scheme, given }));
