// A simulated unit: what its sensor says at any time. Pure and repeatable, so that history can be filled in and live
// readings follow on without a seam.
import type { Instant } from '../instant.ts';
import { chanceAt, seedFor, wander } from './chance.ts';
import {
  compressorCycle,
  DAY_MS,
  dayAndNight,
  defrost,
  doorEffect,
  HOUR_MS,
  isDoorOpen,
  MINUTE_MS,
} from './rhythms.ts';

export const UNIT_KINDS = [
  'ultra_low_freezer',
  'freezer',
  'incubator',
  'fridge',
  'cryo_tank',
  'cold_room',
] as const;
export type UnitKind = (typeof UNIT_KINDS)[number];

/** The compressor weakens from one instant on and has let the temperature past every limit at the other. */
interface Failure {
  beginsAt: Instant;
  crossesAt: Instant;
  /** Somebody mended it; it is as before within the hour. */
  repairedAt?: Instant;
}

export interface SimulatedUnit {
  kind: UnitKind;
  seed: number;
  failure: Failure | null;
  /** The sensor is dead from then on. */
  offlineFrom: Instant | null;
}

export type UnitValues = Record<string, number | boolean>;

/** null: it says nothing. */
export function readUnit(unit: SimulatedUnit, at: Instant): UnitValues | null {
  if (unit.offlineFrom !== null && at >= unit.offlineFrom) return null;
  const isDiagnosticsTime = at % HOUR_MS < 5 * MINUTE_MS;
  return { ...MODELS[unit.kind](unit, at), ...(isDiagnosticsTime ? readDiagnostics(unit, at) : {}) };
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));

const sensorNoise = (seed: number, at: Instant, size: number) =>
  (chanceAt(seedFor(seed, 10), at) * 2 - 1) * size;

/** 0 while the compressor is well, 1 when the limit is crossed, then more. */
function weaknessOf({ failure }: SimulatedUnit, at: Instant): number {
  if (!failure || at <= failure.beginsAt) return 0;
  const { beginsAt, crossesAt, repairedAt = at } = failure;
  const brokenUntil = Math.min(at, repairedAt);
  const mended = Math.min(1, (at - brokenUntil) / HOUR_MS);
  return ((brokenUntil - beginsAt) / (crossesAt - beginsAt)) * (1 - mended);
}

const LOST_DEGREES = 22;
// From -80 °C up to room temperature.
const MOST_LOST_DEGREES = 100;

interface Cooling {
  degrees: number;
  swing: number;
  /** How much warmer a long opening of the door makes it. */
  door: number;
}

function readCooled(unit: SimulatedUnit, at: Instant, { degrees, swing, door }: Cooling): number {
  const { seed } = unit;
  const weakness = weaknessOf(unit, at);
  const lost = Math.min(MOST_LOST_DEGREES, LOST_DEGREES * weakness ** 2);
  // A weak compressor runs all the time: its cycle fades.
  const cycle = swing * compressorCycle(seed, at) * Math.max(0, 1 - weakness);
  return degrees + lost + cycle + door * doorEffect(seed, at) + sensorNoise(seed, at, 0.1);
}

const MODELS: Record<UnitKind, (unit: SimulatedUnit, at: Instant) => UnitValues> = {
  ultra_low_freezer: (unit, at) => ({
    temperature: round(readCooled(unit, at, { degrees: -80, swing: 2.5, door: 5 }), 2),
    door: isDoorOpen(unit.seed, at),
  }),
  freezer: (unit, at) => ({
    temperature: round(
      readCooled(unit, at, { degrees: -20, swing: 1.5, door: 3 }) + 6 * defrost(unit.seed, at),
      2,
    ),
    door: isDoorOpen(unit.seed, at),
  }),
  fridge: (unit, at) => ({
    temperature: round(readCooled(unit, at, { degrees: 5, swing: 1.2, door: 2.5 }), 2),
    door: isDoorOpen(unit.seed, at),
  }),
  cold_room: (unit, at) => ({
    temperature: round(
      readCooled(unit, at, { degrees: 4, swing: 0.4, door: 1.5 }) + 0.8 * dayAndNight(at),
      2,
    ),
    humidity: round(55 + 8 * wander(unit.seed, at, 3 * HOUR_MS), 1),
  }),
  incubator: ({ seed }, at) => ({
    temperature: round(
      37 + 0.12 * wander(seed, at, 40 * MINUTE_MS) - 1.2 * doorEffect(seed, at) + sensorNoise(seed, at, 0.03),
      2,
    ),
    temperature_setpoint: 37,
    co2: round(5 + 0.08 * wander(seedFor(seed, 11), at, 25 * MINUTE_MS) - 1.5 * doorEffect(seed, at), 2),
    running: true,
  }),
  cryo_tank: ({ seed }, at) => ({ level: round(readLevel(seed, at), 1) }),
};

const FULL_PERCENT = 95;
const REFILL_PERCENT = 65;
const REFILL_MS = 30 * MINUTE_MS;

/** Nitrogen boils off for weeks, then somebody refills the tank. */
function readLevel(seed: number, at: Instant): number {
  const periodMs = (18 + 7 * chanceAt(seed, 4)) * DAY_MS;
  const turns = at / periodMs + chanceAt(seed, 5);
  const sinceMs = (turns - Math.floor(turns)) * periodMs;
  const share =
    sinceMs < REFILL_MS ? sinceMs / REFILL_MS : 1 - (sinceMs - REFILL_MS) / (periodMs - REFILL_MS);
  return REFILL_PERCENT + (FULL_PERCENT - REFILL_PERCENT) * share;
}

const BATTERY_LIFE_MS = 700 * DAY_MS;

function readDiagnostics({ seed }: SimulatedUnit, at: Instant): UnitValues {
  const lives = at / BATTERY_LIFE_MS + chanceAt(seed, 6);
  return {
    battery: Math.round(100 - 60 * (lives - Math.floor(lives))),
    rssi: Math.round(-85 + 20 * chanceAt(seed, 7) + 6 * wander(seedFor(seed, 12), at, 2 * HOUR_MS)),
  };
}
