import sql, { raw } from 'sql-template-tag';
import { expect } from 'vitest';
import { COMMAND_LINE } from '../../src/domain/accounts/requester.ts';
import { applyLabFile, type LabFileOutcome } from '../../src/features/lab-file/apply-lab-file.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { createMovableClock, type MovableClock } from './movable-clock.ts';
import { cloneDatabase } from './test-database.ts';

export interface LabFileDesk {
  db: Database;
  clock: MovableClock;
  /** Applies a file that must be right. */
  apply(text: string): Promise<LabFileOutcome>;
  dryRun(text: string): Promise<LabFileOutcome>;
  /** Applies a file that must be wrong: its faults, as `line:column path: message`. */
  refuse(text: string): Promise<string[]>;
  rows<Row>(query: string): Promise<Row[]>;
  /** Until a statement in this database waits for a lock. */
  untilSomebodyWaits(): Promise<void>;
  /** Everything in the database, table by table. */
  snapshot(): Promise<Record<string, unknown[]>>;
}

export async function openLabFileDesk(): Promise<LabFileDesk> {
  const { db } = await cloneDatabase();
  const clock = createMovableClock();
  const run = (text: string, isDryRun: boolean) =>
    applyLabFile(db, COMMAND_LINE, { text, fileName: 'lab.yaml', isDryRun }, clock.read());
  const expectApplied = async (text: string, isDryRun: boolean) => {
    const outcome = await run(text, isDryRun);
    if (!outcome.ok) throw new Error(`The file was refused: ${JSON.stringify(outcome.refusal, null, 2)}`);
    return outcome.value;
  };
  const rows = <Row>(query: string) => db.query<Row>(raw(query));

  return {
    db,
    clock,
    rows,
    apply: (text) => expectApplied(text, false),
    dryRun: (text) => expectApplied(text, true),
    async refuse(text) {
      const outcome = await run(text, false);
      if (outcome.ok) throw new Error(`The file was accepted: ${outcome.value.changes.join('\n')}`);
      return outcome.refusal.map(
        ({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`,
      );
    },
    untilSomebodyWaits: () =>
      expect
        .poll(() =>
          db.query(sql`
            select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`),
        )
        .toHaveLength(1),
    async snapshot() {
      const tables = await db.query<{ name: string }>(sql`
        select relname as "name" from pg_class
        where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition
        order by relname`);
      const contents: Record<string, unknown[]> = {};
      for (const { name } of tables) {
        contents[name] = await rows(`select to_jsonb(t) as row from "${name}" t order by to_jsonb(t)::text`);
      }
      return contents;
    },
  };
}
