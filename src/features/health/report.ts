import {
  type Finding,
  findFullestDisk,
  type HostFigures,
  type WatchFigures,
} from '../../domain/self-watch.ts';
import { selectOutboxFigures } from '../../engine/delivery/outbox-figures.ts';
import { hasCitus, selectWorkers } from '../../engine/nodes/nodes.ts';
import { selectReadingFigures } from '../../engine/readings/reading-figures.ts';
import { selectStored } from '../../engine/readings/usage.ts';
import { lookAtService } from '../../engine/self-watch/look.ts';
import type { Config } from '../../platform/config.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import { compareSchema } from '../../platform/db/migrations.ts';
import type { Log } from '../../platform/log.ts';
import { openGate } from '../../platform/turns.ts';
import { within } from '../../platform/within.ts';
import { selectPendingRecommendations, selectServerVersion } from './queries.ts';

export interface HealthDeps {
  db: Database;
  /** The connections of the pages, where the program has any. */
  pages?: Pick<Database, 'pressure'>;
  log: Log;
  config: Pick<Config, 'databaseUrl' | 'retentionDays' | 'advisor'>;
  /** Of a host on which no program may be there to say it. */
  ownHost?: HostFigures;
}

type Facts = Record<string, string | number | null | string[]>;
type Component = { status: 'ok' | 'degraded'; reason: string | null } & Facts;

export interface HealthReport {
  status: 'healthy' | 'degraded';
  degraded: string[];
  /** What the service found wrong with itself, worst first. */
  findings: Finding[];
  components: Record<string, Component>;
}

const PACKING_LATE_SECONDS = 1800;
const ADVICE_LATE_SECONDS = 600;
const PATIENCE_MS = 5_000;

interface CheckDeps extends Pick<HealthDeps, 'db' | 'pages' | 'config'> {
  reading: ReadDatabase;
  /** null: they could not be read. */
  figures: WatchFigures | null;
}

/** Beside what is found by the service itself, a component may have a trouble of its own. */
type Check = (deps: CheckDeps, now: Date) => Promise<{ facts: Facts; trouble?: string | null }>;

const secondsSince = (at: Date, now: Date) => Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000));
const ageOf = (at: Date | null, now: Date) => at && secondsSince(at, now);

const CHECKS: Record<string, Check> = {
  database: async ({ db, pages, reading, config }) => {
    const startedAt = performance.now();
    const server = await selectServerVersion(reading);
    const workers = (await hasCitus(reading)) ? await selectWorkers(reading) : null;
    const { total, idle, waiting } = db.pressure();
    const forPages = pages?.pressure();
    const facts = {
      kind: config.databaseUrl ? 'external' : 'embedded',
      version: server?.version ?? null,
      answered_in_ms: Math.round(performance.now() - startedAt),
      connections: total,
      connections_idle: idle,
      callers_waiting: waiting,
      ...(forPages && {
        page_connections: forPages.total,
        page_connections_idle: forPages.idle,
        page_callers_waiting: forPages.waiting,
      }),
      ...(workers && {
        workers: workers.map(({ name, shards }) => `${name} (${shards} shards)`),
        shards: workers.reduce((sum, { shards }) => sum + shards, 0),
      }),
    };
    const isCrowded = Math.max(waiting, forPages?.waiting ?? 0) > 50;
    return { facts, trouble: isCrowded ? 'Requests are waiting for a database connection' : null };
  },

  migrations: async ({ reading }) => {
    const { applied, pending, foreign } = await compareSchema(reading);
    const older = pending.length > 0 ? 'Migrations are pending: run tocsin migrate, or restart Tocsin' : null;
    return { facts: { applied, pending }, trouble: foreign ?? older };
  },

  readings: async ({ reading }, now) => {
    const { waiting, oldestAt, damagedRows, damagedPacks } = await selectReadingFigures(reading);
    const stored = await selectStored(reading);
    const age = ageOf(oldestAt, now) ?? 0;
    const damaged = damagedRows + damagedPacks;
    return {
      facts: {
        waiting,
        oldest_waiting_seconds: age,
        damaged,
        stored: stored.readings,
        stored_bytes: stored.bytes,
      },
      trouble:
        damaged > 0
          ? `${damaged} ${damaged === 1 ? 'pack' : 'packs'} of readings cannot be read: the log names them`
          : age > PACKING_LATE_SECONDS
            ? 'Readings wait to be packed: pages that show them get slower'
            : null,
    };
  },

  clock: async ({ figures }, now) => {
    const { programs, engine, lastDoneAt, hosts } = known(figures);
    return {
      facts: {
        programs,
        seconds_since_last_beat: ageOf(engine.lastBeatAt, now),
        seconds_since_last_sweep: ageOf(lastDoneAt.sweep, now),
        hosts: hosts.map(({ host, clockAheadMs }) => `${host} ${describeDifference(clockAheadMs)}`),
      },
    };
  },

  outbox: async ({ reading, figures }, now) => {
    const { lastDoneAt, lastMailAt, lastWebhookAt } = known(figures);
    const outbox = await selectOutboxFigures(reading, now);
    const failed = outbox.failedEmails + outbox.failedWebhooks + outbox.failedAccountMails;
    const facts = {
      waiting: outbox.overdue,
      lag_seconds: ageOf(outbox.oldestOverdueAt, now) ?? 0,
      undelivered: outbox.undelivered,
      oldest_undelivered_seconds: ageOf(outbox.oldestUndeliveredAt, now) ?? 0,
      seconds_since_last_decision: ageOf(lastDoneAt.decide, now),
      seconds_since_last_delivery: ageOf(lastDoneAt.deliver, now),
      seconds_since_last_mail: ageOf(lastMailAt, now),
      seconds_since_last_webhook: ageOf(lastWebhookAt, now),
      failing: outbox.failing,
      failed_last_24h: failed,
      failed_email_last_24h: outbox.failedEmails,
      failed_webhook_last_24h: outbox.failedWebhooks,
      failed_account_mail_last_24h: outbox.failedAccountMails,
      webhooks_disabled: outbox.disabledWebhooks,
      kept_mail_last_24h: outbox.keptMails,
    };
    return { facts, trouble: failed + outbox.failing > 0 ? 'Messages could not be delivered' : null };
  },

  advisor: async ({ reading, config }, now) => {
    const requests = await selectPendingRecommendations(reading);
    const age = ageOf(requests?.oldestRequestedAt ?? null, now) ?? 0;
    return {
      facts: { kind: config.advisor, pending: requests?.pending ?? 0, oldest_pending_seconds: age },
      trouble: age > ADVICE_LATE_SECONDS ? 'Recommendation requests are waiting' : null,
    };
  },

  disk: async ({ figures }) => {
    const disk = findFullestDisk(known(figures).hosts);
    if (!disk) return { facts: { checked: 'no: the disk of the database cannot be seen from here' } };
    return { facts: { free_bytes: disk.freeBytes, total_bytes: disk.totalBytes } };
  },
};

