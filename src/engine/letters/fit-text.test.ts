import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { english } from '../../domain/language/english.ts';
import { countJsonBytes, fitItems, fitLines, shorten } from './fit-text.ts';

describe('a text', () => {
  test.each([
    ['that fits stays', 'Freezer', 7, 'Freezer'],
    ['that does not is cut', 'Freezer 3', 8, 'Freezer…'],
    ['keeps no blank before the cut', 'Room 101', 6, 'Room…'],
    ['keeps an emoji of several parts whole', 'ab👩‍🔬cd', 4, 'ab…'],
    ['keeps an accent with its letter', `ae\u0301xyz`, 3, 'a…'],
    ['with room for nothing is a mark only', 'abc', 1, '…'],
  ])('%s', (_, text, most, expected) => expect(shorten(text, most)).toBe(expected));

  test('is never longer than it may be, however it is counted, and begins like the original', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 100 }),
        fc.integer({ min: 3, max: 120 }),
        (text, most) => {
          expect(shorten(text, most).length).toBeLessThanOrEqual(most);
          const byBytes = shorten(text, most, countJsonBytes);
          expect(countJsonBytes(byBytes)).toBeLessThanOrEqual(most);
          expect(text.startsWith(byBytes.replace(/…$/, ''))).toBe(true);
          expect(Buffer.from(byBytes, 'utf8').toString('utf8')).toBe(byBytes);
        },
      ),
    );
  });
});

describe('a list', () => {
  const fit = (lines: string[], most: number) => fitLines(lines, (line) => line, most, english);
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

  test('that fits is told whole', () => expect(fit(lines(6), 1_000)).toEqual(lines(6)));
  test('of twenty is told whole', () => expect(fit(lines(20), 1_000)).toEqual(lines(20)));
  test('of many ends with how many are left', () =>
    expect(fit(lines(500), 1_000)).toEqual([...lines(20), 'and 480 more']));
  test('ends earlier where there is no room', () =>
    expect(fit(lines(500), 32)).toEqual(['line 1', 'line 2', 'and 498 more']));

  test('never takes more room than there is, and never loses count', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 40 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 20, max: 400 }),
        (all, most) => {
          const told = fit(all, most);
          expect(told.join('\n').length).toBeLessThanOrEqual(most);
          const left = Number(/^and (\d+) more$/.exec(told.at(-1) ?? '')?.[1] ?? 0);
          expect(told.length - (left > 0 ? 1 : 0) + left).toBe(all.length);
        },
      ),
    );
  });

  test('of items stays within its bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.integer({ min: 0, max: 200 }), (items, mostBytes) => {
        const kept = fitItems(items, 5, mostBytes);
        expect(items.slice(0, kept.length)).toEqual(kept);
        expect(kept.length).toBeLessThanOrEqual(5);
        if (kept.length > 0)
          expect(Buffer.byteLength(JSON.stringify(kept)) - 1).toBeLessThanOrEqual(mostBytes);
      }),
    );
  });
});
