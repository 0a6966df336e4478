// `serve --demo`: fills an empty database with a believable lab, or goes on with the one it filled before.

import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { groupBy } from '../../../domain/group-by.ts';
import type { OrganizationId } from '../../../domain/ids.ts';
import type { MostDays } from '../../../domain/readings/retention.ts';
import { ok, type Result, refuse } from '../../../domain/result.ts';
import { DAY_MS, MINUTE_MS } from '../../../domain/simulation/rhythms.ts';
import { packInbox } from '../../../engine/packing/pack-inbox.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import { engineGateway } from '../gateway.ts';
import { goLive } from '../simulate.ts';
import { planActs } from './acts.ts';
import { fillDemo } from './fill.ts';
import { drawDemoPlan } from './floor-plan.ts';
import { describeDemo } from './lab.ts';
import { type LabIds, PEOPLE } from './people.ts';
import { type DemoUnit, ORGANIZATIONS, type Period, planDemo } from './plan.ts';
import {
  finishDemonstration,
  insertDemonstration,
  isEmptyDatabase,
  selectChannels,
  selectDemonstration,
  selectOrganizationIds,
} from './queries.ts';
import { nameChannels } from './store-readings.ts';

export interface DemoDeps {
  db: Database;
  clock: Clock;
  log: Log;
  retentionDays: MostDays;
  say(line: string): void;
  applyLab(text: string, now: Date): Promise<Result<LabIds, string>>;
}

export interface RunningDemo {
  stop(): Promise<void>;
}

export const SEED = 1;
const HISTORY_DAYS = 30;
const LIVE_MS = MINUTE_MS;

/** Before anything else runs on the database: the past is filled in with its own time. */
export async function openDemo(deps: DemoDeps): Promise<Result<RunningDemo, string>> {
  const known = await selectDemonstration(deps.db);
  if (known && !known.filledAt)
    return refuse(
      'The demonstration was interrupted while it was filled in. Start with another data folder (TOCSIN_DATA), or remove this one.',
    );
  if (known) {
    const period = { from: known.beganAt.getTime(), until: known.untilAt.getTime() };
    deps.say('The demonstration goes on. Its passwords were shown when it was filled in.');
    const units = await keepThoseThere(deps.db, planDemo(known.seed, period));
    return ok(keepAlive(deps, units, await selectOrganizationIds(deps.db, ORGANIZATIONS)));
  }
  if (!(await isEmptyDatabase(deps.db)))
    return refuse(
      '--demo fills an empty database only, and this one has organizations or accounts. Name another data folder with TOCSIN_DATA.',
    );
  return fillAnew(deps);
}

/** An earlier version may have filled in fewer. */
async function keepThoseThere(db: Database, units: readonly DemoUnit[]): Promise<DemoUnit[]> {
  const devices = units.map(({ device }) => device);
  const there = new Set((await selectChannels(db, devices)).map(({ device }) => device));
  return units.filter(({ device }) => there.has(device));
}

async function fillAnew(deps: DemoDeps): Promise<Result<RunningDemo, string>> {
  const { db, clock, retentionDays, say } = deps;
  const startedMs = performance.now();
  const period = planPeriod(clock(), retentionDays);
  const beganAt = new Date(period.from);
  const isOurs = await insertDemonstration(db, {
    seed: SEED,
    beganAt,
    untilAt: new Date(period.until),
    filledAt: null,
  });
  if (!isOurs) return refuse('Another program fills the demonstration in.');

  const units = planDemo(SEED, period);
  say(`Filling in a demonstration: ${units.length} services and their history.`);
  const passwords = new Map(PEOPLE.map(({ email }) => [email, randomBytes(9).toString('base64url')]));
  const lab = describeDemo({ units, people: { passwords } });
  const applied = await deps.applyLab(lab, beganAt);
  if (!applied.ok) return applied;
  const ids = applied.value;
  await drawDemoPlan(db, units, ids, beganAt);
  const channels = nameChannels(
    await selectChannels(
      db,
      units.map(({ device }) => device),
    ),
  );
  const acts = planActs(period.until).filter(({ at }) => at > period.from);
  const stored = await fillDemo(deps, { units, channels, ids, acts, period });
  while ((await packInbox(db, clock(), { atOnce: true })) === 'more_to_do');
  await finishDemonstration(db, clock());
  say(`Filled in ${stored} readings in ${Math.round((performance.now() - startedMs) / 1000)} seconds.`);
  sayPeople(say, passwords);
  return ok(keepAlive(deps, units, ids.organizations));
}

export function planPeriod(now: Date, retentionDays: MostDays): Period {
  const until = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  return {
    from: until - Math.min(HISTORY_DAYS, (retentionDays ?? Number.POSITIVE_INFINITY) - 1) * DAY_MS,
    until,
  };
}

function sayPeople(say: DemoDeps['say'], passwords: ReadonlyMap<string, string>): void {
  say('');
  say('Sign in as one of:');
  for (const { email, roles } of PEOPLE) {
    const held = Object.entries(roles).map(([organization, role]) => `${role} of ${organization}`);
    const role = held.length > 0 ? held.join(', ') : 'no role anywhere';
    say(`  ${email.padEnd(18)} ${passwords.get(email) ?? ''}   ${role}`);
  }
  say('');
}

/** Live readings until it is stopped, the first at once. */
export function keepAlive(
  { db, clock, log, retentionDays, say }: Pick<DemoDeps, 'db' | 'clock' | 'log' | 'retentionDays' | 'say'>,
  units: readonly DemoUnit[],
  organizations: Record<string, number>,
): RunningDemo {
  const controller = new AbortController();
  const { signal } = controller;
  const sleep = (ms: number) => pause(ms, undefined, { signal }).catch(() => {});
  const from = clock().getTime() - LIVE_MS;
  const running = [...groupBy(units, ({ organization }) => organization)].map(async ([organization, own]) => {
    const gateway = engineGateway(
      { db, clock, retentionDays },
      organizations[organization] as OrganizationId,
    );
    const ended = await goLive({ gateway, clock, sleep, say, signal }, own, { from, intervalMs: LIVE_MS });
    if (!ended.ok) log.warn({ reason: ended.refusal }, 'the demonstration has stopped');
  });
  const finished = Promise.all(running).catch((error) =>
    log.error({ err: error }, 'the demonstration has stopped'),
  );
  return {
    async stop() {
      controller.abort();
      await finished;
    },
  };
}
