import { expect, test } from 'vitest';
import { findOldestKept, readRetentionYears, sayRetention } from './retention.ts';

const at = (text: string) => Date.parse(`${text}T00:00:00Z`);

test.each([
  ['as many calendar years as it says', '2026-11-15', 10, null, '2016-11-15', '10 years'],
  ['one year', '2026-11-15', 1, null, '2025-11-15', '1 year'],
  ['on the 29th of February', '2028-02-29', 1, null, '2027-03-01', '1 year'],
  ['the installation allows less', '2026-11-15', 10, 400, '2025-10-11', '400 days'],
  ['the installation allows a day', '2026-11-15', 10, 1, '2026-11-14', '1 day'],
  ['the installation allows more', '2026-11-15', 1, 400, '2025-11-15', '1 year'],
] as const)('%s', (_name, now, years, mostDays, oldest, words) => {
  expect(new Date(findOldestKept(at(now), years, mostDays)).toISOString().slice(0, 10)).toBe(oldest);
  expect(sayRetention(at(now), years, mostDays)).toBe(words);
});

test.each([
  ['1', 1],
  [' 30 ', 30],
  ['100', 100],
  ['0', null],
  ['101', null],
  ['-1', null],
  ['2.5', null],
  ['1e1', null],
  ['ten', null],
  ['', null],
  [undefined, null],
])('%j is read as %j', (text, years) => expect(readRetentionYears(text)).toBe(years));
