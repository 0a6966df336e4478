import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planLab } from './lab.ts';
import { DAY_MS, DEFROST_EVERY_MS, DEFROST_MS, defrost, HOUR_MS, isDoorOpen, MINUTE_MS } from './rhythms.ts';
import { readUnit, type SimulatedUnit, UNIT_KINDS, type UnitKind } from './unit.ts';

const seeds = fc.integer({ min: 0, max: 0xffff_ffff });
const instants = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) });
const unitOf = (kind: UnitKind, seed: number, rest: Partial<SimulatedUnit> = {}): SimulatedUnit => ({
  kind,
  seed,
  failure: null,
  offlineFrom: null,
  ...rest,
});
const temperatureOf = (unit: SimulatedUnit, at: number) => Number(readUnit(unit, at)?.temperature);

describe('in normal operation', () => {
  const BOUNDS: Record<UnitKind, Record<string, [low: number, high: number]>> = {
    ultra_low_freezer: { temperature: [-82.7, -71] },
    freezer: { temperature: [-21.7, -8.5] },
    fridge: { temperature: [3.6, 9.5] },
    cold_room: { temperature: [2.6, 7.2], humidity: [47, 63] },
    incubator: { temperature: [35.3, 37.2], temperature_setpoint: [37, 37], co2: [3, 5.1] },
    cryo_tank: { level: [65, 95] },
  };
  test.each(UNIT_KINDS)('%s stays within its bounds', (kind) => {
    fc.assert(
      fc.property(seeds, instants, (seed, at) => {
        const values = readUnit(unitOf(kind, seed), at) ?? {};
        for (const [channel, [low, high]] of Object.entries(BOUNDS[kind])) {
          expect(Number(values[channel])).toBeGreaterThanOrEqual(low);
          expect(Number(values[channel])).toBeLessThanOrEqual(high);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('battery and signal are told once an hour', () => {
    fc.assert(
      fc.property(seeds, instants, fc.constantFrom(...UNIT_KINDS), (seed, at, kind) => {
        const told = Array.from({ length: 12 }, (_, step) =>
          readUnit(unitOf(kind, seed), Math.floor(at / HOUR_MS) * HOUR_MS + step * 5 * MINUTE_MS),
        ).filter((values) => values && 'battery' in values);
        expect(told).toHaveLength(1);
        expect(told[0]?.battery).toBeGreaterThanOrEqual(40);
        expect(told[0]?.battery).toBeLessThanOrEqual(100);
        expect(told[0]?.rssi).toBeLessThanOrEqual(-58);
      }),
    );
  });

  test('doors are opened on working days only', () => {
    const opened = new Set<number>();
    const monday = Date.UTC(2026, 10, 9);
    for (let at = monday; at < monday + 7 * DAY_MS; at += MINUTE_MS) {
      if (isDoorOpen(7, at)) opened.add(Math.floor((at - monday) / DAY_MS));
    }
    expect([...opened]).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('properties', () => {
  test('the same unit says the same at the same time', () => {
    fc.assert(
      fc.property(seeds, instants, fc.constantFrom(...UNIT_KINDS), (seed, at, kind) => {
        expect(readUnit(unitOf(kind, seed), at)).toEqual(readUnit(unitOf(kind, seed), at));
      }),
    );
  });

  test('two units of a kind differ', () => {
    fc.assert(
      fc.property(seeds, instants, (seed, at) => {
        const differs = [0, 1, 2, 3].some(
          (step) =>
            temperatureOf(unitOf('fridge', seed), at + step * HOUR_MS) !==
            temperatureOf(unitOf('fridge', seed + 1), at + step * HOUR_MS),
        );
        expect(differs).toBe(true);
      }),
    );
  });

  test('a defrost comes every eight hours and lasts twenty minutes', () => {
    fc.assert(
      fc.property(seeds, instants, (seed, at) => {
        expect(defrost(seed, at + DEFROST_EVERY_MS)).toBeCloseTo(defrost(seed, at), 5);
        let minutes = 0;
        for (let step = 0; step < DEFROST_EVERY_MS / MINUTE_MS; step += 1)
          if (defrost(seed, at + step * MINUTE_MS) > 0) minutes += 1;
        expect(Math.abs(minutes - DEFROST_MS / MINUTE_MS)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 30 },
    );
  });

  test('a failing unit is well before, past the limit after, and never recovers', () => {
    fc.assert(
      fc.property(
        seeds,
        instants,
        fc.integer({ min: 1, max: 30 }),
        fc.double({ min: 0, max: 5, noNaN: true }),
        (seed, at, days, later) => {
          const failure = { beginsAt: at, crossesAt: at + days * DAY_MS };
          const unit = unitOf('ultra_low_freezer', seed, { failure });
          expect(temperatureOf(unit, at - 1)).toBe(temperatureOf(unitOf('ultra_low_freezer', seed), at - 1));
          const after = temperatureOf(unit, Math.ceil(failure.crossesAt + later * days * DAY_MS));
          expect(after).toBeGreaterThan(-60);
          expect(after).toBeLessThan(30);
        },
      ),
    );
  });

  test('a dead sensor says nothing more', () => {
    fc.assert(
      fc.property(seeds, instants, fc.nat(), (seed, at, later) => {
        const unit = unitOf('fridge', seed, { offlineFrom: at });
        expect(readUnit(unit, at - 1)).not.toBeNull();
        expect(readUnit(unit, at + later)).toBeNull();
      }),
    );
  });
});

describe('the lab', () => {
  const until = Date.UTC(2026, 10, 15);
  test('has every kind, one that fails and one that goes offline before the story ends', () => {
    const lab = planLab({ services: 12, seed: 1, from: until - 30 * DAY_MS, until });
    expect(new Set(lab.map(({ kind }) => kind))).toEqual(new Set(UNIT_KINDS));
    expect(new Set(lab.map(({ name }) => name)).size).toBe(12);
    const [failing] = lab.filter(({ failure }) => failure);
    expect(failing?.failure?.crossesAt).toBeLessThan(until);
    const [dead] = lab.filter(({ offlineFrom }) => offlineFrom !== null);
    expect(dead?.offlineFrom).toBeLessThanOrEqual(until - 2 * HOUR_MS);
  });

  test('more services leave the first ones as they were', () => {
    const plan = (services: number) => planLab({ services, seed: 1, from: until, until });
    expect(plan(20).slice(0, 6)).toEqual(plan(6));
  });
});
