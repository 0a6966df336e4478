import { expect, test } from 'vitest';
import { WARMING } from '../../../../test/support/curve.ts';
import { english } from '../../../domain/language/english.ts';
import type { Curve } from '../../../domain/notifications/notice.ts';
import { drawCurve } from './draw-curve.ts';

const SIGNATURE = '89504e470d0a1a0a';
const AT = WARMING.to.getTime();
const CELSIUS = { unit: '°C', words: null };

test.each<[string, Partial<Curve>]>([
  ['a curve with limits', {}],
  ['no readings at all', { points: [], limits: [] }],
  ['limits alone', { points: [] }],
  ['one reading', { points: [[AT, 5]] }],
  ['the same value all the time', { points: WARMING.points.map(([at]) => [at, 0]), limits: [] }],
  [
    'huge and tiny values',
    {
      points: [
        [AT - 1000, 1e-9],
        [AT, 1e12],
      ],
    },
  ],
  ...[1.7e308, Number.MAX_VALUE, 5e-324, 1e-323].map((value): [string, Partial<Curve>] => [
    `the readings of a broken sensor, ${value}`,
    {
      points: [
        [AT - 1000, value],
        [AT, -value],
      ],
    },
  ]),
  ['a reading after the end', { points: [[AT + 99_999_999, 5]] }],
  [
    'many readings',
    { points: Array.from({ length: 50_000 }, (_, index) => [AT - (50_000 - index) * 400, Math.sin(index)]) },
  ],
  ['no time at all', { from: WARMING.to }],
])('%s can be drawn', (_, changes) => {
  const png = drawCurve({ ...WARMING, ...changes }, CELSIUS, english);
  expect(png.toString('hex', 0, 8)).toBe(SIGNATURE);
  expect(png.length).toBeLessThan(60_000);
});

test('other readings, limits and units make another picture', () => {
  const pictures = [
    drawCurve(WARMING, CELSIUS, english),
    drawCurve(WARMING, { ...CELSIUS, unit: '%' }, english),
    drawCurve({ ...WARMING, limits: [] }, CELSIUS, english),
    drawCurve({ ...WARMING, points: WARMING.points.slice(0, -20) }, CELSIUS, english),
  ].map((png) => png.toString('base64'));
  expect(new Set(pictures).size).toBe(4);
});

test('also the largest numbers make a curve', () => {
  const end = Number.MAX_VALUE;
  const pictures = [
    [end, -end, 0],
    [-end, end, 0],
    [end, end, 0],
  ].map((values) => {
    const points = values.map((value, index): [number, number] => [AT - (2 - index) * 600_000, value]);
    return drawCurve({ ...WARMING, points, limits: [] }, CELSIUS, english).toString('base64');
  });
  expect(new Set(pictures).size).toBe(3);
});

test.each([
  ['closed', 'open'],
  ['off', 'running'],
  ['dry', 'leak'],
  ['zu', '開'],
  ['a word that is far too long for its place', 'open'],
])('a state has its words beside it: %s and %s', (off, on) => {
  const points = WARMING.points.map(([at], index): [number, number] => [at, index % 40 < 10 ? 1 : 0]);
  const draw = (words: { off: string; on: string } | null) =>
    drawCurve({ ...WARMING, points }, { unit: null, words }, english).toString('base64');
  expect(draw({ off, on })).not.toBe(draw(null));
});
