import { expect, test } from 'vitest';
import { findCourse, tabulate } from './curve-course.ts';

const columns = {
  at: [0, 10, 20, 30],
  min: [-80, -81, -50, -79],
  max: [-78, -80, -40, -40],
  mean: [-79, -80.5, -45, -60],
};

test('where it began and ended, and where it was lowest and highest for the first time', () => {
  expect(findCourse(columns)).toEqual({
    first: { at: 0, value: -79 },
    last: { at: 30, value: -60 },
    lowest: { at: 10, value: -81 },
    highest: { at: 20, value: -40 },
  });
  expect(findCourse({ at: [], min: [], max: [], mean: [] })).toBeNull();
});

test('rows of equal length, without empty ones', () => {
  expect(tabulate(columns, { from: 0, to: 40 }, 2)).toEqual([
    { from: 0, to: 20, min: -81, max: -78 },
    { from: 20, to: 40, min: -79, max: -40 },
  ]);
  expect(tabulate(columns, { from: 0, to: 400 }, 4)).toEqual([{ from: 0, to: 100, min: -81, max: -40 }]);
});
