import { expect, test } from 'vitest';
import { english } from '../language/english.ts';
import { sayCount } from './say-count.ts';

test.each([
  [0, '0'],
  [9_999, '9,999'],
  [88_135.6, '88,136'],
  [26_280_000, '26.3 million'],
  [5_256_000_000, '5.26 billion'],
])('%d is %s', (count, words) => expect(sayCount(count, english)).toBe(words));
