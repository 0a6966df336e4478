import { pino } from 'pino';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { applyDemoLab } from '../../src/app.ts';
import { openDemo } from '../../src/features/simulation/demo/open-demo.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { STORY_BEGINS_AT } from '../support/movable-clock.ts';
import { cloneDatabase } from '../support/test-database.ts';

const log = pino({ level: 'silent' });

/** Three days of history tell the same story in a tenth of the time. */
function open(db: Database) {
  const said: string[] = [];
  const clock = () => STORY_BEGINS_AT;
  const opened = openDemo({
    db,
    clock,
    log,
    retentionDays: 4,
    say: (line) => void said.push(line),
    applyLab: applyDemoLab(db),
  });
  return { opened, said };
}

test('an empty database becomes a lab with alarms in every state, and goes on when started again', async () => {
  const { db } = await cloneDatabase();
  const { opened, said } = open(db);
  const demo = await opened;
  if (!demo.ok) throw new Error(demo.refusal);
  await demo.value.stop();
  const count = async (statement: ReturnType<typeof sql>) =>
    (await db.query<{ count: number }>(sql`select count(*)::int as "count" from (${statement}) found`))[0]
      ?.count ?? 0;

  expect(await count(sql`select 1 from service`)).toBe(60);
  // One of its rooms is drawn, with what stands there.
  expect(
    await count(sql`
      select 1 from floor_plan_marker marker join service on service.id = marker.service_id
      join asset on asset.id = asset_id join location on location.id = location_id where location.name = 'Vault 1'`),
  ).toBe(7);
  const states = await db.query<{ state: string }>(sql`
    select organization.name || '/' || service.name || ' ' || concat_ws(' ',
      case when severity = 'normal' then 'stale' else severity end,
      (select 'acknowledged' from acknowledgement where service_id = service.id and ended_at is null),
      (select 'muted' from mute where service_id = service.id and ended_at is null),
      (select 'in downtime' from downtime where service_id = service.id
        and start_at <= ${STORY_BEGINS_AT} and end_at > ${STORY_BEGINS_AT})) as "state"
    from alarm_state state join service on service.id = state.service_id
    join organization on organization.id = service.organization_id
    where severity <> 'normal' or stale_since is not null order by 1`);
  expect(states.map(({ state }) => state)).toEqual([
    'Biobank/ULT freezer 2 warning acknowledged',
    'Biobank/ULT freezer 4 critical in downtime',
    'Cell Biology/CO₂ incubator 3 stale',
    'Cell Biology/Freezer 1 critical acknowledged',
    'Cell Biology/Fridge 2 warning',
    'Cell Biology/Fridge 3 warning muted',
    'Cell Biology/ULT freezer 2 critical',
  ]);
  expect(await count(sql`select 1 from alarm_event where kind = 'recovered'`)).toBeGreaterThan(0);
  // What the curve shows and what is said of it are of the same time; of an unsteady unit it is said half an hour later.
  const late = await db.query<{ minutes: number }>(sql`
    select ceil(extract(epoch from min(delivery.sent_at) - notification.happened_at) / 60)::int as "minutes"
    from notification join delivery on notification_id = notification.id
    where notification.kind = 'recovery' and delivery.state = 'sent' group by notification.id`);
  expect(late.length).toBeGreaterThan(0);
  // Only the one whose sensor is dead.
  expect(await count(sql`select 1 from alarm_event where kind = 'went_stale'`)).toBe(1);
  expect(Math.max(...late.map(({ minutes }) => minutes))).toBeLessThanOrEqual(45);
  expect(await count(sql`select 1 from downtime where start_at > ${STORY_BEGINS_AT}`)).toBe(2);
  expect(await count(sql`select 1 from delivery where state = 'sent'`)).toBeGreaterThan(0);
  expect(await count(sql`select 1 from delivery where transport = 'webhook'`)).toBeGreaterThan(0);
  expect(await count(sql`select 1 from delivery where state not in ('sent', 'queued')`)).toBe(0);
  expect(await count(sql`select 1 from reading_pack`)).toBeGreaterThan(400);
  expect(await count(sql`select 1 from recommendation`)).toBe(1);
  expect(await count(sql`select 1 from rescue_reservation where ended_at is null`)).toBe(1);
  expect(said.filter((line) => /^ {2}\w+@lab\.example +\S{12} /.test(line))).toHaveLength(6);

  const again = open(db);
  const running = await again.opened;
  expect(running.ok).toBe(true);
  if (running.ok) await running.value.stop();
  expect(again.said.join()).toContain('The demonstration goes on');
});

test('a database with anything in it is left alone', async () => {
  const { db } = await cloneDatabase();
  await db.query(sql`insert into organization (name, created_at) values ('Real lab', ${STORY_BEGINS_AT})`);
  const refused = await open(db).opened;
  expect(refused.ok ? '' : refused.refusal).toContain('--demo fills an empty database only');
  expect(await db.query(sql`select name from organization`)).toEqual([{ name: 'Real lab' }]);
});

test('one that was interrupted half-way is not taken for whole', async () => {
  const { db } = await cloneDatabase();
  await db.query(sql`
    insert into demonstration (seed, began_at, until_at)
    values (1, ${new Date(STORY_BEGINS_AT.getTime() - 1000)}, ${STORY_BEGINS_AT})`);
  const refused = await open(db).opened;
  expect(refused.ok ? '' : refused.refusal).toContain('was interrupted while it was filled in');
});
