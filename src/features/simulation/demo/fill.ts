// The history of the demonstration, as if it had happened: stretch by stretch, readings first, then what time and people
// do about them. Where nothing happens to a unit, its readings are only stored.

import type { OrganizationId } from '../../../domain/ids.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { MostDays } from '../../../domain/readings/retention.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/simulation/rhythms.ts';
import { readUnit } from '../../../domain/simulation/unit.ts';
import { createSweeper } from '../../../engine/alarm-state/sweep.ts';
import { decideDue } from '../../../engine/outbox/decide.ts';
import { settleDeliveries } from '../../../engine/outbox/letters.ts';
import type { Database } from '../../../platform/db/database.ts';
import { engineGateway, type Gateway, type SimulatedReading } from '../gateway.ts';
import { type Act, perform } from './acts.ts';
import { askAs, type LabIds } from './people.ts';
import { type DemoUnit, isEventful, ORGANIZATIONS, type Period } from './plan.ts';
import { type ChannelIds, storeReadings } from './store-readings.ts';

export interface FillDeps {
  db: Database;
  retentionDays: MostDays;
  say(line: string): void;
}

export interface FillTask {
  units: readonly DemoUnit[];
  channels: ChannelIds;
  ids: LabIds;
  acts: readonly Act[];
  period: Period;
}

/** Of the history and of its last days. */
const STEP_MS = { coarse: 10 * MINUTE_MS, fine: 5 * MINUTE_MS };
const FINE_MS = 2 * DAY_MS;
/** Everything is judged in the end, so that the present is what the engine says it is. */
export const JUDGED_MS = 6 * HOUR_MS;
/** What was told this recently is left for the program to deliver. */
const UNDELIVERED_MS = HOUR_MS;

export async function fillDemo({ db, retentionDays, say }: FillDeps, task: FillTask): Promise<number> {
  const { units, channels, ids, acts, period } = task;
  const gateways = openGateways(db, retentionDays, ids);
  let stored = 0;
  let saidDays = 0;
  for (const stretch of cutStretches(period, acts)) {
    const now = new Date(stretch.until);
    const isRecent = stretch.until > period.until - JUDGED_MS;
    const judged = units.filter((unit) => isRecent || isEventful(unit, stretch));
    const plain = units.filter((unit) => !judged.includes(unit));
    const readings = plain.flatMap((unit) => readStretch(unit, stretch, period));
    // The newest go the usual way: otherwise the gap would count as stale.
    const newest = plain.flatMap((unit) => readings.findLast(({ device }) => device === unit.device) ?? []);
    stored += await storeReadings(
      db,
      channels,
      readings.filter((reading) => !newest.includes(reading)),
      now,
    );
    for (const organization of ORGANIZATIONS) {
      const isOurs = ({ device }: SimulatedReading) =>
        units.some((unit) => unit.device === device && unit.organization === organization);
      const all = [...newest, ...judged.flatMap((unit) => readStretch(unit, stretch, period))].filter(isOurs);
      stored += await take(gateways.get(organization), all);
    }
    await createSweeper(db)(now);
    for (const act of acts.filter(({ at }) => at === stretch.until)) {
      await perform(db, act, askAs(act.by, ids), ids.services, now);
    }
    await decideDue(db, now);
    if (stretch.until < period.until - UNDELIVERED_MS) await settleDeliveries(db, now);
    const days = Math.floor((stretch.until - period.from) / DAY_MS);
    if (days >= saidDays + 5) {
      saidDays = days;
      say(`  ${days} of ${Math.round((period.until - period.from) / DAY_MS)} days, ${stored} readings`);
    }
  }
  return stored;
}

const openGateways = (db: Database, retentionDays: MostDays, ids: LabIds) =>
  new Map(
    ORGANIZATIONS.map((organization) => [
      organization,
      engineGateway(
        { db, clock: () => new Date(), retentionDays },
        ids.organizations[organization] as OrganizationId,
      ),
    ]),
  );

async function take(gateway: Gateway | undefined, readings: readonly SimulatedReading[]): Promise<number> {
  if (!gateway || readings.length === 0) return 0;
  const taken = await gateway.send(readings, 'history');
  if (!taken.ok) throw new Error(taken.refusal);
  const [rejected] = taken.value.rejected;
  if (rejected) throw new Error(`A reading of the demonstration was rejected: ${rejected.reason}`);
  return taken.value.accepted;
}

/** A day each, then ever shorter ones; and one ends wherever somebody does something. */
function cutStretches({ from, until }: Period, acts: readonly Act[]): Period[] {
  const ends = new Set([until, ...acts.map(({ at }) => at)]);
  for (let at = from + DAY_MS; at < until - FINE_MS; at += DAY_MS) ends.add(at);
  for (let at = until - FINE_MS; at < until - JUDGED_MS; at += 6 * HOUR_MS) ends.add(at);
  for (let at = until - JUDGED_MS; at < until; at += 30 * MINUTE_MS) ends.add(at);
  const sorted = [...ends].filter((at) => at > from && at <= until).sort((one, other) => one - other);
  return sorted.map((end, index) => ({ from: sorted[index - 1] ?? from, until: end }));
}

/** Readings after `from` up to and with `until`. */
export function readStretch(unit: DemoUnit, { from, until }: Period, period: Period): SimulatedReading[] {
  const readings: SimulatedReading[] = [];
  const next = (at: Instant) => {
    const stepMs = at >= period.until - FINE_MS ? STEP_MS.fine : STEP_MS.coarse;
    return Math.floor(at / stepMs) * stepMs + stepMs;
  };
  for (let at = next(from); at <= until; at = next(at)) {
    const values = readUnit(unit, at);
    if (values) readings.push({ device: unit.device, at, values });
  }
  return readings;
}
