import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Batch, decodeBatch, encodeBatch } from './batch.ts';
import { DamagedPack } from './damaged-pack.ts';

const toBatch = (rows: readonly (readonly [number, number, number, number])[]): Batch => ({
  serviceIds: Int32Array.from(rows, ([serviceId]) => serviceId),
  channelIds: Int32Array.from(rows, ([, channelId]) => channelId),
  ats: Float64Array.from(rows, ([, , at]) => at),
  values: Float64Array.from(rows, ([, , , value]) => value),
});

const id = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const lately = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2026, 0) + 2 ** 32 - 1 });
const anyBatch = fc
  .constantFrom(lately, fc.integer({ min: -8.64e15, max: 8.64e15 }))
  .chain((at) => fc.array(fc.tuple(id, id, at, fc.double({ noNaN: true })), { maxLength: 100 }))
  .map(toBatch);

const row = (at: number): [number, number, number, number] => [1, 2, at, 20.5];

describe('a batch', () => {
  test('is read as it was written, from bytes that lie anywhere and change after', () =>
    fc.assert(
      fc.property(anyBatch, fc.integer({ min: 0, max: 9 }), (batch, from) => {
        const written = encodeBatch(batch);
        const elsewhere = new Uint8Array(from + written.length);
        elsewhere.set(written, from);
        const read = decodeBatch(elsewhere.subarray(from));
        elsewhere.fill(255);
        expect(read).toEqual(batch);
      }),
    ));

  test('takes 20 bytes a reading, 24 where the times lie seven weeks apart', () => {
    expect(encodeBatch(toBatch(Array.from({ length: 100 }, (_, nth) => row(nth)))).length).toBe(
      20 + 100 * 20,
    );
    expect(encodeBatch(toBatch([row(0), row(2 ** 32 - 1)])).length).toBe(20 + 2 * 20);
    expect(encodeBatch(toBatch([row(0), row(2 ** 32)])).length).toBe(20 + 2 * 24);
  });

  test('keeps a time between two milliseconds', () =>
    expect(decodeBatch(encodeBatch(toBatch([row(0.5)]))).ats).toEqual(Float64Array.of(0.5)));

  test('with columns of different lengths is refused', () =>
    expect(() => encodeBatch({ ...toBatch([row(1)]), values: new Float64Array(2) })).toThrow(RangeError));
});

describe('what is not a batch is refused', () => {
  const smallBatch = fc
    .array(fc.tuple(id, id, lately, fc.double({ noNaN: true })), { maxLength: 4 })
    .map(toBatch);

  test('every bit counts, and every byte', () =>
    fc.assert(
      fc.property(smallBatch, (batch) => {
        const written = encodeBatch(batch);
        for (let bit = 0; bit < written.length * 8; bit += 1) {
          const flipped = written.slice();
          flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          expect(() => decodeBatch(flipped)).toThrow(DamagedPack);
        }
        for (let length = 0; length < written.length; length += 1)
          expect(() => decodeBatch(written.subarray(0, length))).toThrow(DamagedPack);
        expect(() => decodeBatch(Uint8Array.from([...written, 0]))).toThrow(DamagedPack);
      }),
    ));

  test('garbage', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (garbage) => {
        for (const bytes of [garbage, Uint8Array.from([1, 0, 0, 0, ...garbage])])
          expect(() => decodeBatch(bytes)).toThrow(DamagedPack);
      }),
      { numRuns: 2000 },
    ));

  test.each([
    ['nothing', [], 'cut short'],
    ['another version', [2, ...new Array(19).fill(0)], 'version 2'],
    ['another layout', [1, 2, ...new Array(18).fill(0)], 'layout 2'],
    [
      'four billion readings',
      [1, 0, 0, 0, 255, 255, 255, 255, ...new Array(12).fill(0)],
      '4294967295 readings',
    ],
  ])('%s', (_, bytes, reason) => expect(() => decodeBatch(Uint8Array.from(bytes))).toThrow(reason));
});
