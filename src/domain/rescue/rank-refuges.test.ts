import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ServiceId } from '../ids.ts';
import { distanceOf, type Need, type Refuge, rankRefuges, UNWELL_DAYS } from './rank-refuges.ts';
import { ALL_TEMPERATURE_CLASSES, readRescue } from './rescue.ts';

const need: Need = {
  serviceId: 1 as ServiceId,
  temperatureClass: 'ultra_low',
  racks: 6,
  locationName: 'Building 2 / Floor 1 / Room 104',
  preferredIds: [],
};
const refuge = (id: number, rest: Partial<Refuge> = {}): Refuge => ({
  serviceId: id as ServiceId,
  name: `Freezer ${id}`,
  locationName: null,
  temperatureClass: 'ultra_low',
  freeRacks: 10,
  severity: 'normal',
  isStale: false,
  isMuted: false,
  isInDowntime: false,
  hasLimits: true,
  isHeard: true,
  isGateway: false,
  calmDays: null,
  ...rest,
});

const ROOMS = [
  'Building 2 / Floor 1 / Room 104',
  'Building 2 / Floor 1 / Room 9',
  'Building 2',
  'Shed',
  null,
];
const labs = fc.record({
  racks: fc.integer({ min: 0, max: 12 }),
  refuges: fc.array(
    fc.record({
      serviceId: fc.integer({ min: 1, max: 40 }).map((id) => id as ServiceId),
      name: fc.constantFrom('A', 'B', 'C'),
      locationName: fc.constantFrom(...ROOMS),
      temperatureClass: fc.constantFrom(...ALL_TEMPERATURE_CLASSES, null),
      freeRacks: fc.integer({ min: -5, max: 20 }),
      severity: fc.constantFrom(
        'normal' as const,
        'normal' as const,
        'warning' as const,
        'critical' as const,
      ),
      isStale: fc.boolean(),
      isMuted: fc.boolean(),
      isInDowntime: fc.boolean(),
      hasLimits: fc.boolean(),
      isHeard: fc.boolean(),
      isGateway: fc.constant(false),
      calmDays: fc.option(fc.integer({ min: 0, max: 60 })),
    }),
    { maxLength: 12 },
  ),
  temperatureClass: fc.constantFrom(...ALL_TEMPERATURE_CLASSES),
  preferredIds: fc.uniqueArray(
    fc.integer({ min: 1, max: 40 }).map((id) => id as ServiceId),
    { maxLength: 5 },
  ),
});

describe('of ten thousand labs', () => {
  test('no place is offered that is in alarm, silent, muted, not watched, not well, too warm or taken', () => {
    fc.assert(
      fc.property(labs, ({ racks, refuges, temperatureClass, preferredIds }) => {
        const asked = { ...need, racks, temperatureClass, preferredIds };
        const offered = rankRefuges(asked, refuges);
        for (const one of offered) {
          expect([one.severity, one.isStale, one.isMuted, one.isInDowntime]).toEqual([
            'normal',
            false,
            false,
            false,
          ]);
          expect(one.hasLimits && one.isHeard).toBe(true);
          expect(one.freeRacks).toBeGreaterThanOrEqual(Math.max(1, racks));
          expect(one.calmDays ?? UNWELL_DAYS).toBeGreaterThanOrEqual(UNWELL_DAYS);
          expect(one.serviceId).not.toBe(asked.serviceId);
          const colder =
            ALL_TEMPERATURE_CLASSES.indexOf(temperatureClass) -
            ALL_TEMPERATURE_CLASSES.indexOf(one.temperatureClass as never);
          expect(colder === 0 || colder === 1).toBe(true);
        }
        const places = offered.map((one) => {
          const place = preferredIds.indexOf(one.serviceId);
          return (
            ALL_TEMPERATURE_CLASSES.indexOf(temperatureClass) * 100 -
            ALL_TEMPERATURE_CLASSES.indexOf(one.temperatureClass as never) * 100 +
            (place < 0 ? preferredIds.length : place)
          );
        });
        expect(places).toEqual(places.toSorted((first, second) => first - second));
        const isLeftOutWrongly = (one: Refuge) =>
          one.temperatureClass === temperatureClass &&
          one.severity === 'normal' &&
          !(one.isStale || one.isMuted || one.isInDowntime) &&
          one.hasLimits &&
          one.isHeard &&
          one.freeRacks > Math.max(1, racks) &&
          one.calmDays === null &&
          one.serviceId !== asked.serviceId;
        expect(refuges.filter((one) => !offered.includes(one)).some(isLeftOutWrongly)).toBe(false);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('the order', () => {
  test('as cold before colder, steady before lately in alarm, near before far', () => {
    const places = [
      refuge(2, { temperatureClass: 'nitrogen', locationName: need.locationName }),
      refuge(3, { calmDays: 10, locationName: need.locationName }),
      refuge(4, { locationName: 'Shed' }),
      refuge(5, { locationName: 'Building 2 / Floor 3' }),
      refuge(6, { locationName: 'building 2/floor 1/room 104' }),
      refuge(7, { temperatureClass: 'freezer' }),
    ];
    expect(rankRefuges(need, places).map(({ serviceId }) => serviceId)).toEqual([6, 5, 4, 3, 2]);
  });

  test('what was preferred comes first among those that are as cold, where it is fit', () => {
    const preferring = { ...need, preferredIds: [8, 4, 3, 2].map((id) => id as ServiceId) };
    const places = [
      refuge(2, { temperatureClass: 'nitrogen', locationName: need.locationName }),
      refuge(3, { calmDays: 10 }),
      refuge(4, { locationName: 'Shed' }),
      refuge(6, { locationName: need.locationName }),
      refuge(8, { isMuted: true }),
    ];
    expect(rankRefuges(preferring, places).map(({ serviceId }) => serviceId)).toEqual([4, 3, 6, 2]);
  });

  test.each([
    ['Building 2 / Room 1', 'Building 2 / Room 1', 0],
    ['Building 2 / Room 1', 'Building 2 / Room 2', 1],
    ['Building 2 / Floor 1 / Room 1', 'Building 2 / Floor 2 / Room 1', 2],
    ['Room 1', 'Room 2', 9],
    [null, null, 9],
  ])('from %s to %s', (one, other, expected) => {
    expect(distanceOf(one, other)).toBe(expected);
    expect(distanceOf(other, one)).toBe(expected);
  });
});

describe('what is typed', () => {
  test.each([
    [{ racks: '6', freeRacks: ' 2 ', dangerValue: '−50,5', temperatureClass: 'ultra_low' }, { ok: true }],
    [{ racks: '-1' }, { ok: false, refusal: { field: 'racks', fault: 'not_a_count' } }],
    [{ freeRacks: '10001' }, { ok: false, refusal: { field: 'freeRacks', fault: 'not_a_count' } }],
    [{ dangerValue: 'warm' }, { ok: false, refusal: { field: 'dangerValue', fault: 'not_a_value' } }],
    [
      { temperatureClass: 'mild' },
      { ok: false, refusal: { field: 'temperatureClass', fault: 'not_a_class' } },
    ],
  ])('%o', (typed, expected) => {
    expect(readRescue(typed)).toMatchObject(expected);
  });

  test('is read, and nothing is nothing', () => {
    expect(readRescue({ dangerValue: '−50,5', racks: '' })).toMatchObject({
      value: { dangerValue: -50.5, racks: null, freeRacks: null },
    });
  });
});
