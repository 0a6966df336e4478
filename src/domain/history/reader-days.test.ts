import { describe, expect, test } from 'vitest';
import { beginOfWeeks, daysOf, monthAfter, monthBefore, monthOf, weeksOf } from './reader-days.ts';

const BERLIN = 'Europe/Berlin';
const at = (text: string) => new Date(text);

describe('weeks', () => {
  test('begin on Monday by the reader’s clock, and one is an hour longer where clocks are set back', () => {
    const weeks = weeksOf({ from: at('2026-10-21T12:00Z'), to: at('2026-11-03T12:00Z') }, BERLIN);
    expect(weeks.map(({ day }) => day)).toEqual(['2026-10-19', '2026-10-26', '2026-11-02']);
    expect(weeks[0]?.from).toEqual(at('2026-10-18T22:00Z'));
    expect(weeks[0]?.to).toEqual(at('2026-10-25T23:00Z'));
  });

  test('one that begins as the span ends is none of it', () => {
    const span = { from: at('2026-11-02T00:00Z'), to: at('2026-11-09T00:00Z') };
    expect(weeksOf(span, 'UTC')).toHaveLength(1);
    expect(weeksOf({ ...span, to: at('2026-11-09T00:01Z') }, 'UTC')).toHaveLength(2);
  });

  test('the one of now is the last', () => {
    const now = at('2026-11-19T10:00Z');
    const from = beginOfWeeks(12, now, BERLIN);
    expect(from).toEqual(at('2026-08-30T22:00Z'));
    expect(weeksOf({ from, to: now }, BERLIN)).toHaveLength(12);
  });
});

describe('months', () => {
  const now = at('2026-11-30T23:30Z');
  test.each<[string, string | undefined, string]>([
    ['the newest is that of the reader', undefined, '2026-12'],
    ['one that was asked for', '2026-02', '2026-02'],
    ['one to come', '2027-01', '2026-12'],
    ['what means nothing', '2026-13', '2026-12'],
    ['before anything was measured', '1066-10', '2026-12'],
    ['a day', '2026-02-01', '2026-12'],
  ])('%s', (_, asked, expected) => expect(monthOf(asked, now, BERLIN)).toBe(expected));

  test('have neighbours', () => {
    expect(monthBefore('2026-01')).toBe('2025-12');
    expect(monthAfter('2026-01')).toBe('2026-02');
    expect(monthAfter('2025-12')).toBe('2026-01');
  });

  test('have all their days, as long as they are', () => {
    const days = daysOf('2026-03', BERLIN);
    expect(days).toHaveLength(31);
    const hours = days.map(({ from, to }) => (to.getTime() - from.getTime()) / 3_600_000);
    expect(hours.filter((count) => count !== 24)).toEqual([23]);
    expect(hours[28]).toBe(23);
    expect(daysOf('2028-02', 'UTC')).toHaveLength(29);
  });
});
