// How long it takes to decide what is told when many alarms change in the same second: on a database of their own, among
// many quiet services. A bare query of the same rows, taking turns, is what it is held against.
import type pg from 'pg';
import sql, { raw } from 'sql-template-tag';
import type { ServiceId } from '../src/domain/ids.ts';
import { decideDue } from '../src/engine/outbox/decide.ts';
import { lookAgain } from '../src/engine/outbox/look-again.ts';
import type { Database } from '../src/platform/db/database.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { fillLab } from './lab.ts';
import { percentile } from './load.ts';
import { openNewDatabase } from './new-database.ts';

const SERVICES = 10_000;
const ALARMS = 400;
const RECIPIENTS = 5;
const TURNS = 15;
/** Far enough apart that no alarm counts as unsteady. */
const TURN_MS = 2 * 60 * 60_000;
const SEVERITIES = ['critical', 'warning'] as const;
const CHANGED = sql`select generate_series(1, ${ALARMS}::int)`;

interface Deciding {
  deciding_400_ms: number;
  deciding_400_of_bare: number;
}

export async function measureDeciding(connection: pg.PoolConfig, now: Date): Promise<Deciding> {
  const db = await openNewDatabase(connection, 'deciding');
  try {
    await migrate(db, now);
    await fillLab(db, SERVICES, now);
    await formGroup(db, now);
    await tellOnce(db, now);
    const own: number[] = [];
    const bare: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const at = new Date(now.getTime() + (turn + 1) * TURN_MS);
      await changeAlarms(db, SEVERITIES[turn % 2] ?? 'critical', at);
      bare.push(await time(() => readBare(db)));
      own.push(await time(() => decideDue(db, at)));
      await expectTold(db, turn + 2);
    }
    const [decided, read] = [own, bare].map((times) => percentile(times.sort(ascending), 0.5));
    return {
      deciding_400_ms: Number(decided?.toFixed(1)),
      deciding_400_of_bare: Number(((decided ?? 0) / (read ?? 1)).toFixed(2)),
    };
  } finally {
    await db.close();
  }
}

const ascending = (one: number, other: number) => one - other;

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function formGroup(db: Database, now: Date): Promise<void> {
  const [group] = await db.query<{ id: number }>(sql`
    insert into notification_group (organization_id, name, created_at) values (1, 'Everybody', ${now}) returning id`);
  await db.query(sql`
    insert into notification_group_email (group_id, email, is_proved)
    select ${group?.id}, 'person' || n || '@bench.example', true from generate_series(1, ${RECIPIENTS}::int) as n`);
  await db.query(sql`
    update service_settings set notification_group_id = ${group?.id}, send_critical = true, send_warning = true`);
}

/** What the planner knows of a table that is empty is no guide: it is looked at as soon as something was told. */
async function tellOnce(db: Database, now: Date): Promise<void> {
  await changeAlarms(db, 'warning', now);
  await decideDue(db, now);
  await expectTold(db, 1);
  await db.query(raw('analyze'));
}

/** Each leaves what it was for a new episode. */
const changeAlarms = (db: Database, severity: (typeof SEVERITIES)[number], at: Date): Promise<void> =>
  db.transaction(async (tx) => {
    tx.later(sql`
      update alarm_state set severity = ${severity}, severity_since = ${at}, channel = 'temperature',
        band = upper(${severity}) || '_HIGH', value = -50, limit_value = -60, message = 'Temperature is too high',
        episode_id = nextval('episode_id')
      where service_id in (${CHANGED})`);
    const ids = Array.from({ length: ALARMS }, (_, index) => (index + 1) as ServiceId);
    lookAgain(tx, ids, at);
  });

/** What deciding begins with: how the services stand, their settings, and what each was told last. */
const readBare = (db: Database) =>
  db.query(sql`
    select * from alarm_state
    join service on service.id = alarm_state.service_id
    join service_settings using (service_id)
    join notification_schedule using (service_id)
    where alarm_state.service_id in (${CHANGED})`);

async function expectTold(db: Database, times: number): Promise<void> {
  const [told] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from delivery`);
  const expected = times * ALARMS * RECIPIENTS;
  if (told?.count !== expected) throw new Error(`${told?.count} deliveries instead of ${expected}`);
}
