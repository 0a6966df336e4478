// `tocsin simulate`: a believable lab, in the database or at the end of a URL.

import { setTimeout as pause } from 'node:timers/promises';
import type { OrganizationId } from '../../domain/ids.ts';
import type { MostDays } from '../../domain/readings/retention.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import { type LabUnit, planLab } from '../../domain/simulation/lab.ts';
import { DAY_MS } from '../../domain/simulation/rhythms.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Output } from '../../platform/terminal.ts';
import { engineGateway, type Gateway } from './gateway.ts';
import { httpGateway } from './http-gateway.ts';
import { describeLab } from './lab-text.ts';
import { selectDeviceKeys } from './queries.ts';
import { fillHistory, goLive, type SimulationCounts } from './simulate.ts';

/** As typed at the command line. */
export interface SimulateOptions {
  days: string;
  services: string;
  interval: string;
  seed: string;
  organization: string;
  live?: true;
  url?: string;
  secret?: string;
  printLab?: true;
  json?: true;
}

export interface SimulateCommand {
  days: number;
  services: number;
  intervalSeconds: number;
  seed: number;
  organization: string;
  isLive: boolean;
  isJson: boolean;
  /** null: straight into the database. */
  server: { url: URL; secret: string } | null;
}

export interface SimulateDeps {
  clock: Clock;
  out: Output;
  signal: AbortSignal;
  sleep?(ms: number): Promise<void>;
}

/** What it takes to work on the database; rooms do not know each other, so applying a lab file is handed in. */
export interface SimulateDatabase {
  db: Database;
  retentionDays: MostDays;
  applyLab(text: string): Promise<Result<Record<string, number>, string>>;
}

const HISTORY_STEP_MS = 5 * 60_000;
const MOST_SERVICES = 10_000;

export function readSimulateOptions(options: SimulateOptions): Result<SimulateCommand, string> {
  const days = readNumber(options.days);
  const services = readNumber(options.services);
  const intervalSeconds = readNumber(options.interval);
  const seed = readNumber(options.seed);
  if (days === null || days > 36_500) return refuse('--days must be a number of days, 0 or more');
  if (services === null || !Number.isInteger(services) || services < 1 || services > MOST_SERVICES)
    return refuse(`--services must be a whole number from 1 to ${MOST_SERVICES}`);
  if (intervalSeconds === null || intervalSeconds < 1)
    return refuse('--interval must be a number of seconds, 1 or more');
  if (seed === null || !Number.isInteger(seed)) return refuse('--seed must be a whole number');
  const server = readServer(options);
  if (!server.ok) return server;
  const { organization, live = false, json = false } = options;
  const isLive = live;
  return ok({
    days,
    services,
    intervalSeconds,
    seed,
    organization,
    isLive,
    isJson: json,
    server: server.value,
  });
}

const readNumber = (text: string) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : null);

function readServer({ url, secret }: SimulateOptions): Result<SimulateCommand['server'], string> {
  if (url === undefined) return ok(null);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    return refuse('--url must be an http:// or https:// address');
  if (secret === undefined) return refuse('--url needs --secret, the secret of a source');
  return ok({ url: new URL(url), secret });
}

/** The lab file of the simulated lab, for a server elsewhere. */
export function printLab(command: SimulateCommand, secret: string | null, now: Date): string {
  return describeLab({ ...command, units: planUnits(command, now), secret });
}

function planUnits({ services, seed, days }: SimulateCommand, now: Date): LabUnit[] {
  const until = now.getTime();
  return planLab({ services, seed, from: until - days * DAY_MS, until });
}

/** Answers with the exit code. Without a database it sends over HTTP. */
export async function runSimulate(
  deps: SimulateDeps,
  command: SimulateCommand,
  database: SimulateDatabase | null,
): Promise<0 | 1> {
  const { clock, out, signal } = deps;
  const now = clock();
  const units = planUnits(command, now);
  const sleep = deps.sleep ?? ((ms: number) => pause(ms, undefined, { signal }).catch(() => {}));
  const say = out.stderr;

  const gateway = await openGateway({ ...deps, sleep }, command, units, database);
  if (!gateway.ok) {
    say(gateway.refusal);
    return 1;
  }
  const simulation = { gateway: gateway.value, clock, signal, sleep, say };
  const until = now.getTime();
  const from = until - command.days * DAY_MS;
  const intervalMs = command.intervalSeconds * 1000;
  const stepMs = Math.max(HISTORY_STEP_MS, intervalMs);
  const history = await fillHistory(simulation, units, { from, until, stepMs });
  if (!history.ok) {
    say(history.refusal);
    return 1;
  }
  tellCounts(out, command, 'history', history.value);
  if (!command.isLive || signal.aborted) return history.value.rejected === 0 ? 0 : 1;

  say(`Live: a reading of every unit each ${command.intervalSeconds} seconds. Ctrl-C stops.`);
  const lastAt = Math.floor(until / stepMs) * stepMs;
  const live = await goLive(simulation, units, { from: Math.max(from, lastAt + 1), intervalMs });
  if (!live.ok) {
    say(live.refusal);
    return 1;
  }
  tellCounts(out, command, 'live', live.value);
  return 0;
}

async function openGateway(
  { clock, out, signal, sleep }: Required<SimulateDeps>,
  command: SimulateCommand,
  units: readonly LabUnit[],
  database: SimulateDatabase | null,
): Promise<Result<Gateway, string>> {
  const { organization, days, server } = command;
  if (!database) {
    if (!server) return refuse('There is neither a database nor a server to send to');
    return ok(httpGateway({ sleep, say: out.stderr, signal }, server));
  }
  const { db, retentionDays, applyLab } = database;
  if (retentionDays !== null && days > retentionDays)
    return refuse(`--days may be at most ${retentionDays}, the days that readings are kept`);
  // Somebody may have changed the limits of a unit that is there already: it stays as it is.
  const known = await selectDeviceKeys(db, organization);
  const missing = units.filter(({ device }) => !known.has(device));
  const applied = await applyLab(describeLab({ ...command, units: missing, secret: null }));
  if (!applied.ok) return applied;
  const organizationId = applied.value[organization] as OrganizationId;
  return ok(engineGateway({ db, clock, retentionDays }, organizationId));
}

function tellCounts(
  out: Output,
  { isJson, organization }: SimulateCommand,
  what: 'history' | 'live',
  counts: SimulationCounts,
): void {
  const { accepted, duplicates, rejected } = counts;
  out.stdout(
    isJson
      ? JSON.stringify({ organization, part: what, ...counts })
      : `${organization}, ${what}: ${accepted} readings accepted, ${duplicates} duplicates, ${rejected} rejected.`,
  );
}
