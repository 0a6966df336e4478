import { expect, test } from 'vitest';
import { english } from '../language/english.ts';
import { sayMinutes } from './say-minutes.ts';

test.each([
  [0, '0 min'],
  [5, '5 min'],
  [60, '1 h'],
  [61, '1 h 1 min'],
  [1530, '25 h 30 min'],
  [10_080, '168 h'],
])('%d minutes', (minutes, words) => expect(sayMinutes(minutes, english)).toBe(words));
