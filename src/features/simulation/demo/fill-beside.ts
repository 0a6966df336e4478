// The demo lab that the first run offers, beside the person's own lab and in a program that is at work already: its past
// is only stored, and what is wrong with it is found out by the engine now.
import type { Requester } from '../../../domain/accounts/requester.ts';
import type { AccountId, OrganizationId } from '../../../domain/ids.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/simulation/rhythms.ts';
import { engineGateway } from '../gateway.ts';
import { perform, planActs } from './acts.ts';
import { JUDGED_MS } from './fill.ts';
import { drawDemoPlan } from './floor-plan.ts';
import { describeDemo } from './lab.ts';
import { type DemoDeps, keepAlive, planPeriod, type RunningDemo, SEED } from './open-demo.ts';
import { type DemoUnit, ORGANIZATIONS, type Period, planDemo } from './plan.ts';
import { finishDemonstration, insertDemonstration, selectChannels, selectOwner } from './queries.ts';
import { readStretch } from './read-stretch.ts';
import { nameChannels, storeReadings } from './store-readings.ts';

/** What people did before that has no effect on the present. */
const RECENT_MS = 27 * HOUR_MS;

/** null: a demonstration is there already. */
export async function fillBeside(deps: DemoDeps, ownerId: AccountId): Promise<RunningDemo | null> {
  const { db, clock, retentionDays } = deps;
  const owner = await selectOwner(db, ownerId);
  const period = planPeriod(clock(), retentionDays);
  const [beganAt, untilAt] = [new Date(period.from), new Date(period.until)];
  const demonstration = { seed: SEED, beganAt, untilAt, filledAt: null };
  if (!owner || !(await insertDemonstration(db, demonstration))) return null;

  const units = planDemo(SEED, period);
  const applied = await deps.applyLab(describeDemo({ units, people: { owner: owner.email } }), clock());
  if (!applied.ok) throw new Error(applied.refusal);
  const { organizations, services } = applied.value;
  await drawDemoPlan(db, units, applied.value, clock());
  await storePast(deps, units, period);
  for (const organization of ORGANIZATIONS) {
    const organizationId = organizations[organization] as OrganizationId;
    const own = units.filter((unit) => unit.organization === organization);
    const recent = { from: period.until - JUDGED_MS, until: period.until };
    const readings = own.flatMap((unit) => readStretch(unit, recent, period));
    await engineGateway({ db, clock, retentionDays }, organizationId).send(readings, 'live');
  }
  const memberships = Object.entries(organizations).map(([organizationName, id]) => ({
    organizationId: id as OrganizationId,
    organizationName,
    role: 'administrator' as const,
  }));
  const { name, timezone } = owner;
  const requester: Requester = {
    accountId: ownerId,
    name,
    timezone,
    memberships,
    address: '',
    requestId: 'demo',
  };
  for (const act of planActs(period.until).filter(({ at }) => at > period.until - RECENT_MS))
    await perform(db, act, requester, services, clock());
  await finishDemonstration(db, clock());
  return keepAlive(deps, units, organizations);
}

async function storePast({ db, clock }: DemoDeps, units: readonly DemoUnit[], period: Period): Promise<void> {
  const channels = nameChannels(
    await selectChannels(
      db,
      units.map(({ device }) => device),
    ),
  );
  const until = period.until - JUDGED_MS;
  for (let from = period.from; from < until; from += DAY_MS) {
    const day = { from, until: Math.min(from + DAY_MS, until) };
    const readings = units.flatMap((unit) => readStretch(unit, day, period));
    await storeReadings(db, channels, readings, clock());
  }
}
