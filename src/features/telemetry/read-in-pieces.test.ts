import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EntryTooLarge, findArray, readInPieces } from './read-in-pieces.ts';

function read(text: string): unknown {
  const bytes = Buffer.from(text);
  const start = findArray(bytes);
  return start === null ? JSON.parse(text) : [...readInPieces(bytes, start)].flat(1);
}

/** The value, or that there is none. */
const orNothing = (work: () => unknown) => {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

test('any JSON is read as by JSON.parse, however it is written', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.constantFrom('', ' ', '\n\t'), (json, space) => {
      const text = `${space}[${json},${space}${json}]${space}`;
      expect(read(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('whatever is no JSON is none here either', () => {
  const marks = fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', '1', ' ', 'a', '{"a":1}', '"\\""');
  fc.assert(
    fc.property(fc.array(marks, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      expect(orNothing(() => read(text))).toEqual(orNothing(() => JSON.parse(text)));
    }),
    { numRuns: 2_000 },
  );
});

const entry = JSON.stringify({ device: 'größer "und" \\', values: { a: [1, { b: ']' }] } });
const large = (separator: string) => `[${Array(10_000).fill(entry).join(separator)}]`;

test('a large array comes in many pieces, whole entries each', () => {
  const text = large(' ,\n');
  const pieces = [...readInPieces(Buffer.from(text), 0)];
  expect(pieces.length).toBeGreaterThan(5);
  expect(pieces.flat()).toEqual(JSON.parse(text));
});

test.each([
  ['a comma too many at the end', large(',').replace(/]$/, ',]')],
  ['a comma too many in between', large(',,')],
  ['another bracket at the end', large(',').replace(/]$/, '}')],
  ['something after the end', `${large(',')} 1`],
  ['no end', large(',').slice(0, -1)],
])('%s of a large array is no JSON', (_, text) => {
  expect(() => read(text)).toThrow(SyntaxError);
});

test('an entry has an end', () => {
  expect(() => read(`[${entry},"${'x'.repeat(300_000)}"]`)).toThrow(EntryTooLarge);
});
