import { describe, expect, test } from 'vitest';
import { isWithin, listPlaces } from './places.ts';

describe('a place', () => {
  test.each([
    ['Building 2', 'Building 2 / Floor 1 / Room 104', true],
    ['building 2 / floor 1', 'Building 2, Floor 1, Room 104', true],
    ['Building 2 / Floor 1 / Room 104', 'Building 2/Floor 1/Room 104', true],
    ['Building 2 / Floor 1 / Room 10', 'Building 2 / Floor 1 / Room 104', false],
    ['Building 2 / Floor 1', 'Building 2', false],
    ['Building 2', null, false],
    ['', 'Building 2', false],
    [' / ', 'Building 2', false],
  ])('%s has %s: %s', (place, name, expected) => {
    expect(isWithin(place, name)).toBe(expected);
  });

  test('is listed once, with all that it is a part of', () => {
    const names = ['B 2 / Floor 10 / Room 1', 'b 2 / Floor 9', 'Shed', 'B 2, Floor 10, Room 2', ' / '];
    expect(listPlaces(names)).toEqual([
      'B 2',
      'b 2 / Floor 9',
      'B 2 / Floor 10',
      'B 2 / Floor 10 / Room 1',
      'B 2 / Floor 10 / Room 2',
      'Shed',
    ]);
  });
});
