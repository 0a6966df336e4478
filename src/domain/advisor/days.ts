// A history day by day: where its level jumped, and whether it creeps.
import { HOUR_MS, type Span } from '../readings/span.ts';
import type { ChannelHistory } from './history.ts';
import { medianOf, quantile, sorted } from './quantiles.ts';

export const DAY_MS = 24 * HOUR_MS;

export interface Day extends Span {
  readings: number;
  median: number;
  /** Nine tenths of its readings lie above, and below. */
  low: number;
  high: number;
}

const LEAST_READINGS_OF_A_DAY = 3;
const LEAST_SHARE_OF_A_DAY = 0.3;

/** Counted back from the last reading, so that the newest day is a whole one. Days with few readings are left out. */
export function sumUpDays(history: ChannelHistory, intervalMs: number): Day[] {
  const { at, value } = history;
  const end = (at.at(-1) ?? 0) + 1;
  const least = Math.max(LEAST_READINGS_OF_A_DAY, (LEAST_SHARE_OF_A_DAY * DAY_MS) / intervalMs);
  const days: Day[] = [];
  for (let first = 0; first < at.length; ) {
    const daysBack = Math.floor((end - 1 - (at[first] as number)) / DAY_MS);
    const to = end - daysBack * DAY_MS;
    let next = first + 1;
    while (next < at.length && (at[next] as number) < to) next += 1;
    if (next - first >= least) {
      const values = sorted(value.subarray(first, next));
      days.push({
        from: to - DAY_MS,
        to,
        readings: next - first,
        median: quantile(values, 0.5),
        low: quantile(values, 0.1),
        high: quantile(values, 0.9),
      });
    }
    first = next;
  }
  return days;
}

export const typicalWidth = (days: readonly Day[]): number =>
  medianOf(days.map(({ low, high }) => high - low));

export const middleOf = ({ from, to }: Span): number => (from + to) / 2;

export const levelOf = (days: readonly Day[]): number => medianOf(days.map(({ median }) => median));

/** Cuts where the level jumped from one day to the next, or within a day, by more than it moves in an ordinary day. */
export function splitAtJumps(days: readonly Day[], width: number): Day[][] {
  const parts: Day[][] = [];
  let begin = 0;
  for (let index = 1; index < days.length; index += 1) {
    if (!isJump(days, index, width)) continue;
    parts.push(days.slice(begin, index));
    begin = index;
  }
  return [...parts, days.slice(begin)];
}

const STANDS_OUT = 3;

/** What creeps takes a step every day. A jump stands out from the steps around it. */
function isJump(days: readonly Day[], index: number, width: number): boolean {
  const stepTo = (place: number) => {
    const [from, to] = [days[place - 1], days[place]];
    return from && to ? to.median - from.median : 0;
  };
  const isLarge = (step: number, before: number, after: number) =>
    Math.abs(step) > width && Math.abs(step) >= STANDS_OUT * Math.max(Math.abs(before), Math.abs(after));
  const [before, step, next, afterNext] = [-1, 0, 1, 2].map((offset) => stepTo(index + offset)) as Steps;
  if (isLarge(step, before, next)) return true;
  // The day of the jump may lie between the levels.
  return step * next > 0 && isLarge(step + next, before, afterNext) && !isLarge(next, step, afterNext);
}

type Steps = [before: number, step: number, next: number, afterNext: number];

/** Sinks (or climbs) and is filled up again: the same slope on both sides of a jump the other way. */
export function findRefillSlope(parts: readonly (readonly Day[])[]): number | null {
  const slopes: number[] = [];
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    if (!next) break;
    const jump = (next[0]?.median ?? 0) - (part.at(-1)?.median ?? 0);
    const [slope, nextSlope] = [slopeOf(part), slopeOf(next)];
    if (slope === null || nextSlope === null) continue;
    const ratio = slope / nextSlope;
    if (slope * jump < 0 && ratio > 1 / 3 && ratio < 3) slopes.push(slope, nextSlope);
  }
  return slopes.length > 0 ? medianOf(slopes) : null;
}

/** Per day, between the first and the last. */
function slopeOf(days: readonly Day[]): number | null {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last || last.from - first.from < 2 * DAY_MS) return null;
  return ((last.median - first.median) / (last.from - first.from)) * DAY_MS;
}

const NEIGHBOURS = 3;
const DRIFT_LEAST_DAYS = 4;
const DRIFT_LEAST_AGREEMENT = 0.6;
const DRIFT_LEAST_SHARE = 0.5;
const STEADY_SHARE = 0.15;

export interface Drift {
  perDay: number;
  /** The days before it showed. */
  steady: Day[];
  /** When it began to show. */
  from: number;
}

/** A level that keeps creeping one way, by more than half of what it moves in an ordinary day. */
export function findDrift(days: readonly Day[], width: number): Drift | null {
  if (days.length < DRIFT_LEAST_DAYS) return null;
  const head = levelOf(days.slice(0, NEIGHBOURS));
  const tail = levelOf(days.slice(-NEIGHBOURS));
  if (Math.abs(tail - head) <= DRIFT_LEAST_SHARE * width) return null;
  if (Math.abs(agreementOf(days)) < DRIFT_LEAST_AGREEMENT) return null;
  const start = days[0]?.median ?? 0;
  const isSteady = ({ median }: Day) => Math.abs(median - start) <= STEADY_SHARE * width;
  const first = days.findIndex((day) => !isSteady(day));
  const steady = days.slice(0, Math.max(first, 0));
  const from = middleOf(days[Math.max(first, 0)] as Day);
  const to = middleOf(days.at(-1) as Day);
  return { perDay: ((tail - start) / Math.max(to - from, DAY_MS)) * DAY_MS, steady, from };
}

const MOST_COMPARED = 100;

/** Kendall's tau: 1 when every later day is higher than every earlier one, -1 when lower, about 0 without a direction. */
function agreementOf(days: readonly Day[]): number {
  const stride = Math.ceil(days.length / MOST_COMPARED);
  const compared = days.filter((_, index) => index % stride === 0);
  let sum = 0;
  for (const [index, { median }] of compared.entries()) {
    for (const later of compared.slice(index + 1)) sum += Math.sign(later.median - median);
  }
  return sum / ((compared.length * (compared.length - 1)) / 2);
}
