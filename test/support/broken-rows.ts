import { raw } from 'sql-template-tag';
import { onTestFinished } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';

let triggers = 0;

/** Every change of these rows fails, as with a row that something is wrong with; answers with the way to mend them. */
export async function breakRows(
  db: Database,
  table: string,
  condition: string,
): Promise<() => Promise<unknown>> {
  triggers += 1;
  const name = `break_${table}_${triggers}`;
  await db.query(
    raw(`create function ${name}() returns trigger language plpgsql as
      $$ begin raise exception 'this row cannot be written'; end $$`),
  );
  await db.query(
    raw(`create trigger ${name} before update on ${table} for each row when (${condition})
      execute function ${name}()`),
  );
  const mend = () => db.query(raw(`drop function if exists ${name}() cascade`));
  onTestFinished(async () => void (await mend()));
  return mend;
}
