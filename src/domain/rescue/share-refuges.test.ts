import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ServiceId } from '../ids.ts';
import { canTake, type Need, type Refuge, rankRefuges } from './rank-refuges.ts';
import { ALL_TEMPERATURE_CLASSES } from './rescue.ts';
import { countPromised, type Shared, shareRefuges } from './share-refuges.ts';
import { findTied, findTurn, inOrderOfRescue, type UnitToEmpty } from './turns.ts';

const ROOMS = [
  'Building 2 / Floor 1 / Room 104',
  'Building 2 / Floor 1 / Room 9',
  'Building 2',
  'Shed',
  null,
];
const ids = fc.integer({ min: 1, max: 30 }).map((id) => id as ServiceId);
const needs = fc.uniqueArray(
  fc.record({
    serviceId: ids,
    temperatureClass: fc.constantFrom(...ALL_TEMPERATURE_CLASSES),
    racks: fc.integer({ min: 0, max: 12 }),
    locationName: fc.constantFrom(...ROOMS),
    preferredIds: fc.uniqueArray(ids, { maxLength: 3 }),
  }),
  { maxLength: 12, selector: ({ serviceId }) => serviceId },
);
const refuges = fc.uniqueArray(
  fc.record({
    serviceId: ids,
    name: fc.constantFrom('A', 'B'),
    locationName: fc.constantFrom(...ROOMS),
    temperatureClass: fc.constantFrom(...ALL_TEMPERATURE_CLASSES, null),
    freeRacks: fc.integer({ min: -2, max: 30 }),
    severity: fc.constantFrom('normal' as const, 'normal' as const, 'normal' as const, 'critical' as const),
    isStale: fc.constant(false),
    isMuted: fc.constantFrom(false, false, false, true),
    isInDowntime: fc.constant(false),
    hasLimits: fc.constant(true),
    isHeard: fc.constantFrom(true, true, true, false),
    isGateway: fc.constant(false),
    calmDays: fc.constantFrom(null, null, 2, 10),
  }),
  { maxLength: 20, selector: ({ serviceId }) => serviceId },
);

const share = (inOrder: readonly Need[], places: readonly Refuge[]): Shared => {
  const work = shareRefuges(inOrder, places);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
};

/** What the list of an alarm would offer first, one after the other. */
function shareOneByOne(inOrder: readonly Need[], places: readonly Refuge[]): Shared {
  const left = places.map((one) => ({ ...one }));
  return new Map(
    inOrder.map((need) => {
      const [best] = rankRefuges(need, left);
      const answer = best ? { ...best } : null;
      for (const one of left) if (one.serviceId === best?.serviceId) one.freeRacks -= Math.max(1, need.racks);
      return [need.serviceId, answer];
    }),
  );
}

describe('of ten thousand labs', () => {
  test('each has what it would be offered first after all before it, and no rack is promised twice', () => {
    fc.assert(
      fc.property(needs, refuges, (inOrder, places) => {
        const shared = share(inOrder, places);
        expect(shared).toEqual(shareOneByOne(inOrder, places));
        expect(share(inOrder, places.toReversed())).toEqual(shared);
        for (const [refugeId, racks] of countPromised(inOrder, shared))
          expect(racks).toBeLessThanOrEqual(
            places.find(({ serviceId }) => serviceId === refugeId)?.freeRacks ?? 0,
          );
        for (const need of inOrder) {
          const refuge = shared.get(need.serviceId);
          expect(!refuge || canTake(need, refuge)).toBe(true);
        }
      }),
      { numRuns: 10_000 },
    );
  });
});

const waiting = (serviceId: number, rest: Partial<UnitToEmpty> = {}): UnitToEmpty => ({
  serviceId: serviceId as ServiceId,
  name: `Freezer ${serviceId}`,
  temperatureClass: 'ultra_low',
  racks: 6,
  locationName: null,
  preferredIds: [],
  rescueOrder: null,
  valueClass: null,
  leftMs: null,
  ...rest,
});

describe('whose turn it is', () => {
  const room = [
    waiting(1),
    waiting(2, { leftMs: 5_000 }),
    waiting(3, { valueClass: 'B', leftMs: 9_000 }),
    waiting(4, { valueClass: 'B', leftMs: 1_000 }),
    waiting(5, { valueClass: 'A' }),
    waiting(6, { rescueOrder: 2, valueClass: 'C' }),
    waiting(7, { rescueOrder: 1 }),
  ];

  test('by the order that was said, the value class, and the time that is left', () => {
    const inOrder = inOrderOfRescue(room);
    expect(inOrder.map(({ serviceId }) => serviceId)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(findTurn(inOrder, 7)).toEqual({ place: 1, count: 7, after: null });
    expect(findTurn(inOrder, 4)).toEqual({ place: 4, count: 7, after: 'Freezer 5' });
    expect(findTurn(inOrder, 99)).toBeNull();
    expect(findTurn([waiting(1)], 1)).toBeNull();
  });

  test('time is asked of those alone that nothing else tells apart', () => {
    expect(findTied(room).map(({ serviceId }) => serviceId)).toEqual([1, 2, 3, 4]);
  });
});
