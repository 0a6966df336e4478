import { PREPARING } from '../../engine/program/prepare-migrations.ts';
import { type RunningProgram, selectRunning } from '../../engine/self-watch/programs.ts';
import type { Database } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { compareSchema } from '../../platform/db/migrations.ts';
import { StartError } from '../../platform/start-error.ts';
import type { Output } from '../../platform/terminal.ts';

export interface MigrateCommand {
  isDryRun: boolean;
  isJson: boolean;
  /** What has to be done before a schema that is in use is changed. */
  before: ((pending: string[]) => Promise<void>) | null;
}

/** Brings the schema up to date, or only shows what that would do. */
export async function runMigrate(
  db: Database,
  { isDryRun, isJson, before }: MigrateCommand,
  out: Output,
  now: Date,
): Promise<0> {
  const { pending, foreign } = await compareSchema(db);
  if (foreign) throw new StartError(foreign);
  const { applied } = isDryRun
    ? { applied: [] }
    : await migrate(db, now, { say: out.stderr, preparing: PREPARING, ...(before && { before }) });
  if (isJson) out.stdout(JSON.stringify({ applied, pending: isDryRun ? pending : [] }));
  else if (isDryRun) for (const name of pending) out.stdout(`Would apply ${name}`);
  else for (const name of applied) out.stdout(`Applied ${name}`);
  if (!isJson && applied.length === 0 && (!isDryRun || pending.length === 0))
    out.stdout('The database is up to date.');
  if (applied.length > 0) tellRunning(await selectRunning(db, now), out);
  return 0;
}

/** They go on with what they know of the schema; what was changed under them fails. */
function tellRunning(programs: RunningProgram[], out: Output): void {
  if (programs.length === 0) return;
  const list = programs.map(({ host, pid }) => `${host} (process ${pid})`).join(', ');
  out.stderr(`Restart the programs that run on it, with this version: ${list}`);
}
