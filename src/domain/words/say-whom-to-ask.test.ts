import { expect, test } from 'vitest';
import { english } from '../language/english.ts';
import { sayWhomToAsk } from './say-whom-to-ask.ts';

test.each([
  [[], 'whoever runs this Tocsin'],
  [['Ada'], 'Ada'],
  [['Ada', 'Bo'], 'Ada or Bo'],
  [['Ada', 'Bo', 'Cy'], 'Ada, Bo or Cy'],
])('%o: ask %s', (keepers, words) => expect(sayWhomToAsk(keepers, english)).toBe(words));
