import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeReadings, summarize } from './merge-readings.ts';
import type { Readings } from './pack.ts';

type Given = readonly (readonly [at: number, value: number])[];

const toReadings = (given: Given): Readings => ({
  ats: Float64Array.from(given, ([at]) => at),
  values: Float64Array.from(given, ([, value]) => value),
});

const ascending = (given: Given) => [...new Map(given)].sort(([one], [other]) => one - other);

describe('runs are merged', () => {
  test.each<[string, Given[], Given]>([
    ['none', [], []],
    ['empty ones', [[], []], []],
    ['a single one', [[[1, 10]]], [[1, 10]]],
    [
      'one after the other',
      [
        [
          [1, 10],
          [2, 20],
        ],
        [],
        [[3, 30]],
      ],
      [
        [1, 10],
        [2, 20],
        [3, 30],
      ],
    ],
    [
      'in the wrong order',
      [
        [[3, 30]],
        [
          [1, 10],
          [2, 20],
        ],
      ],
      [
        [1, 10],
        [2, 20],
        [3, 30],
      ],
    ],
    [
      'into each other',
      [
        [
          [1, 10],
          [3, 30],
        ],
        [
          [2, 20],
          [4, 40],
        ],
      ],
      [
        [1, 10],
        [2, 20],
        [3, 30],
        [4, 40],
      ],
    ],
    [
      'the first stored stays',
      [
        [[2, 20]],
        [
          [1, 11],
          [2, 21],
        ],
        [
          [2, 22],
          [3, 32],
        ],
      ],
      [
        [1, 11],
        [2, 20],
        [3, 32],
      ],
    ],
    [
      'also where one ends as the next begins',
      [
        [
          [1, 10],
          [2, 20],
        ],
        [
          [2, 21],
          [3, 31],
        ],
      ],
      [
        [1, 10],
        [2, 20],
        [3, 31],
      ],
    ],
  ])('%s', (_, runs, merged) => expect(mergeReadings(runs.map(toReadings))).toEqual(toReadings(merged)));

  test('as a map would that takes each time once', () => {
    const run = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer()), { maxLength: 12 })
      .map(ascending);
    fc.assert(
      fc.property(fc.array(run, { maxLength: 9 }), (runs) => {
        const kept = new Map<number, number>();
        for (const [at, value] of runs.flat()) if (!kept.has(at)) kept.set(at, value);
        expect(mergeReadings(runs.map(toReadings))).toEqual(toReadings(ascending([...kept])));
      }),
    );
  });
});

describe('readings in short', () => {
  const valuesOnly = (values: number[]) => toReadings(values.map((value, nth) => [nth, value]));

  test('count, span, least, most and mean', () =>
    expect(
      summarize(
        toReadings([
          [5, 1],
          [7, 4],
          [9, -2],
        ]),
      ),
    ).toEqual({
      count: 3,
      firstAt: 5,
      lastAt: 9,
      min: -2,
      max: 4,
      mean: 1,
    }));

  test.each([
    ['the mean is never above all of them', [0.1, 0.1, 0.1], { min: 0.1, max: 0.1, mean: 0.1 }],
    ['nor too large for a number', [Number.MAX_VALUE, Number.MAX_VALUE], { mean: Number.MAX_VALUE }],
    [
      'nor lost between extremes',
      [-Number.MAX_VALUE, -Number.MAX_VALUE, 1],
      { max: 1, min: -Number.MAX_VALUE },
    ],
    ['-0 is less than 0', [0, -0], { min: -0, max: 0, mean: 0 }],
    ['whichever came first', [-0, 0], { min: -0, max: 0, mean: 0 }],
    ['and stays what it is', [-0, -0], { min: -0, max: -0, mean: -0 }],
  ])('%s', (_, values, summary) => expect(summarize(valuesOnly(values))).toMatchObject(summary));

  test('whatever there is, the mean lies between the least and the most', () =>
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
        (values) => {
          const { min, max, mean } = summarize(valuesOnly(values));
          expect(mean).toBeGreaterThanOrEqual(min);
          expect(mean).toBeLessThanOrEqual(max);
          expect(min).toBe(Math.min(...values));
          expect(max).toBe(Math.max(...values));
        },
      ),
    ));

  test('there is nothing to say of none', () => expect(() => summarize(valuesOnly([]))).toThrow(RangeError));
});
