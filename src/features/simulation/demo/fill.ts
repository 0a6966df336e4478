// The history of the demonstration, as if it had happened: stretch by stretch, readings first, then what time and people
// do about them. Where nothing happens to a unit, its readings are only stored.

import { groupBy } from '../../../domain/group-by.ts';
import type { OrganizationId } from '../../../domain/ids.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { MostDays } from '../../../domain/readings/retention.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/simulation/rhythms.ts';
import { createSweeper } from '../../../engine/alarm-state/sweep.ts';
import { decideDue } from '../../../engine/outbox/decide.ts';
import { settleDeliveries } from '../../../engine/outbox/letters.ts';
import type { Database } from '../../../platform/db/database.ts';
import { engineGateway, type Gateway, type SimulatedReading } from '../gateway.ts';
import { listLimits } from '../lab-text.ts';
import { type Act, perform } from './acts.ts';
import { askAs, type LabIds } from './people.ts';
import { type DemoUnit, isEventful, ORGANIZATIONS, type Period } from './plan.ts';
import { FINE_MS, readStretch } from './read-stretch.ts';
import { type ChannelIds, storeReadings } from './store-readings.ts';
import { planTurns } from './turns.ts';

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

/** Everything is judged in the end, so that the present is what the engine says it is. */
export const JUDGED_MS = 6 * HOUR_MS;
/** What was told this recently is left for the program to deliver. */
const UNDELIVERED_MS = HOUR_MS;

export async function fillDemo({ db, retentionDays, say }: FillDeps, task: FillTask): Promise<number> {
  const { units, channels, ids, acts, period } = task;
  const gateways = openGateways(db, retentionDays, ids);
  const sweep = createSweeper(db);
  const organizationOf = new Map(units.map(({ device, organization }) => [device, organization]));
  const takeAll = async (readings: readonly SimulatedReading[]) => {
    let taken = 0;
    for (const [organization, ours] of groupBy(readings, ({ device }) => organizationOf.get(device) ?? ''))
      taken += await take(gateways.get(organization), ours);
    return taken;
  };
  const tell = async (now: Date) => {
    await decideDue(db, now);
    if (now.getTime() < period.until - UNDELIVERED_MS) await settleDeliveries(db, now);
  };
  let stored = 0;
  let saidDays = 0;
  for (const stretch of cutStretches(period, acts)) {
    const now = new Date(stretch.until);
    const isRecent = stretch.until > period.until - JUDGED_MS;
    const judged = units.filter((unit) => isRecent || isEventful(unit, stretch));
    const plain = units.filter((unit) => !judged.includes(unit));
    const readings = plain.flatMap((unit) => readStretch(unit, stretch, period));
    const turns = planTurns(judged, stretch, period);
    const heard = hearQuiet(plain, readings, [stretch.from, ...turns]);
    const isHeard = new Set(heard.flat());
    stored += await storeReadings(
      db,
      channels,
      readings.filter((reading) => !isHeard.has(reading)),
      now,
    );
    let from = stretch.from;
    for (const [index, until] of turns.entries()) {
      const spoken = judged.flatMap((unit) => readStretch(unit, { from, until }, period));
      stored += await takeAll([...(heard[index] ?? []), ...spoken]);
      await sweep(new Date(until));
      if (until < stretch.until) await tell(new Date(until));
      from = until;
    }
    for (const act of acts.filter(({ at }) => at === stretch.until)) {
      await perform(db, act, askAs(act.by, ids), ids.services, now);
    }
    await tell(now);
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

/** Nothing follows it for a day: what is passed for a moment would count as passed until then. */
const isCalm = ({ kind }: DemoUnit, { values }: SimulatedReading): boolean =>
  listLimits(kind).every(({ isPassedBy }) => !isPassedBy(values));

/** Whoever was heard this lately is not silent. */
const HEARD_MS = 5 * MINUTE_MS;

/** By turn: the newest calm reading of each goes the usual way. Otherwise the gap would count as stale. */
function hearQuiet(
  units: readonly DemoUnit[],
  readings: readonly SimulatedReading[],
  [first = 0, ...turns]: readonly Instant[],
): SimulatedReading[][] {
  const byDevice = groupBy(readings, ({ device }) => device);
  let from = first;
  return turns.map((until, index) => {
    const isLast = index === turns.length - 1;
    if (until - from <= HEARD_MS && !isLast) return [];
    const since = from;
    from = until;
    return units.flatMap((unit) => {
      const lately = (byDevice.get(unit.device) ?? []).filter(({ at }) => at > since && at <= until);
      const calm = lately.findLast((one) => isCalm(unit, one));
      return calm ?? (isLast ? [] : lately.slice(-1));
    });
  });
}
