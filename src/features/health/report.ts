import { statfs } from 'node:fs/promises';
import { formatInstant } from '../../domain/instant.ts';
import { MAIL_STUCK_MS } from '../../engine/deliver/heartbeat.ts';
import { selectOutboxFigures } from '../../engine/deliver/outbox-figures.ts';
import { selectLastBeat } from '../../engine/programs.ts';
import { findMissingWeeks } from '../../engine/reading-partitions.ts';
import { findRollupLag } from '../../engine/roll-up.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/db/database.ts';
import { compareSchema } from '../../platform/db/migrations.ts';
import type { Log } from '../../platform/log.ts';
import { selectPendingRecommendations, selectServerVersion } from './queries.ts';

export interface HealthDeps {
  db: Database;
  log: Log;
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'retentionDays' | 'advisor'>;
}

type Facts = Record<string, string | number | null | string[]>;
/** A component is degraded when it says why. */
type Finding = { facts: Facts; trouble: string | null };
type Component = { status: 'ok' | 'degraded'; reason: string | null } & Facts;

export interface HealthReport {
  status: 'healthy' | 'degraded';
  degraded: string[];
  components: Record<string, Component>;
}

const CLOCK_SILENT_SECONDS = 15;
const ROLLUPS_LATE_SECONDS = 600;
const OUTBOX_LATE_SECONDS = 60;
const ADVICE_LATE_SECONDS = 600;
const GIBIBYTE = 1024 ** 3;

type Check = (deps: HealthDeps, now: Date) => Promise<Finding>;

const secondsSince = (at: Date, now: Date) => Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000));

const CHECKS: Record<string, Check> = {
  database: async ({ db, config }) => {
    const startedAt = performance.now();
    const server = await selectServerVersion(db);
    const { total, idle, waiting } = db.pressure();
    const facts = {
      kind: config.databaseUrl ? 'external' : 'embedded',
      version: server?.version ?? null,
      answered_in_ms: Math.round(performance.now() - startedAt),
      connections: total,
      connections_idle: idle,
      callers_waiting: waiting,
    };
    return { facts, trouble: waiting > 50 ? 'Requests are waiting for a database connection' : null };
  },

  migrations: async ({ db }) => {
    const { applied, pending, foreign } = await compareSchema(db);
    const older = pending.length > 0 ? 'Migrations are pending: run tocsin migrate, or restart Tocsin' : null;
    return { facts: { applied, pending }, trouble: foreign ?? older };
  },

  partitions: async ({ db, config }, now) => {
    const missing = (await findMissingWeeks(db, now, config.retentionDays)).map(({ partition }) => partition);
    return {
      facts: { missing },
      trouble: missing.length > 0 ? 'Readings of some weeks have no place yet' : null,
    };
  },

  rollups: async ({ db }, now) => {
    const { lagSeconds, marks, rolledUntil } = await findRollupLag(db, now);
    return {
      facts: {
        lag_seconds: lagSeconds,
        late_hours_waiting: marks,
        complete_until: rolledUntil && formatInstant(rolledUntil),
      },
      trouble: lagSeconds > ROLLUPS_LATE_SECONDS ? 'Charts over long spans lag behind the readings' : null,
    };
  },

  clock: async ({ db }, now) => {
    const beat = await selectLastBeat(db);
    const seconds = beat?.lastBeatAt ? secondsSince(beat.lastBeatAt, now) : null;
    const isSilent = seconds === null || seconds > CLOCK_SILENT_SECONDS;
    return {
      facts: { programs: beat?.programs ?? 0, seconds_since_last_beat: seconds },
      trouble: isSilent ? 'No program runs the clock: timers do not fire' : null,
    };
  },

  outbox: async ({ db }, now) => {
    const outbox = await selectOutboxFigures(db, now);
    const age = (at: Date | null) => (at ? secondsSince(at, now) : 0);
    const lag = age(outbox.oldestOverdueAt);
    const failed = outbox.failedEmails + outbox.failedWebhooks + outbox.failedAccountMails;
    const facts = {
      waiting: outbox.overdue,
      lag_seconds: lag,
      undelivered: outbox.undelivered,
      oldest_undelivered_seconds: age(outbox.oldestUndeliveredAt),
      failing: outbox.failing,
      failed_last_24h: failed,
      failed_email_last_24h: outbox.failedEmails,
      failed_webhook_last_24h: outbox.failedWebhooks,
      failed_account_mail_last_24h: outbox.failedAccountMails,
      webhooks_disabled: outbox.disabledWebhooks,
    };
    const troubles = [
      lag > OUTBOX_LATE_SECONDS && 'Messages leave late',
      age(outbox.mailStuckSince) * 1000 > MAIL_STUCK_MS &&
        'No mail leaves: see the last errors of the deliveries',
      failed + outbox.failing > 0 && 'Messages could not be delivered',
    ];
    return { facts, trouble: troubles.find((trouble) => trouble !== false) || null };
  },

  advisor: async ({ db, config }, now) => {
    const requests = await selectPendingRecommendations(db);
    const age = requests?.oldestRequestedAt ? secondsSince(requests.oldestRequestedAt, now) : 0;
    return {
      facts: { kind: config.advisor, pending: requests?.pending ?? 0, oldest_pending_seconds: age },
      trouble: age > ADVICE_LATE_SECONDS ? 'Recommendation requests are waiting' : null,
    };
  },

  disk: async ({ config }) => {
    // With a database elsewhere the data folder may not exist, and its disk is not the one that fills up.
    if (config.databaseUrl) return { facts: { checked: 'no: the database is elsewhere' }, trouble: null };
    const disk = await statfs(config.dataDir);
    const free = disk.bavail * disk.bsize;
    return {
      facts: { free_bytes: free, total_bytes: disk.blocks * disk.bsize },
      trouble: free < GIBIBYTE ? 'Less than 1 GiB is free on the disk with the data' : null,
    };
  },
};

async function runCheck(check: Check, deps: HealthDeps, now: Date): Promise<Component> {
  try {
    const { facts, trouble } = await check(deps, now);
    return { ...facts, status: trouble ? 'degraded' : 'ok', reason: trouble };
  } catch (error) {
    deps.log.error({ err: error }, 'health check failed');
    return { status: 'degraded', reason: 'The check itself failed: see the log' };
  }
}

export async function reportHealth(deps: HealthDeps, now: Date): Promise<HealthReport> {
  const checks = Object.entries(CHECKS).map(
    async ([name, check]) => [name, await runCheck(check, deps, now)] as const,
  );
  const components = Object.fromEntries(await Promise.all(checks));
  const degraded = Object.keys(components).filter((name) => components[name]?.status === 'degraded');
  return { status: degraded.length > 0 ? 'degraded' : 'healthy', degraded, components };
}
