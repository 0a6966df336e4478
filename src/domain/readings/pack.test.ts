import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc32 } from './crc32.ts';
import { DamagedPack, decodePack, encodePack, type Readings } from './pack.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LATEST = 8.64e15;

const toReadings = (given: readonly (readonly [at: number, value: number])[]): Readings => {
  const ordered = [...new Map(given)].sort(([one], [other]) => one - other);
  return {
    ats: Float64Array.from(ordered, ([at]) => at),
    values: Float64Array.from(ordered, ([, value]) => value),
  };
};

/** To the bit: 0 and -0 differ, and one NaN from another. */
const bitsOf = ({ ats, values }: Readings) => ({
  ats: [...ats],
  values: [...new BigUint64Array(values.slice().buffer)],
});

const anyTime = fc.oneof(
  fc.integer({ min: -LATEST, max: LATEST }),
  fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2026, 0) + DAY_MS }),
  fc.integer({ min: 0, max: 1440 }).map((minute) => Date.UTC(2026, 0) + minute * 60_000),
  fc.constantFrom(-LATEST, -(2 ** 45), 0, 2 ** 45, 2 ** 45 + 1, LATEST),
);

const decimal = (places: number) => fc.integer({ min: -99_999, max: 99_999 }).map((n) => n / 10 ** places);
const extreme = fc.constantFrom(
  -0,
  0,
  Number.MIN_VALUE,
  -Number.MIN_VALUE,
  2 ** -1022,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MAX_SAFE_INTEGER,
  2 ** 45,
  2 ** 45 + 1,
  0.1 + 0.2,
);

/** Values of one kind, as sensors have them, or all mixed. */
const someValues = fc.oneof(
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((places) => fc.constant(decimal(places))),
  fc.constant(decimal(2).map(Math.fround)),
  fc.constant(fc.oneof(decimal(1), fc.constantFrom(0, -0))),
  fc.constant(fc.double({ noNaN: true })),
  fc.constant(fc.float({ noNaN: true })),
  fc.constant(fc.constant(1)),
  fc.constant(fc.double()),
  fc.constant(extreme),
  fc.constant(fc.oneof(decimal(2), extreme)),
);

const anyReadings = someValues
  .chain((value) => fc.array(fc.tuple(anyTime, value), { maxLength: 200 }))
  .map(toReadings);

/** One after the other at a fixed pace, as sensors report. */
const regularReadings = fc
  .tuple(
    fc.constantFrom(1, 1000, 60_000, 61_234),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), decimal(2)), { maxLength: 300 }),
    fc.constantFrom(0, 1, 1000),
  )
  .map(([periodMs, given, jitter]) =>
    toReadings(
      given.map(([late, value], nth) => [Date.UTC(2026, 0) + nth * periodMs + late * jitter, value]),
    ),
  );

describe('a pack is exact to the bit', () => {
  test.each([
    ['anything', anyReadings],
    ['what sensors report', regularReadings],
  ])('%s', (_, readings) =>
    fc.assert(
      fc.property(readings, (given) => {
        expect(bitsOf(decodePack(encodePack(given)))).toEqual(bitsOf(given));
      }),
      { numRuns: 1000 },
    ),
  );

  test('wherever the bytes lie', () => {
    const given = toReadings([
      [1, 2.5],
      [60_001, 2.6],
    ]);
    const pack = encodePack(given);
    const elsewhere = new Uint8Array(pack.length + 20).fill(255);
    elsewhere.set(pack, 7);
    expect(decodePack(elsewhere.subarray(7, 7 + pack.length))).toEqual(given);
  });
});

describe('a pack is small', () => {
  const day = (late: (nth: number) => number, value: (nth: number) => number) =>
    toReadings(
      Array.from({ length: 1440 }, (_, nth) => [Date.UTC(2026, 0) + nth * 60_000 + late(nth), value(nth)]),
    );
  /** The same at every run. */
  const scatter = (nth: number, most: number) => (Math.imul(nth, 0x9e37_79b1) >>> 8) % most;
  const noise = (nth: number) => Math.round(-8000 + 150 * Math.sin(nth / 20) + scatter(nth, 41)) / 100;

  test.each([
    [
      'a switch that never moves',
      day(
        () => 0,
        () => 1,
      ),
      0.3,
    ],
    ['whole minutes', day(() => 0, noise), 1.2],
    ['a jitter of 100 ms', day((nth) => scatter(nth * 7, 100), noise), 2.1],
    [
      'through single precision',
      day(
        () => 0,
        (nth) => Math.fround(noise(nth)),
      ),
      1.2,
    ],
    [
      'some of the zeros negative',
      day(
        () => 0,
        (nth) => (nth % 3 === 0 ? -0 : nth % 2) / 10,
      ),
      0.9,
    ],
    [
      'doubles that are no decimals',
      day(
        () => 0,
        (nth) => Math.sin(nth),
      ),
      8.5,
    ],
  ])('%s', (_, readings, mostBytes) =>
    expect(encodePack(readings).length / readings.ats.length).toBeLessThan(mostBytes),
  );
});

