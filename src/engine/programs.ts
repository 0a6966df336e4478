import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import sql from 'sql-template-tag';
import { type Database, first, type ReadDatabase } from '../platform/db/database.ts';
import { version } from '../platform/project-root.ts';

/** What a serving program may be told to do; several programs can split the work. */
export const PROGRAM_ROLES = ['web', 'engine', 'deliver', 'advise'] as const;
export type ProgramRole = (typeof PROGRAM_ROLES)[number];

export interface Program {
  /** Says that this program's clock still runs. */
  beat(now: Date): Promise<void>;
  leave(): Promise<void>;
}

const FORGET_AFTER_MS = 24 * 60 * 60 * 1000;

export function enrolProgram(db: Database, roles: ProgramRole[], startedAt: Date): Program {
  const id = randomUUID();
  return {
    async beat(now) {
      const forgetBefore = new Date(now.getTime() - FORGET_AFTER_MS);
      await db.query(sql`
        with forgotten as (delete from program where beat_at < ${forgetBefore})
        insert into program (id, host, pid, version, roles, started_at, beat_at)
        values (${id}, ${hostname()}, ${process.pid}, ${version}, ${roles}, ${startedAt}, ${now})
        on conflict (id) do update set beat_at = excluded.beat_at`);
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

const SILENT_AFTER_MS = 15_000;

export const selectRunning = (db: ReadDatabase, now: Date) =>
  db.query<RunningProgram>(sql`
    select host, pid from program where beat_at > ${new Date(now.getTime() - SILENT_AFTER_MS)} order by host, pid`);

/** Only programs with the role engine let timers fire. */
export const selectLastBeat = async (db: ReadDatabase) =>
  first(
    await db.query<{ programs: number; lastBeatAt: Date | null }>(sql`
      select count(*)::int as "programs", max(beat_at) filter (where 'engine' = any(roles)) as "lastBeatAt"
      from program`),
  );
