import { describe, expect, test } from 'vitest';
import { type ChannelHistory, mergeMeasurements, mergeSpans, within, withoutSpans } from './history.ts';

const history = (...at: number[]): ChannelHistory => ({
  at: Float64Array.from(at),
  value: Float64Array.from(at, (each) => each * 10),
});
const times = ({ at }: ChannelHistory) => [...at];

describe('a history', () => {
  test('leaves out what lies in a span, its end not included', () => {
    const spans = [
      { from: 6, to: 8 },
      { from: 2, to: 4 },
    ];
    expect(times(withoutSpans(history(1, 2, 3, 4, 5, 6, 7, 8), spans))).toEqual([1, 4, 5, 8]);
  });

  test('keeps values beside their times', () => {
    expect([...withoutSpans(history(1, 2, 3), [{ from: 2, to: 3 }]).value]).toEqual([10, 30]);
  });

  test('can be cut to a span', () =>
    expect(times(within(history(1, 2, 3), { from: 2, to: 3 }))).toEqual([2]));

  test('spans that overlap or touch are one, and empty ones none', () => {
    expect(
      mergeSpans([
        { from: 5, to: 9 },
        { from: 1, to: 3 },
        { from: 3, to: 6 },
        { from: 20, to: 20 },
      ]),
    ).toEqual([{ from: 1, to: 9 }]);
  });
});

test('moments come in order of time, with the values of one time together and the first of a repeated one', () => {
  const histories = new Map([
    ['a', history(1, 2, 2, 4)],
    ['b', history(2, 3)],
    ['c', history()],
  ]);
  expect([...mergeMeasurements(histories)]).toEqual([
    { at: 1, values: [['a', 10]] },
    {
      at: 2,
      values: [
        ['a', 20],
        ['b', 20],
      ],
    },
    { at: 3, values: [['b', 30]] },
    { at: 4, values: [['a', 40]] },
  ]);
});
