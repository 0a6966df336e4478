import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from './span.ts';
import { cutIntoWindows } from './windows.ts';

const days = (...counts: [day: number, count: number][]) => counts.map(([day, count]) => ({ day, count }));

test.each([
  ['nothing stored is one piece', days(), [[0, 10]]],
  ['few are one piece', days([1, 5], [2, 5]), [[0, 10]]],
  [
    'days that hold too many together are apart',
    days([1, 6], [2, 5], [7, 5]),
    [
      [0, 2],
      [2, 10],
    ],
  ],
  [
    'a day that holds too many stands alone',
    days([1, 50], [2, 1], [3, 50]),
    [
      [0, 2],
      [2, 3],
      [3, 10],
    ],
  ],
])('%s', (_name, counts, pieces) => {
  const windows = cutIntoWindows({ from: 0, to: 10 * DAY_MS }, counts, 10);
  expect(windows.map(({ from, to }) => [from / DAY_MS, to / DAY_MS])).toEqual(pieces);
});

test('pieces follow each other without a gap, from the first to the last instant', () => {
  const dayCounts = fc.uniqueArray(
    fc.record({ day: fc.integer({ min: 0, max: 100 }), count: fc.integer({ min: 1, max: 30 }) }),
    { selector: ({ day }) => day },
  );
  fc.assert(
    fc.property(
      dayCounts,
      fc.integer({ min: 0, max: 100 * DAY_MS }),
      fc.integer({ min: 1, max: DAY_MS * 50 }),
      (counts, from, length) => {
        const ascending = counts.toSorted((one, other) => one.day - other.day);
        const windows = cutIntoWindows({ from, to: from + length }, ascending, 20);
        expect(windows[0]?.from).toBe(from);
        expect(windows.at(-1)?.to).toBe(from + length);
        for (const [index, { from: begin, to }] of windows.entries()) {
          expect(to).toBeGreaterThan(begin);
          expect(begin).toBe(windows[index - 1]?.to ?? from);
        }
      },
    ),
  );
});
