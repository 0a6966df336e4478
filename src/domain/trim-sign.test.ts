import { expect, test } from 'vitest';
import { trimBoth, trimEnd } from './trim-sign.ts';

test.each([
  ['//a/b//', 'a/b', '//a/b'],
  ['a', 'a', 'a'],
  ['///', '', ''],
  ['', '', ''],
])('%s', (text, both, end) => {
  expect(trimBoth(text, '/')).toBe(both);
  expect(trimEnd(text, '/')).toBe(end);
});
