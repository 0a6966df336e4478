import { expect, test } from 'vitest';
import { CURVE_SIZE, drawCurve } from './curve.ts';

const HOUR = 3_600_000;
const day = { from: 0, to: 24 * HOUR };
const point = (hour: number, mean: number, spread = 0) => ({
  at: hour * HOUR,
  min: mean - spread,
  max: mean + spread,
  mean,
});

test('one point makes no curve', () => {
  expect(drawCurve([], day)).toBeNull();
  expect(drawCurve([point(1, 5)], day)).toBeNull();
});

test('it runs from left to right, the lowest at the bottom', () => {
  const curve = drawCurve([point(0, -80), point(24, -60)], { from: 0, to: 24 * HOUR });
  expect(curve?.line).toBe('M3 29M117 3');
  expect(curve?.end).toEqual({ x: 117, y: 3 });
});

test('what stands still lies in the middle', () => {
  expect(drawCurve([point(1, 5), point(2, 5)], day)?.end.y).toBe(CURVE_SIZE.height / 2);
});

test('a gap of several hours is left open', () => {
  const curve = drawCurve([point(0, 1), point(1, 2), point(9, 1), point(10, 2)], day);
  expect(curve?.line.match(/M/g)).toHaveLength(2);
  expect(curve?.spread.match(/Z/g)).toHaveLength(2);
});

test('nothing leaves the drawing, whatever the values', () => {
  const curve = drawCurve(
    Array.from({ length: 24 }, (_, hour) => point(hour, Math.sin(hour) * 1e9, 1e8)),
    day,
  );
  const numbers = (curve?.spread.match(/-?[\d.]+/g) ?? []).map(Number);
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers)).toBeLessThanOrEqual(CURVE_SIZE.width);
});

test('the largest numbers have their place too', () => {
  const end = Number.MAX_VALUE;
  const curve = drawCurve([point(0, end), point(1, -end), point(2, 0)], day);
  expect(curve?.line).toBe('M3 3L7.8 29L12.5 16');
});
