import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import sql from 'sql-template-tag';
import { type Database, first, type ReadDatabase } from '../platform/db/database.ts';
import { version } from '../platform/project-root.ts';

export interface Program {
  /** Says that this program's clock still runs. */
  beat(now: Date): Promise<void>;
  leave(): Promise<void>;
}

const FORGET_AFTER_MS = 24 * 60 * 60 * 1000;

export function enrolProgram(db: Database, startedAt: Date): Program {
  const id = randomUUID();
  return {
    async beat(now) {
      const forgetBefore = new Date(now.getTime() - FORGET_AFTER_MS);
      await db.query(sql`
        with forgotten as (delete from program where beat_at < ${forgetBefore})
        insert into program (id, host, pid, version, started_at, beat_at)
        values (${id}, ${hostname()}, ${process.pid}, ${version}, ${startedAt}, ${now})
        on conflict (id) do update set beat_at = excluded.beat_at`);
    },
    async leave() {
      await db.query(sql`delete from program where id = ${id}`);
    },
  };
}

export const selectLastBeat = async (db: ReadDatabase) =>
  first(
    await db.query<{ programs: number; lastBeatAt: Date | null }>(sql`
    select count(*)::int as "programs", max(beat_at) as "lastBeatAt" from program`),
  );
