// A lab of many services with two bands each, written straight into the tables.

import sql, { raw } from 'sql-template-tag';
import type { AcceptedPassword } from '../src/domain/accounts/password.ts';
import type { OrganizationId, ServiceId } from '../src/domain/ids.ts';
import { appendHistory } from '../src/engine/journal/inbox.ts';
import { packInbox } from '../src/engine/packing/pack-inbox.ts';
import { hashPassword } from '../src/platform/auth/password.ts';
import { hashSourceSecret } from '../src/platform/auth/source-secret.ts';
import { type Database, openPool } from '../src/platform/db/database.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import type { Cluster } from './cluster.ts';
import { METRIC } from './remote-write.ts';

export const SECRET = 'the secret of the bench gateway';

export const PERSON = { email: 'ada@bench.example', password: 'the password of the bench' };

/** Somebody who may look at the alarms and edit limits. */
export async function hirePerson(db: Database, now: Date): Promise<void> {
  const [account] = await db.query<{ id: number }>(sql`
    insert into account (email, name, password_hash, created_at)
    values (${PERSON.email}, 'Ada', ${await hashPassword(PERSON.password as AcceptedPassword)}, ${now}) returning id`);
  await db.query(sql`
    insert into membership (account_id, organization_id, role, created_at)
    values (${account?.id}, 1, 'administrator', ${now})`);
}

/** Exactly this many alarms, whatever was there before. */
export async function setAlarms(db: Database, count: number, now: Date): Promise<void> {
  await db.query(sql`
    update alarm_state set severity = 'normal', severity_since = null, channel = null, band = null, message = null,
      episode_id = null, stale_since = null
    where severity <> 'normal' or stale_since is not null`);
  await db.query(sql`
    update alarm_state set severity = 'critical', severity_since = ${now}, channel = 'temperature', band = 'CRITICAL_HIGH',
      message = 'Temperature -50 °C is above the critical limit of -60 °C', episode_id = service_id
    where service_id in (select id from service order by id limit ${count})`);
  await db.query(raw('analyze alarm_state'));
}

/** The program's database, as it starts for the first time. */
export async function prepareLab({ connection }: Cluster, services: number, now: Date): Promise<Database> {
  const db = openPool({ ...connection, user: 'tocsin', database: 'tocsin' }, () => {});
  await migrate(db, now);
  // What the program adds by itself must not meet the numbers given here.
  for (const table of ['service', 'channel', 'limits_version'])
    await db.query(raw(`alter table ${table} alter column id restart with 1000001`));
  await fillLab(db, services, now);
  return db;
}

export async function fillLab(db: Database, services: number, now: Date): Promise<void> {
  await db.query(
    sql`insert into organization (name, created_at) values ('Bench', ${now}) on conflict do nothing`,
  );
  await db.query(sql`
    insert into source (organization_id, name, secret_hash, settings, created_at)
    values (1, 'gateway', ${hashSourceSecret(SECRET)}, ${JSON.stringify({ metrics: { [METRIC]: 'temperature' } })}, ${now})
    on conflict do nothing`);
  const [{ count } = { count: 0 }] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from service where organization_id = 1`,
  );
  if (count >= services) return;
  await db.transaction(async (tx) => {
    const range = sql`generate_series(${count + 1}::int, ${services}::int) as n`;
    await tx.query(sql`
      insert into service (id, organization_id, name, created_at) overriding system value
      select n, 1, 'Freezer ' || n, ${now} from ${range}`);
    // Most of them never report; a day is longer than any bench.
    await tx.query(sql`
      insert into service_settings (service_id, organization_id, stale_after_minutes) select n, 1, 1440 from ${range}`);
    await tx.query(sql`insert into alarm_state (service_id, organization_id) select n, 1 from ${range}`);
    await tx.query(sql`insert into notification_schedule (service_id) select n from ${range}`);
    await tx.query(sql`
      insert into device (organization_id, key, service_id, created_at) select 1, 'd' || n, n, ${now} from ${range}`);
    await tx.query(sql`
      insert into channel (id, service_id, name, label, unit, kind, created_at) overriding system value
      select n, n, 'temperature', 'Temperature', '°C', 'metric', ${now} from ${range}`);
    await tx.query(sql`
      insert into limits_version (id, service_id, channel, version, is_percentage, origin, author_name, created_at)
      overriding system value select n, n, 'temperature', 1, false, 'lab_file', 'bench', ${now} from ${range}`);
    await tx.query(sql`
      insert into limits_band select n, band, lim, 0, 0
      from ${range} cross join (values ('CRITICAL_HIGH', -60), ('WARNING_HIGH', -65)) as bands (band, lim)`);
  });
  await db.query(raw('analyze'));
}

/** So many readings, evenly over the services and the last 30 days. */
export async function fillHistory(
  db: Database,
  services: number,
  readings: number,
  now: Date,
): Promise<void> {
  const perDay = Math.ceil(readings / 30 / services);
  for (let day = 1; day <= 30; day += 1) {
    const begin = now.getTime() - day * 24 * 60 * 60 * 1000;
    for (let first = 1; first <= services; first += 500) await fillDay(db, begin, { first, perDay }, now);
    while ((await packInbox(db, now, { atOnce: true })) === 'more_to_do');
  }
  await db.query(raw('analyze reading_pack'));
}

async function fillDay(
  db: Database,
  begin: number,
  { first, perDay }: { first: number; perDay: number },
  now: Date,
): Promise<void> {
  const places = Array.from({ length: 500 * perDay }, (_, index) => index);
  const ids = places.map((place) => first + Math.floor(place / perDay));
  const ats = places.map((place) => begin + (place % perDay) * 60_000);
  const columns = { serviceIds: ids as ServiceId[], channelIds: ids, ats, values: places.map(() => -80) };
  await db.query(appendHistory(1 as OrganizationId, columns, now));
}
