// How much longer it takes to decide about the same open alarms where their group has a ladder of three steps: as they
// begin, and when all are looked at again. Both take turns on one database.
import type pg from 'pg';
import sql, { raw } from 'sql-template-tag';
import { decideDue } from '../src/engine/outbox/decide.ts';
import type { Database } from '../src/platform/db/database.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { fillLab } from './lab.ts';
import { percentile } from './load.ts';
import { openNewDatabase } from './new-database.ts';

const ALARMS = 10_000;
const TURNS = 5;
const GROUPS = ['plain', 'ladder'] as const;

interface Ladders {
  deciding_10000_on_ladders_ms: number;
  deciding_10000_on_ladders_of_plain: number;
}

export async function measureLadders(connection: pg.PoolConfig, now: Date): Promise<Ladders> {
  const db = await openNewDatabase(connection, 'ladders');
  try {
    await migrate(db, now);
    await fillLab(db, ALARMS, now);
    const ids = new Map<string, number>();
    for (const name of GROUPS) ids.set(name, await formGroup(db, name, now));
    const times = { plain: [] as number[], ladder: [] as number[] };
    for (let turn = 0; turn < TURNS; turn += 1)
      for (const [place, name] of GROUPS.entries()) {
        const at = new Date(now.getTime() + (turn * GROUPS.length + place) * 600_000);
        await beginAlarms(db, ids.get(name) as number, at);
        const startedAt = performance.now();
        await decideDue(db, at);
        await lookAtAll(db, at);
        await decideDue(db, new Date(at.getTime() + 60_000));
        times[name].push(performance.now() - startedAt);
      }
    const [plain = 1, ladder = 0] = [times.plain, times.ladder].map((all) =>
      percentile(
        all.sort((one, other) => one - other),
        0.5,
      ),
    );
    return {
      deciding_10000_on_ladders_ms: Math.round(ladder),
      deciding_10000_on_ladders_of_plain: Number((ladder / plain).toFixed(2)),
    };
  } finally {
    await db.close();
  }
}

/** Both tell two addresses at once; the ladder has two further steps. */
async function formGroup(db: Database, name: (typeof GROUPS)[number], now: Date): Promise<number> {
  const [group] = await db.query<{ id: number }>(sql`
    insert into notification_group (organization_id, name, created_at) values (1, ${name}, ${now}) returning id`);
  const id = group?.id as number;
  await db.query(sql`
    insert into notification_group_email (group_id, email, is_proved)
    select ${id}, 'person' || n || '@bench.example', true from generate_series(1, 2) as n`);
  if (name === 'ladder') {
    await db.query(sql`
      insert into notification_group_step (group_id, step, after_minutes)
      select ${id}, step, step * 10 from generate_series(1, 2) as step`);
    await db.query(sql`
      insert into notification_group_email (group_id, email, is_proved, step)
      select ${id}, 'step' || step || '@bench.example', true, step from generate_series(1, 2) as step`);
  }
  return id;
}

async function beginAlarms(db: Database, groupId: number, at: Date): Promise<void> {
  await db.query(sql`
    update service_settings set notification_group_id = ${groupId}, send_critical = true, send_warning = true`);
  await db.query(sql`
    update alarm_state set severity = 'critical', severity_since = ${at}, channel = 'temperature',
      band = 'CRITICAL_HIGH', value = -50, limit_value = -60, message = 'Temperature is too high',
      episode_id = nextval('episode_id')`);
  await db.query(raw('truncate look_again'));
  await lookAtAll(db, at);
  await db.query(raw('analyze'));
}

const lookAtAll = (db: Database, at: Date) =>
  db.query(sql`insert into look_again (service_id, noted_at) select service_id, ${at} from alarm_state`);
