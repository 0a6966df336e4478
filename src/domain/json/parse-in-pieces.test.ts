import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseInPieces } from './parse-in-pieces.ts';

const UTF8 = new TextEncoder();

function parse(text: string) {
  const parsing = parseInPieces(UTF8.encode(text));
  let pieces = 1;
  for (let step = parsing.next(); ; step = parsing.next()) {
    if (step.done) return { pieces, result: step.value };
    pieces += 1;
  }
}

const read = (text: string) => {
  const { result } = parse(text);
  return result.ok ? result.value : result.refusal;
};

/** Longer than a piece. */
const filler = (letters = 40_000) => 'x'.repeat(letters);

describe('what is longer than a piece comes out as JSON.parse has it', () => {
  test.each<[string, unknown]>([
    ['a row of numbers', Array.from({ length: 100_000 }, (_, index) => index)],
    ['empty ones', Array.from({ length: 50_000 }, () => ({}))],
    ['an object of many keys', Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, [n]]))],
    ['long entries within each other', { a: [{ b: [filler(), { c: filler() }], d: 1 }, 2], e: {} }],
    ['long entries at the end', [1, [2, [3, [filler()]]]]],
    ['long keys', { [filler()]: { [filler()]: [filler()] } }],
    [
      'escapes and brackets in texts',
      [`"]}\\${filler()}`, { '{["\\': [`,:"${filler()}`] }, 'é€😀'.repeat(9_000)],
    ],
  ])('%s', (_, value) => {
    const { pieces, result } = parse(JSON.stringify(value));
    expect(result).toEqual({ ok: true, value });
    expect(pieces).toBeGreaterThan(1);
    expect(read(JSON.stringify(value, null, 3))).toEqual(value);
  });

  test('a key given twice, and one that every object has', () => {
    const text = `{"a":1,"__proto__":{"b":["${filler()}"]},"c":"${filler()}","a":2}`;
    const value = read(text) as object;
    expect(Object.keys(value)).toEqual(Object.keys(JSON.parse(text)));
    expect(value).toEqual(JSON.parse(text));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

test.each([
  ['the end is missing', `[${'1,'.repeat(40_000)}1`],
  ['it ends with a comma', `[${'1,'.repeat(40_000)}]`],
  ['an inner one ends with a comma', `[[${'1,'.repeat(40_000)}],1]`],
  ['the outer one ends with a comma', `[[${'1,'.repeat(40_000)}1],]`],
  ['two commas', `[[${'1,'.repeat(40_000)}1],,1]`],
  ['a comma is missing', `[[${'1,'.repeat(40_000)}1] 1]`],
  ['it is closed by the wrong bracket', `[[${'1,'.repeat(40_000)}1},1]`],
  ['something follows', `[${'1,'.repeat(40_000)}1] 1`],
  ['a key is no text', `{1:[${'1,'.repeat(40_000)}1]}`],
  ['a colon is missing', `{"a"[${'1,'.repeat(40_000)}1]}`],
  ['a key without a value', `{"a":[${'1,'.repeat(40_000)}1],"b"}`],
  ['nothing at all', ' '.repeat(9)],
])('no JSON: %s', (_, text) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(read(text)).toBe('no_json');
});

test.each([
  ['deep', `${'['.repeat(60)}${'1,'.repeat(40_000)}1${']'.repeat(60)}`, 'too_deep'],
  ['deep and short', '['.repeat(60), 'too_deep'],
  ['a long text', `["${filler(300_000)}"]`, 'value_too_large'],
  ['spaces without end', `[1,${' '.repeat(300_000)}1]`, 'value_too_large'],
  ['nothing but a text', `"${filler()}"`, 'value_too_large'],
  ['very many', `[${'1,'.repeat(4_000_001)}1]`, 'too_many_parts'],
])('too much: %s', (_, text, refusal) => expect(read(text)).toBe(refusal));

test('any JSON, blown up, is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.array(fc.nat(60_000), { maxLength: 4 }), (value, at) => {
      let text = JSON.stringify([value, value, { value }, [value]]);
      // Spaces between the parts make pieces of it anywhere.
      for (const place of at) {
        const marks = [...text.matchAll(/[,:[\]{}]/g)].map(({ index }) => index);
        const split = marks[place % marks.length] ?? 0;
        if (!isInText(text, split)) text = `${text.slice(0, split)}${' '.repeat(20_000)}${text.slice(split)}`;
      }
      expect(read(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: 200 },
  );
});

function isInText(text: string, end: number): boolean {
  let isInside = false;
  for (let at = 0; at < end; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') isInside = !isInside;
  }
  return isInside;
}
