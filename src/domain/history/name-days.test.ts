import { expect, test } from 'vitest';
import { english } from '../language/english.ts';
import { nameDay } from './name-days.ts';

test.each([
  ['day', '16 Nov'],
  ['whole day', '16 November 2026'],
  ['month', 'November 2026'],
] as const)('as %s', (how, expected) => expect(nameDay('2026-11-16', english, how)).toBe(expected));
