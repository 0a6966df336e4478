// Holds whoever packs readings at a stage of its work, so that it can be ended just there.
import sql, { raw } from 'sql-template-tag';
import { expect } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';

/** Each is what has been done when it is held; nothing of it is committed. */
export const PACKING_STAGES = [
  'parts written',
  'what waited deleted',
  'packing at its commit',
  'packs written',
  'parts deleted',
  'merging at its commit',
] as const;
export type PackingStage = (typeof PACKING_STAGES)[number];

/** At most: whoever is forgotten goes on. */
const LONGEST_HOLD = '30 seconds';

const SETUP = `
  create table held_stage (name text primary key);
  create function hold_stage() returns trigger language plpgsql as $$
  begin
    while exists (select from held_stage where name = tg_argv[0])
        and clock_timestamp() < statement_timestamp() + interval '${LONGEST_HOLD}' loop
      perform pg_sleep(0.02);
    end loop;
    return null;
  end $$;
  create function hold_new_packs() returns trigger language plpgsql as $$
  begin
    while exists (select from held_stage where name = case (select bool_and(is_merged) from written)
          when true then 'packs written' when false then 'parts written' end)
        and clock_timestamp() < statement_timestamp() + interval '${LONGEST_HOLD}' loop
      perform pg_sleep(0.02);
    end loop;
    return null;
  end $$;
  create trigger hold_new_packs after insert on reading_pack referencing new table as written
    for each statement execute function hold_new_packs();
  create trigger hold_inbox after delete on reading_inbox
    for each statement execute function hold_stage('what waited deleted');
  create trigger hold_packs after delete on reading_pack
    for each statement execute function hold_stage('parts deleted');
  create constraint trigger hold_packing after delete on reading_inbox deferrable initially deferred
    for each row execute function hold_stage('packing at its commit');
  create constraint trigger hold_merging after delete on reading_pack deferrable initially deferred
    for each row execute function hold_stage('merging at its commit');`;

export async function prepareStages(db: Database): Promise<void> {
  await db.transaction((tx) => tx.run(SETUP));
}

export const hold = (db: Database, stage: PackingStage) =>
  db.query(sql`insert into held_stage values (${stage})`);

export const letGo = (db: Database) => db.query(raw('delete from held_stage'));

/** Answers with the process of the server that is held. */
export async function untilHeld(db: Database): Promise<number> {
  let pid: number | undefined;
  await expect
    .poll(async () => {
      const [held] = await db.query<{ pid: number }>(sql`
        select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`);
      pid = held?.pid;
      return pid;
    })
    .toBeDefined();
  return pid as number;
}
