import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countRacks, type ReservationState, SETTLING, type Settling } from './settle-reservation.ts';

const MOST = 10_000;

test('whatever people press, free racks are never below 0, and are what they were once all is back', () => {
  const presses = fc.array(
    fc.tuple(fc.nat({ max: 3 }), fc.constantFrom(...(Object.keys(SETTLING) as Settling[]))),
    { maxLength: 60 },
  );
  const racks = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(presses, racks, fc.integer({ min: 0, max: 40 }), (pressed, each, free) => {
      let freeRacks: number | null = free;
      const reservations = each.map((count) => ({
        racks: count,
        counted: null as number | null,
        state: 'open' as ReservationState,
      }));
      for (const [which, act] of pressed) {
        const one = reservations[which];
        if (!one || one.state !== SETTLING[act].from) continue;
        const after = countRacks(SETTLING[act].to, { ...one, freeRacks }, MOST);
        one.state = SETTLING[act].to;
        one.counted = after.counted;
        freeRacks = after.freeRacks;
        const inside = reservations.filter(({ state }) => state === 'moved');
        expect(freeRacks).toBeGreaterThanOrEqual(0);
        expect(freeRacks).toBe(free - inside.reduce((sum, { counted }) => sum + (counted ?? 0), 0));
        expect(
          reservations.every(
            ({ state, counted }) => (counted === null) === (state === 'open' || state === 'free'),
          ),
        ).toBe(true);
      }
    }),
  );
});

test.each([
  [
    { racks: 6, counted: null, freeRacks: 10 },
    { counted: 6, freeRacks: 4 },
  ],
  [
    { racks: 6, counted: null, freeRacks: 4 },
    { counted: 4, freeRacks: 0 },
  ],
  [
    { racks: 6, counted: null, freeRacks: null },
    { counted: 0, freeRacks: null },
  ],
])('%o moved in', (counting, expected) => {
  expect(countRacks('moved', counting, MOST)).toEqual(expected);
});

test('what comes back never makes more than there may be', () => {
  expect(countRacks('returned', { racks: 6, counted: 6, freeRacks: MOST }, MOST)).toEqual({
    counted: 0,
    freeRacks: MOST,
  });
});
