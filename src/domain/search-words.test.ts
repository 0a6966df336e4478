import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findsAll, likePattern, readSearchWords } from './search-words.ts';

test.each([
  ['', []],
  ['   ', []],
  ['ULT  Virology', ['ULT', 'Virology']],
  ['\0', []],
  ['1 2 3 4 5 6 7 8 9', ['1', '2', '3', '4', '5', '6', '7', '8']],
])('%j is read as %j', (text, words) => expect(readSearchWords(text)).toEqual(words));

test('a long text is cut, not refused', () =>
  expect(readSearchWords('x'.repeat(5_000))[0]).toHaveLength(200));

test.each([
  [['ult', 'VIROLOGY'], ['ULT freezer 3', 'Virology'], true],
  [['virology', 'ult'], ['ULT freezer 3', 'Virology'], true],
  [['ult', 'cell'], ['ULT freezer 3', 'Virology'], false],
  [[], ['anything'], true],
])('%j in %j: %s', (words, texts, found) => expect(findsAll(words, texts)).toBe(found));

test('the words of a text are found in it in any order', () =>
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 })), (texts) => {
      const words = readSearchWords(texts.join(' '));
      return findsAll(words.toReversed(), [texts.join(' ')]);
    }),
  ));

test('what means something to the database stands for itself', () =>
  expect(likePattern('50%_\\')).toBe('%50\\%\\_\\\\%'));
