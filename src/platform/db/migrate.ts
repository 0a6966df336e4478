// Brings the schema up to this program's. Programs that start together queue up; those that run meanwhile are held up for
// seconds at most.
import { setTimeout as pause } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { LOCK_KEYS } from '../lock-keys.ts';
import { StartError } from '../start-error.ts';
import type { Database } from './database.ts';
import { findPending, type Migration, readMigrations, selectApplied } from './migrations.ts';
import { isOutside, readSteps } from './outside-migration.ts';
import type { Session } from './session.ts';

interface MigrateOptions {
  /** A schema that is in use is refused if it is not up to date. */
  onlyIfEmpty?: boolean;
  /** Before the first one changes a schema that is in use; it throws to leave all as it is. */
  before?: (pending: string[]) => Promise<void>;
  /** By the name of a migration, what has to be done before it is applied to a schema that is in use. */
  preparing?: Readonly<Record<string, Preparation>>;
  migrations?: Migration[];
  patience?: Patience;
  say?: (line: string) => void;
}

export type Preparation = (session: Session, say: (line: string) => void) => Promise<void>;

/** Whoever waits for a lock on a table holds up all who come after: so briefly, and again and again. */
interface Patience {
  lockTimeoutMs: number;
  pauseMs: number;
  attempts: number;
}

const TEN_MINUTES: Patience = { lockTimeoutMs: 3_000, pauseMs: 2_000, attempts: 120 };
const QUEUE_MS = 250;
const LOCK_FAULTS: readonly unknown[] = ['55P03', '40P01'];

export async function migrate(
  db: Database,
  now: Date,
  options: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const {
    onlyIfEmpty = false,
    before,
    preparing,
    migrations,
    patience = TEN_MINUTES,
    say = () => {},
  } = options;
  const known = migrations ?? (await readMigrations());
  const found = await selectApplied(db);
  const missing = findPending(known, found).length;
  if (missing === 0) return { applied: [] };
  if (onlyIfEmpty && found.length > 0) throw new StartError(tellOlder(missing));
  return db.alone(async (session) => {
    await queueUp(session, say);
    // Whoever was before us in the queue may have done it.
    const applied = await selectApplied(session);
    const pending = findPending(known, applied);
    const names = pending.map(({ name }) => name);
    if (applied.length === 0) await setUp(session, pending, now);
    else if (onlyIfEmpty && pending.length > 0) throw new StartError(tellOlder(pending.length));
    else {
      if (pending.length > 0) await before?.(names);
      for (const migration of pending) {
        await preparing?.[migration.name]?.(session, say);
        await withPatience(patience, migration, say, () => apply(session, migration, patience, now));
      }
    }
    return { applied: names };
  });
}

const tellOlder = (pending: number) =>
  `The database is of an older version of Tocsin (${pending} migration${pending === 1 ? ' is' : 's are'} pending). ` +
  'Run tocsin migrate, or start the service: both bring it up to date.';

/**
 * Held until the connection ends. Asked for again and again: a waiting statement would be in the way of an index that is
 * built concurrently by the one who holds it.
 */
async function queueUp(session: Session, say: (line: string) => void): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const [lock] = await session.query<{ isMine: boolean }>(
      sql`select pg_try_advisory_lock(${LOCK_KEYS.migration}) as "isMine"`,
    );
    if (lock?.isMine) return;
    if (isFirst) say('Another program is at the schema of the database: waiting for it.');
    await pause(QUEUE_MS);
  }
}

/** Nobody uses an empty database: all of it is made, or nothing. */
const setUp = (session: Session, migrations: Migration[], now: Date) =>
  session.transaction(() => makeSchema(session, migrations, now));

/** Where there is nothing yet, inside a transaction. */
export async function makeSchema(session: Session, migrations: Migration[], now: Date): Promise<void> {
  await session.run(`create table if not exists schema_migration (
    name text primary key, checksum text not null, applied_at timestamptz not null)`);
  for (const migration of migrations) {
    await session.run(isOutside(migration) ? migration.text.replaceAll(' concurrently', '') : migration.text);
    await record(session, migration, now);
  }
}

async function apply(session: Session, migration: Migration, { lockTimeoutMs }: Patience, now: Date) {
  if (isOutside(migration)) {
    for (const { indexName, statement } of readSteps(migration)) {
      await dropUnfinished(session, indexName);
      await session.run(statement);
    }
    await record(session, migration, now);
    return;
  }
  await session.transaction(async () => {
    await session.run(`set local lock_timeout = ${lockTimeoutMs}`);
    await session.run(migration.text);
    await record(session, migration, now);
  });
}

const record = (session: Session, { name, checksum }: Migration, now: Date) =>
  session.query(sql`insert into schema_migration values (${name}, ${checksum}, ${now})`);

/** An index whose building was broken off is there, and good for nothing. */
async function dropUnfinished(session: Session, indexName: string): Promise<void> {
  const unfinished = await session.query(sql`
    select 1 from pg_index where indexrelid = to_regclass(${indexName}) and not indisvalid`);
  if (unfinished.length > 0) await session.run(`drop index concurrently ${indexName}`);
}

async function withPatience(
  { attempts, pauseMs }: Patience,
  { name }: Migration,
  say: (line: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!LOCK_FAULTS.includes((error as { code?: unknown }).code)) throw error;
      if (attempt === attempts)
        throw new StartError(
          `Migration ${name} did not get its locks in ${attempts} attempts, and changed nothing: ` +
            'somebody holds the tables. Stop the other programs and try again.',
        );
      if (attempt === 1) say(`Migration ${name} waits for somebody who uses the same tables.`);
      await pause(pauseMs);
    }
  }
}