describe('what is not a pack is refused', () => {
  const smallReadings = someValues
    .chain((value) => fc.array(fc.tuple(anyTime, value), { maxLength: 12 }))
    .map(toReadings);

  test('every bit counts', () =>
    fc.assert(
      fc.property(smallReadings, (given) => {
        const pack = encodePack(given);
        for (let bit = 0; bit < pack.length * 8; bit += 1) {
          const flipped = pack.slice();
          flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          expect(() => decodePack(flipped)).toThrow(DamagedPack);
        }
      }),
    ));

  test('cut short anywhere, or with something behind it', () =>
    fc.assert(
      fc.property(smallReadings, fc.uint8Array({ minLength: 1, maxLength: 9 }), (given, more) => {
        const pack = encodePack(given);
        for (let length = 0; length < pack.length; length += 1)
          expect(() => decodePack(pack.subarray(0, length))).toThrow(DamagedPack);
        expect(() => decodePack(Uint8Array.from([...pack, ...more]))).toThrow(DamagedPack);
      }),
    ));

  const withChecksum = (bytes: readonly number[]) => {
    const pack = Uint8Array.from([...bytes, 0, 0, 0, 0]);
    new DataView(pack.buffer).setInt32(bytes.length, crc32(pack, bytes.length), true);
    return pack;
  };

  test('garbage, even with a checksum that fits, is decoded or refused, and takes no room', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 200 }), (layout, rest) => {
        for (const garbage of [rest, withChecksum([1, layout, ...rest])]) {
          try {
            expect(decodePack(garbage).ats.length).toBeLessThanOrEqual(4 * garbage.length);
          } catch (error) {
            expect(error).toBeInstanceOf(DamagedPack);
          }
        }
      }),
      { numRuns: 5_000 },
    ));

  test.each([
    ['nothing', [], 'cut short'],
    ['another version', [2, 0, 0, 0, 0, 0, 0], 'version 2'],
    ['another checksum', [1, 0, 0, 1, 2, 3, 4], 'checksum'],
    ['another layout', withChecksum([1, 64, 0]), 'layout 64'],
    // A length of 32 bits, then all of them ones.
    [
      'four billion readings in a few bytes',
      withChecksum([1, 0, 0b1000_0011, 255, 255, 255, 255, 0, 0]),
      'no room',
    ],
    ['a number of 63 bits', withChecksum([1, 0, 255, 255, 255, 255, 255, 255, 255, 255]), 'longer than any'],
    ['bytes behind no readings', withChecksum([1, 7, 0, 0]), 'left over'],
    ['bits behind no readings', withChecksum([1, 7, 1]), 'left over'],
    // One reading, its time a double: NaN.
    [
      'a time that is none',
      withChecksum([1, 0b10_0111, 0b111, 0b11, 255, 255, 255, 255, 255, 255, 255, 0b1111_1100]),
      'do not ascend',
    ],
  ])('%s', (_, bytes, reason) => {
    expect(() => decodePack(Uint8Array.from(bytes))).toThrow(DamagedPack);
    expect(() => decodePack(Uint8Array.from(bytes))).toThrow(reason);
  });
});

test.each([
  ['times that stand still', [1, 1], [0, 0]],
  ['times that go back', [2, 1], [0, 0]],
  ['a part of a millisecond', [0.5], [0]],
  ['a time that no date can tell', [LATEST + 1], [0]],
  ['no time at all', [Number.NaN], [0]],
  ['a value too few', [1, 2], [0]],
])('%s cannot be packed', (_, ats, values) =>
  expect(() => encodePack({ ats: Float64Array.from(ats), values: Float64Array.from(values) })).toThrow(
    RangeError,
  ),
);
