// What a restore would take the place of.
import { type RunningProgram, selectRunning } from '../../engine/self-watch/programs.ts';
import { type Migration, selectApplied } from '../../platform/db/migrations.ts';
import type { Session } from '../../platform/db/session.ts';
import { countRows, selectTables } from './queries.ts';

export interface Target {
  /** Of people and their equipment; a schema alone is nothing that could be lost. */
  organizations: number;
  accounts: number;
  /** Serving programs that were heard of lately. */
  programs: RunningProgram[];
  /** Tables that no migration makes. Not known when the schema is newer than this program. */
  strangers: string[];
}

export async function inspectTarget(session: Session, migrations: Migration[], now: Date): Promise<Target> {
  const tables = (await selectTables(session)).filter(({ partition }) => !partition).map(({ name }) => name);
  const has = (name: string) => tables.includes(name);
  const known = new Set(migrations.map(({ name }) => name));
  const isNewer = (await selectApplied(session)).some(({ name }) => !known.has(name));
  const own = tablesOf(migrations);
  return {
    organizations: has('organization') ? await countRows(session, 'organization') : 0,
    accounts: has('account') ? await countRows(session, 'account') : 0,
    programs: has('program') ? await selectRunning(session, now) : [],
    strangers: isNewer ? [] : tables.filter((name) => !own.has(name)),
  };
}

/** Also of those that a later migration dropped. */
export function tablesOf(migrations: Migration[]): Set<string> {
  const texts = migrations.map(({ text }) => text).join('\n');
  return new Set([
    'schema_migration',
    ...[...texts.matchAll(/\bcreate table (\w+)/gi)].map(([, name = '']) => name),
  ]);
}
