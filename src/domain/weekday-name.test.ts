import { expect, test } from 'vitest';
import { english } from './language/english.ts';
import { speak } from './language/speak.ts';
import { nameWeekday } from './weekday-name.ts';

test('days have names, long and short, in every language', () => {
  expect([1, 7].map((day) => nameWeekday(day, english))).toEqual(['Monday', 'Sunday']);
  expect([1, 7].map((day) => nameWeekday(day, english, 'short'))).toEqual(['Mon', 'Sun']);
  expect(nameWeekday(3, speak('de', {}))).toBe('Mittwoch');
});
