import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findsAll, likePattern } from './search-words.ts';

test.each([
  [['ult', 'VIROLOGY'], ['ULT freezer 3', 'Virology'], true],
  [['virology', 'ult'], ['ULT freezer 3', 'Virology'], true],
  [['ult', 'cell'], ['ULT freezer 3', 'Virology'], false],
  [[], ['anything'], true],
])('%j in %j: %s', (words, texts, found) => expect(findsAll(words, texts)).toBe(found));

test('the words of a text are found in it in any order', () =>
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 })), (texts) => {
      const words = texts.join(' ').split(/\s+/).filter(Boolean);
      return findsAll(words.toReversed(), [texts.join(' ')]);
    }),
  ));

test('what means something to the database stands for itself', () =>
  expect(likePattern('50%_\\')).toBe('%50\\%\\_\\\\%'));
