// Fills in the history of a simulated lab and goes on with live readings until it is stopped.

import type { Instant } from '../../domain/instant.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { LabUnit } from '../../domain/simulation/lab.ts';
import { readUnit } from '../../domain/simulation/unit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Gateway, SimulatedReading, When } from './gateway.ts';

const READINGS_PER_POST = 2_000;
// Whoever was asleep for longer than that has a gap in the data, like a real gateway.
const MOST_CAUGHT_UP_MS = 24 * 60 * 60 * 1000;

export interface SimulationDeps {
  gateway: Gateway;
  clock: Clock;
  sleep(ms: number): Promise<void>;
  say(line: string): void;
  signal: AbortSignal;
}

export interface SimulationCounts {
  accepted: number;
  duplicates: number;
  rejected: number;
}

const roundUp = (at: Instant, stepMs: number) => Math.ceil(at / stepMs) * stepMs;
const roundDown = (at: Instant, stepMs: number) => Math.floor(at / stepMs) * stepMs;

/** One unit after the other: each is then in the past only for a moment, which a running server may notice. */
export async function fillHistory(
  deps: SimulationDeps,
  units: readonly LabUnit[],
  { from, until, stepMs }: { from: Instant; until: Instant; stepMs: number },
): Promise<Result<SimulationCounts, string>> {
  const counts = { accepted: 0, duplicates: 0, rejected: 0 };
  for (const unit of units) {
    for (const readings of cutPosts(readSeries(unit, roundUp(from, stepMs), until, stepMs))) {
      if (deps.signal.aborted) return ok(counts);
      const sent = await send(deps, readings, 'history', counts);
      if (!sent.ok) return sent;
    }
    deps.say(`${unit.name}: ${counts.accepted + counts.duplicates} readings so far`);
  }
  return ok(counts);
}

/** A reading of every unit at each full interval; what was missed while sending is caught up. */
export async function goLive(
  deps: SimulationDeps,
  units: readonly LabUnit[],
  { from, intervalMs }: { from: Instant; intervalMs: number },
): Promise<Result<SimulationCounts, string>> {
  const counts = { accepted: 0, duplicates: 0, rejected: 0 };
  let nextAt = roundUp(from, intervalMs);
  while (!deps.signal.aborted) {
    const now = deps.clock().getTime();
    if (now < nextAt) {
      await deps.sleep(nextAt - now);
      continue;
    }
    nextAt = Math.max(nextAt, roundDown(now - MOST_CAUGHT_UP_MS, intervalMs));
    const readings: SimulatedReading[] = [];
    for (; nextAt <= now; nextAt += intervalMs)
      readings.push(...units.flatMap((unit) => readOnce(unit, nextAt)));
    for (const post of cutPosts(readings)) {
      const sent = await send(deps, post, 'live', counts);
      if (!sent.ok) return deps.signal.aborted ? ok(counts) : sent;
    }
  }
  return ok(counts);
}

function readOnce(unit: LabUnit, at: Instant): SimulatedReading[] {
  const values = readUnit(unit, at);
  return values ? [{ device: unit.device, at, values }] : [];
}

function* readSeries(unit: LabUnit, from: Instant, until: Instant, stepMs: number) {
  for (let at = from; at <= until; at += stepMs) yield* readOnce(unit, at);
}

function* cutPosts(readings: Iterable<SimulatedReading>): Generator<SimulatedReading[]> {
  let post: SimulatedReading[] = [];
  let size = 0;
  for (const reading of readings) {
    post.push(reading);
    size += Object.keys(reading.values).length;
    if (size < READINGS_PER_POST) continue;
    yield post;
    post = [];
    size = 0;
  }
  if (post.length > 0) yield post;
}

async function send(
  { gateway, say }: SimulationDeps,
  readings: readonly SimulatedReading[],
  when: When,
  counts: SimulationCounts,
): Promise<Result<null, string>> {
  const sent = await gateway.send(readings, when);
  if (!sent.ok) return sent;
  const { accepted, duplicates, rejected } = sent.value;
  const [first] = rejected;
  if (first && counts.rejected === 0)
    say(`Readings of ${readings[first.index]?.device ?? 'a device'} were rejected: ${first.reason}`);
  counts.accepted += accepted;
  counts.duplicates += duplicates;
  counts.rejected += rejected.length;
  return ok(null);
}
