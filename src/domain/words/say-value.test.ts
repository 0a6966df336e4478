import { describe, expect, test } from 'vitest';
import type { BandName } from '../judging/band.ts';
import { english } from '../language/english.ts';
import { findLimitWord, sayNumber, saySpread, sayValue, withTrueMinus } from './say-value.ts';
import { findStateWords, guessStateWords } from './state-words.ts';

const DOOR = { unit: null, words: { off: 'closed', on: 'open' } };
const CELSIUS = { unit: '°C', words: null };

test.each([
  [-71.2, '−71.2'],
  [-0, '0'],
  [-0.0004, '0'],
  [1 / 3, '0.333'],
  [12, '12'],
  [-1e21, '−1e+21'],
])('%s is written %s', (value, said) => expect(sayNumber(value, english)).toBe(said));

test.each([
  [
    'Temperature -55.2 °C is above the critical limit of -60 °C',
    'Temperature −55.2 °C is above the critical limit of −60 °C',
  ],
  ['-5', '−5'],
  ['Between 1 Oct and 3 Oct (-80 to -70)', 'Between 1 Oct and 3 Oct (−80 to −70)'],
  ['ULT-0042 on 2026-11-15, well-known', 'ULT-0042 on 2026-11-15, well-known'],
  ['a - b', 'a - b'],
])('%s', (text, said) => expect(withTrueMinus(text)).toBe(said));

test.each([
  [-71.2, CELSIUS, '−71.2 °C'],
  [3, { unit: null, words: null }, '3'],
  [0, DOOR, 'closed'],
  [1, DOOR, 'open'],
  [2, DOOR, '2'],
  [0.5, DOOR, '0.5'],
])('%s of %j is %s', (value, measured, said) => expect(sayValue(value, measured, english)).toBe(said));

test.each([
  [-80, -71.2, CELSIUS, '−80 to −71.2 °C'],
  [5, 5, CELSIUS, '5 °C'],
  [0, 1, DOOR, 'closed and open'],
  [1, 1, DOOR, 'open'],
  [0, 3, DOOR, '0 to 3'],
])('from %s to %s of %j: %s', (low, high, measured, said) =>
  expect(saySpread(low, high, measured, english)).toBe(said),
);

test.each<[BandName, number, string | null]>([
  ['CRITICAL_HIGH', 0.5, 'open'],
  ['WARNING_HIGH', 0, 'open'],
  ['WARNING_LOW', 0.5, 'closed'],
  ['CRITICAL_LOW', 1, 'closed'],
  ['CRITICAL_HIGH', 1, null],
  ['CRITICAL_LOW', 0, null],
])('a %s limit of %s is about %s', (band, limit, word) =>
  expect(findLimitWord(band, limit, DOOR.words)).toBe(word),
);

describe('states have words', () => {
  test.each([
    ['door', 'closed', 'open'],
    ['Door_2', 'closed', 'open'],
    ['running', 'off', 'running'],
    ['compressor', 'off', 'running'],
    ['alarm_contact', 'ok', 'alarm'],
    ['leak', 'dry', 'leak'],
    ['power', 'off', 'on'],
    ['light', 'off', 'on'],
    ['door_alarm', 'ok', 'alarm'],
  ])('%s: %s and %s', (name, off, on) => expect(guessStateWords(name, english)).toEqual({ off, on }));

  const channel = { name: 'door', kind: 'state', offWord: null, onWord: null } as const;
  test('those that were chosen beat those of the name', () => {
    expect(findStateWords({ ...channel, onWord: 'ajar' }, english)).toEqual({ off: 'closed', on: 'ajar' });
  });
  test('what is no state has none, whatever its name', () => {
    expect(findStateWords({ ...channel, kind: 'metric' }, english)).toBe(null);
  });
});
