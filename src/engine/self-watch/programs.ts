import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import sql from 'sql-template-tag';
import { BEAT_LATE_MS, type HostFigures, type Work } from '../../domain/self-watch.ts';
import type { Database, ReadDatabase } from '../../platform/db/database.ts';
import { version } from '../../platform/project-root.ts';

/** What a serving program may be told to do; several programs can split the work. */
export const PROGRAM_ROLES = ['web', 'mqtt', 'engine', 'deliver', 'advise'] as const;
export type ProgramRole = (typeof PROGRAM_ROLES)[number];

export interface Program {
  /** Says that this program's clock still runs, how its work fares, and what it measured of its host. */
  beat(now: Date, host?: Omit<HostFigures, 'host'>): Promise<void>;
  /** Of a program that delivers: whether its mail is kept, for want of a mail server. Asked at every beat. */
  noteMail(isKept: () => boolean): void;
  /** The same work, noted when it was done to its end. The next beat says so. */
  noting(work: Work, run: (now: Date) => Promise<unknown>): (now: Date) => Promise<void>;
  /** Each beat says it from now on. */
  listensForMqtt(urls: string[]): void;
  /** What of the delivery settings it cannot read, for want of the key. */
  noteUnread(unread: () => readonly string[]): void;
  /** When the thread that packs readings was lost. */
  noteLostPacking(lostAt: (now: Date) => Date | null): void;
  leave(): Promise<void>;
}

const FORGET_AFTER_MS = 24 * 60 * 60 * 1000;
/** Whoever has not beaten for so long was away, or asleep. */
const PAUSE_MS = 30_000;

export function enrolProgram(db: Database, roles: ProgramRole[], startedAt: Date): Program {
  const id = randomUUID();
  const doneAt: Partial<Record<Work, Date>> = {};
  let isMailKept: (() => boolean) | null = null;
  let mqttUrls: string[] = [];
  let findLostPacking: (now: Date) => Date | null = () => null;
  let findUnread: () => readonly string[] = () => [];
  const watchedRoles = roles.filter((role) => role === 'engine' || role === 'deliver');
  return {
    async beat(now, host) {
      const forgetBefore = new Date(now.getTime() - FORGET_AFTER_MS);
      const pausedBefore = new Date(now.getTime() - PAUSE_MS);
      const { sweep = null, decide = null, form, deliver } = doneAt;
      const delivered = form && deliver ? new Date(Math.min(form.getTime(), deliver.getTime())) : null;
      const { clockAheadMs = null, disk = null } = host ?? {};
      // A program that takes over within the pause inherits: one that crashes and starts over and over gets no new grace.
      await db.query(sql`
        with forgotten as (delete from program where beat_at < ${forgetBefore}),
        awake as (
          select least(coalesce(min(awake_since), ${now}), ${now}) as since from program
          where beat_at > ${pausedBefore} and roles && ${watchedRoles}::text[])
        insert into program (id, host, pid, version, roles, started_at, beat_at, awake_since, swept_at, decided_at,
          delivered_at, clock_ahead_ms, disk_free_bytes, disk_total_bytes, keeps_mail,
          mqtt_urls, unread_settings, packing_lost_at)
        select ${id}::uuid, ${hostname()}, ${process.pid}::int, ${version}, ${roles}::text[], ${startedAt}::timestamptz,
          ${now}::timestamptz, awake.since, ${sweep}::timestamptz, ${decide}::timestamptz, ${delivered}::timestamptz,
          ${clockAheadMs}::bigint, ${disk?.freeBytes ?? null}::bigint, ${disk?.totalBytes ?? null}::bigint,
          ${isMailKept?.() ?? null}::bool, ${mqttUrls}::text[], ${findUnread()}::text[],
          ${findLostPacking(now)}::timestamptz
        from awake
        on conflict (id) do update set beat_at = excluded.beat_at, awake_since = excluded.awake_since,
          swept_at = excluded.swept_at, decided_at = excluded.decided_at, delivered_at = excluded.delivered_at,
          clock_ahead_ms = excluded.clock_ahead_ms, disk_free_bytes = excluded.disk_free_bytes,
          disk_total_bytes = excluded.disk_total_bytes, keeps_mail = excluded.keeps_mail,
          mqtt_urls = excluded.mqtt_urls, unread_settings = excluded.unread_settings,
          packing_lost_at = excluded.packing_lost_at`);
    },
    noteMail(isKept) {
      isMailKept = isKept;
    },
    noting: (work, run) => async (now) => {
      await run(now);
      doneAt[work] = now;
    },
    listensForMqtt(urls) {
      mqttUrls = urls;
    },
    noteUnread(unread) {
      findUnread = unread;
    },
    noteLostPacking(lostAt) {
      findLostPacking = lostAt;
    },
    async leave() {
      await db.query(sql`delete from program where id = ${id}`);
    },
  };
}

export interface RunningProgram {
  host: string;
  pid: number;
}

export const selectRunning = (db: Pick<ReadDatabase, 'query'>, now: Date) =>
  db.query<RunningProgram>(sql`
    select host, pid from program where beat_at > ${new Date(now.getTime() - BEAT_LATE_MS)} order by host, pid`);

/** Of all programs that run. */
export const selectMqttUrls = async (db: Pick<ReadDatabase, 'query'>, now: Date): Promise<string[]> =>
  (
    await db.query<{ url: string }>(sql`
      select distinct unnest(mqtt_urls) as "url" from program
      where beat_at > ${new Date(now.getTime() - BEAT_LATE_MS)} order by 1`)
  ).map(({ url }) => url);
