import { describe, expect, test } from 'vitest';
import { toColumns } from './columns.ts';
import { findNearest } from './find-nearest.ts';
import { findRange } from './find-range.ts';
import { sayPoint } from './say-point.ts';
import { type ChartData, writeSpan } from './series.ts';

const data = (more: Partial<ChartData> = {}): ChartData => ({
  label: 'Temperature',
  unit: '°C',
  kind: 'metric',
  words: null,
  from: 0,
  to: 60_000,
  stepMs: null,
  at: [1_000, 2_000, 3_000],
  min: [-81, -80, -79],
  max: [-79, -78, -77],
  mean: [-80, -79, -78],
  setpoint: null,
  over: [],
  limits: [],
  spans: [],
  marks: [],
  ...more,
});

test('the nearest of instants', () => {
  expect([-5, 4, 6, 10, 14, 99].map((instant) => findNearest([0, 10, 20], instant))).toEqual([
    0, 0, 10, 10, 10, 20,
  ]);
  expect(findNearest([], 5)).toBeNull();
});

describe('what is drawn', () => {
  test('seconds, with mean, lowest and highest', () => {
    expect(toColumns(data())).toEqual([
      [1, 2, 3],
      [-80, -79, -78],
      [-81, -80, -79],
      [-79, -78, -77],
      [null, null, null],
    ]);
  });

  test('a long pause is a gap, in its middle', () => {
    const at = [1_000, 2_000, 3_000, 13_000];
    const four = { min: [1, 2, 3, 4], max: [1, 2, 3, 4], mean: [1, 2, 3, 4] };
    const [times, means] = toColumns(data({ at, ...four }));
    expect(times).toEqual([1, 2, 3, 5.5, 13]);
    expect(means).toEqual([1, 2, 3, null, 4]);
  });

  test('what is drawn over it has instants of its own, which tear no curve apart', () => {
    const door = {
      label: 'Door',
      unit: null,
      words: { off: 'closed', on: 'open' },
      at: [1_500, 3_000],
      value: [1, 0],
    };
    const [times, means, , , , doors] = toColumns(data({ over: [door] }));
    expect(times).toEqual([1, 1.5, 2, 3]);
    expect(means).toEqual([-80, undefined, -79, -78]);
    expect(doors).toEqual([undefined, 1, undefined, 0]);
    expect(sayPoint(data({ over: [door] }), 2_000, null)).toBe('−79 °C · Door open');
  });

  test('a setpoint holds until the next one, also where nothing was measured', () => {
    const setpoint = { label: 'Setpoint', at: [1_500, 2_500], value: [-80, -70] };
    const [times, means, , , setpoints] = toColumns(data({ setpoint }));
    expect(times).toEqual([1, 1.5, 2, 2.5, 3]);
    expect(means).toEqual([-80, undefined, -79, undefined, -78]);
    expect(setpoints).toEqual([null, -80, -80, -70, -70]);
  });

  test('what a broken sensor says is drawn at the edge', () => {
    const [, means] = toColumns(data({ mean: [Number.MAX_VALUE, -Number.MAX_VALUE, 0] }));
    expect(means).toEqual([1e300, -1e300, 0]);
  });
});

describe('how far the axis goes', () => {
  const limit = (value: number): ChartData['limits'][number] => ({
    band: 'CRITICAL_HIGH',
    value,
    from: 0,
    to: 1,
  });

  test.each<
    [sentence: string, one: ChartData, low: number | null, high: number | null, range: [number, number]]
  >([
    ['a little beyond the curve', data(), 0, 100, [-8, 108]],
    ['to a limit that is near', data({ limits: [limit(150)] }), 0, 100, [-12, 162]],
    ['not to one that would flatten the curve', data({ limits: [limit(1_000)] }), 0, 100, [-8, 108]],
    ['a straight line has some room too', data(), 5, 5, [4.9, 5.1]],
    ['nothing at all', data(), null, null, [0, 1]],
  ])('%s', (_, one, low, high, range) => {
    const [bottom, top] = findRange(one, low, high);
    expect(bottom).toBeCloseTo(range[0]);
    expect(top).toBeCloseTo(range[1]);
  });
});

describe('what is under the cursor', () => {
  const door = { kind: 'state', words: { off: 'closed', on: 'open' }, unit: null } as const;

  test.each<[sentence: string, one: ChartData, at: number, setpoint: number | null, words: string | null]>([
    ['a reading', data(), 2_000, null, '−79 °C'],
    ['with its setpoint', data(), 2_000, -80, '−79 °C, setpoint −80 °C'],
    ['of a step the spread and the mean', data({ stepMs: 1_000 }), 2_000, null, '−80 to −78 °C, mean −79 °C'],
    ['of states their word', data({ ...door, mean: [0, 1, 0] }), 2_000, null, 'open'],
    [
      'of a step of states no mean',
      data({ ...door, stepMs: 1_000, min: [0, 0, 0], max: [1, 1, 1], mean: [0.5, 0.5, 0.5] }),
      2_000,
      null,
      'closed and open',
    ],
    ['nothing, between two readings', data(), 2_500, null, null],
  ])('%s', (_, one, at, setpoint, words) => expect(sayPoint(one, at, setpoint)).toBe(words));
});

test.each([
  [{ range: '24h' }, { range: '24h' }],
  [
    { from: Date.UTC(2026, 2, 24, 9), to: Date.UTC(2026, 2, 24, 10, 0, 0, 999) },
    { from: '2026-03-24T09:00:00Z', to: '2026-03-24T10:00:00Z' },
  ],
])('an address says a span as %j', (span, said) => expect(writeSpan(span)).toEqual(said));