function known(figures: WatchFigures | null): WatchFigures {
  if (!figures) throw new Error('The figures could not be read');
  return figures;
}

const describeDifference = (ms: number | null): string =>
  ms === null ? 'unknown' : `${ms > 0 ? '+' : ''}${ms} ms`;

const sentenceOf = ({ trouble, advice }: Finding): string => `${trouble}. ${advice}`;

/** Looks cost connections that the engine needs. */
const MOST_LOOKS_AT_ONCE = 2;

export async function reportHealth(deps: HealthDeps, now: Date): Promise<HealthReport> {
  const { figures, findings } = await lookAtService(deps.db, now, deps.ownHost);
  const gate = openGate({ atOnce: MOST_LOOKS_AT_ONCE });
  const reading: ReadDatabase = {
    query: (statement) => gate.pass('report', () => deps.db.query(statement, 'briefly')),
    queryAll: (statements) => gate.pass('report', () => deps.db.queryAll(statements, 'briefly')),
  };
  const checks = Object.entries(CHECKS).map(async ([name, check]) => {
    const found = findings.filter(({ component }) => component === name).map(sentenceOf);
    return [name, await runCheck(check, { ...deps, reading, figures }, found, now)] as const;
  });
  const components = Object.fromEntries(await Promise.all(checks));
  const degraded = Object.keys(components).filter((name) => components[name]?.status === 'degraded');
  return { status: degraded.length > 0 ? 'degraded' : 'healthy', degraded, findings, components };
}

async function runCheck(
  check: Check,
  deps: CheckDeps & Pick<HealthDeps, 'log'>,
  found: string[],
  now: Date,
): Promise<Component> {
  try {
    const { facts, trouble = null } = await within(PATIENCE_MS, check(deps, now));
    const reasons = trouble === null ? found : [...found, trouble];
    return { ...facts, status: reasons.length > 0 ? 'degraded' : 'ok', reason: reasons.join(' ') || null };
  } catch (error) {
    if (!deps.figures)
      return { status: 'degraded', reason: found.join(' ') || 'Unknown while the database does not answer' };
    deps.log.error({ err: error }, 'health check failed');
    return { status: 'degraded', reason: [...found, 'The check itself failed: see the log'].join(' ') };
  }
}
