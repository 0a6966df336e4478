import { expect, test } from 'vitest';
import { english } from '../domain/language/english.ts';
import { formatBytes } from './format-bytes.ts';

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [12_345_678, '12.3 MB'],
  [1_500_000_000, '1.5 GB'],
  [5e15, '5000.0 TB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes, english)).toBe(text));
