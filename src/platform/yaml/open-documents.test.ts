import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { atOnce } from '../../domain/at-once.ts';
import { english } from '../../domain/language/english.ts';
import { sayOne } from '../../domain/language/sayable.ts';
import { findTwin, openDocuments } from './open-documents.ts';

const open = (text: string) => atOnce(openDocuments(text, { mostCharacters: 20_000, mostPieces: 6_000 }));

function refusalOf(text: string): string | null {
  const opened = open(text);
  return opened.ok ? null : sayOne(opened.refusal.message, english);
}

const DEEP = 'something stands more than 50 levels deep';
const MUCH = 'there are more than 6000 words and signs';

describe('what is refused before anything is made of it', () => {
  test.each([
    ['keys in keys', '? '.repeat(9_900), DEEP],
    ['lists in lists', '- '.repeat(9_900), DEEP],
    ['keys and lists', '? - '.repeat(4_900), DEEP],
    ['brackets', '['.repeat(9_900), DEEP],
    ['brackets that close', `${'['.repeat(9_900)}${']'.repeat(9_900)}`, DEEP],
    ['brackets behind closed texts', '["]",'.repeat(3_900), DEEP],
    ['braces', '{a: '.repeat(4_900), DEEP],
    ['lines further and further in', [...Array(60).keys()].map((n) => `${' '.repeat(n)}a:`).join('\n'), DEEP],
    ['very many signs', `[${','.repeat(9_900)}]`, MUCH],
    ['very many aliases', `- &a 1\n${'- *a\n'.repeat(3_900)}`, MUCH],
    ['very many comments', '#\n'.repeat(9_900), MUCH],
    ['very many escapes', `"${'\\q'.repeat(9_900)}"`, MUCH],
    ['very much text', 'a'.repeat(20_001), 'there are more than 20000 characters'],
  ])('%s', (_, text, message) => expect(refusalOf(text)).toBe(message));

  test('a mapping of as many channels as there may be is not', () => {
    const lines = [...Array(490).keys()].map((n) => `    channel${n}: /data/value${n}`);
    expect(refusalOf(['mapping:', '  device: /id', '  values:', ...lines].join('\n'))).toBe(null);
  });
});

test('what is not refused is read as the library would', () => {
  const piece = fc.constantFrom(
    'a',
    '- ',
    '? ',
    ': ',
    '\n',
    '  ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '#',
    '|',
    '&b ',
    '*b',
    '---\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const opened = open(text);
      if (!opened.ok) throw new Error(sayOne(opened.refusal.message, english));
      const usual = parseAllDocuments(text, { stringKeys: true, uniqueKeys: false, prettyErrors: false });
      if ('empty' in usual) return;
      expect(opened.value.map(({ contents }) => String(contents))).toEqual(
        usual.map(({ contents }) => String(contents)),
      );
      expect(opened.value.map(({ errors }) => errors.length)).toEqual(
        usual.map(({ errors }) => errors.length),
      );
    }),
  );
});

test.each([
  ['a: 1\nb: 2', null],
  ['a: 1\na: 2', 'a'],
  ['a: { b: [{ c: 1, d: 2, c: 3 }] }', 'c'],
])('a key that is given twice: %s', (text, twin) => {
  const opened = open(text);
  expect(opened.ok && opened.value[0] && findTwin(opened.value[0])).toBe(twin);
});
