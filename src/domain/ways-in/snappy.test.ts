import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finish } from '../../../test/support/finish.ts';
import { packSnappy } from '../../../test/support/pack-snappy.ts';
import { unpackSnappy } from './snappy.ts';

const unpack = (packed: Uint8Array, most: number) => finish(unpackSnappy(packed, most)).value;

const MOST = 1_000_000;
const text = (packed: number[]) => {
  const unpacked = unpack(Uint8Array.from(packed), MOST);
  return typeof unpacked === 'string' ? unpacked : String.fromCharCode(...unpacked);
};
const [A, B] = [0x61, 0x62];

describe('pieces', () => {
  test.each<[string, number[], string]>([
    ['nothing at all', [0], ''],
    ['a literal', [2, 1 << 2, A, B], 'ab'],
    ['a literal whose length takes a byte', [3, 60 << 2, 2, A, A, B], 'aab'],
    ['a literal whose length takes four', [1, 63 << 2, 0, 0, 0, 0, A], 'a'],
    ['a near repetition, which overlaps itself', [10, 1 << 2, A, B, 1 | (4 << 2), 2], 'ababababab'],
    ['a far one', [5, 1 << 2, A, B, 2 | (2 << 2), 2, 0], 'ababa'],
    ['a very far one', [5, 1 << 2, A, B, 3 | (2 << 2), 2, 0, 0, 0], 'ababa'],
    ['no length', [], 'unreadable'],
    ['a length without an end', [255, 255, 255, 255, 255, 1], 'unreadable'],
    ['more than any block may hold', [255, 255, 255, 255, 31], 'unreadable'],
    ['less than it says', [3, 1 << 2, A, B], 'unreadable'],
    ['more than it says', [1, 1 << 2, A, B], 'unreadable'],
    ['a literal that is cut off', [2, 1 << 2, A], 'unreadable'],
    ['a literal longer than there are bytes', [2, 63 << 2, 255, 255, 255, 255, A], 'unreadable'],
    ['a repetition that is cut off', [4, 0, A, 1], 'unreadable'],
    ['a repetition of nothing', [5, 0, A, 1, 0], 'unreadable'],
    ['a repetition of what was before the beginning', [5, 0, A, 1, 2], 'unreadable'],
  ])('%s', (_, packed, expected) => expect(text(packed)).toBe(expected));
});

test('what was packed comes back', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }),
    fc
      .tuple(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 9_000 }))
      .map(([piece, times]) => Uint8Array.from({ length: times }, (_, at) => piece[at % piece.length] ?? 0)),
  );
  fc.assert(
    fc.property(bytes, (given) => {
      expect(unpack(packSnappy(given), MOST)).toEqual(given);
    }),
  );
});

test('any bytes are unpacked or refused, within what is allowed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(2_000), (bytes, most) => {
      const unpacked = unpack(bytes, most);
      if (typeof unpacked !== 'string') expect(unpacked.length).toBeLessThanOrEqual(most);
    }),
    { numRuns: 5_000 },
  );
});

describe('a bomb', () => {
  test('is refused by the size that it says', () => {
    expect(unpack(packSnappy(new Uint8Array(MOST + 1)), MOST)).toBe('too_large');
    expect(unpack(Uint8Array.of(255, 255, 255, 255, 15), MOST)).toBe('too_large');
  });

  test('takes no memory for a size that its bytes cannot become', () => {
    const before = process.memoryUsage().arrayBuffers;
    for (let time = 0; time < 1_000; time += 1)
      expect(unpack(Uint8Array.of(192, 132, 61, 0), MOST)).toBe('unreadable');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MOST);
  });
});
