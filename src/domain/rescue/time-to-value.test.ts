import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readUnit, type UnitKind } from '../simulation/unit.ts';
import { LONGEST_WINDOW_MS, timeToValue } from './time-to-value.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.UTC(2026, 2, 3, 3);

const sample = (valueAt: (at: number) => number, stepMs = 5 * MINUTE_MS) => {
  const ats = Array.from(
    { length: Math.floor(LONGEST_WINDOW_MS / stepMs) + 1 },
    (_, index) => NOW - LONGEST_WINDOW_MS + index * stepMs,
  );
  return { ats, values: ats.map(valueAt) };
};
const KINDS: Partial<Record<UnitKind, number>> = {
  ultra_low_freezer: -80,
  freezer: -20,
  fridge: 5,
  cold_room: 4,
};

const failing = fc.record({
  kind: fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])),
  seed: fc.integer({ min: 0, max: 0xffff_ffff }),
  /** In which its compressor weakens until the limit. */
  hours: fc.integer({ min: 6, max: 48 }),
  weakness: fc.double({ min: 0.9, max: 1.2, noNaN: true }),
  further: fc.double({ min: 2, max: 15, noNaN: true }),
  stepMinutes: fc.constantFrom(1, 5, 10),
});

describe('a unit whose compressor weakens', () => {
  test('of what is said, eight in ten are within a quarter; and it is said of many', () => {
    let [cases, said, right] = [0, 0, 0];
    fc.assert(
      fc.property(failing, ({ kind, seed, hours, weakness, further, stepMinutes }) => {
        const base = KINDS[kind] ?? 0;
        const beginsAt = NOW - weakness * hours * HOUR_MS;
        const failure = { beginsAt, crossesAt: beginsAt + hours * HOUR_MS };
        const valueAt = (at: number) =>
          Number(readUnit({ kind, seed, failure, offlineFrom: null }, at)?.temperature);
        const target = base + 22 * weakness ** 2 + further;
        const truth = (Math.sqrt((target - base) / 22) - weakness) * hours * HOUR_MS;
        const answer = timeToValue(sample(valueAt, stepMinutes * MINUTE_MS), target, NOW);
        cases += 1;
        if (answer === null) return;
        said += 1;
        if (Math.abs(answer - truth) <= truth / 4) right += 1;
      }),
      { numRuns: 2_000, seed: 20261119 },
    );
    expect(right / said).toBeGreaterThan(0.8);
    expect(said / cases).toBeGreaterThan(0.2);
  });

  test('nothing is said of one that is well', () => {
    fc.assert(
      fc.property(failing, ({ kind, seed, further }) => {
        const valueAt = (at: number) =>
          Number(readUnit({ kind, seed, failure: null, offlineFrom: null }, at)?.temperature);
        expect(timeToValue(sample(valueAt), (KINDS[kind] ?? 0) + 10 + further, NOW)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });
});

describe('a course that is known', () => {
  const rising = (at: number) => -60 + ((at - NOW) / HOUR_MS) * 5;
  test('straight on, whatever stands out', () => {
    const points = sample((at) => (at === NOW - 15 * MINUTE_MS ? 20 : rising(at)), MINUTE_MS);
    const ms = timeToValue(points, -57.5, NOW) ?? 0;
    expect(ms / MINUTE_MS).toBeGreaterThan(22.5);
    expect(ms / MINUTE_MS).toBeLessThan(37.5);
  });

  test.each([
    ['it goes the other way', sample(rising), -70],
    ['it stands still', sample(() => -60), -50],
    ['there are too few readings', sample(rising, 120 * MINUTE_MS), -55],
    ['it would take days', sample(rising), 500],
    ['there is none', { ats: [], values: [] }, -50],
  ])('nothing where %s', (_why, points, target) => {
    expect(timeToValue(points, target, NOW)).toBeNull();
  });
});
