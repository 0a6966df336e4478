// How long it takes to say where things go: one alarm among 50,000 refuges, and a building of 400 units without power.
import sql, { raw } from 'sql-template-tag';
import type { Database } from '../src/platform/db/database.ts';
import { fillLab, setAlarms } from './lab.ts';
import { median } from './load.ts';
import type { Stage } from './stage.ts';

const REFUGES = 50_000;
const UNITS = 400;
const TIMES = 11;

export async function measureRescue({ bench, db, reader, now }: Stage): Promise<void> {
  await fillLab(db, REFUGES + UNITS, now);
  await fillPlans(db, now);
  await setAlarms(db, 1, now);
  const timeOf = async (path: string): Promise<number> => {
    const waits: number[] = [];
    for (let count = -2; count < TIMES; count += 1) {
      const startedAt = performance.now();
      const answer = await fetch(reader.url + path, { headers: { cookie: `access_token=${reader.token}` } });
      await answer.text();
      if (answer.status !== 200) throw new Error(`${path} is answered with ${answer.status}`);
      if (count >= 0) waits.push(performance.now() - startedAt);
    }
    return Number(median(waits).toFixed(1));
  };
  Object.assign(bench.figures, {
    rescue_alarm_ms: await timeOf('/alarms/1/rescue'),
    rescue_building_ms: await timeOf('/rescue/drill.csv?location=/house%200'),
  });
}

/** House 0 has the units, a hundred other houses all the refuges, of which one in ten is muted. */
async function fillPlans(db: Database, now: Date): Promise<void> {
  await db.query(sql`
    insert into location (organization_id, name)
    select 1, 'House ' || house || ' / Room ' || room from generate_series(0, 100) house, generate_series(1, 20) room`);
  await db.query(sql`
    insert into asset (organization_id, name, location_id)
    select 1, 'Asset of ' || name, id from location where organization_id = 1 and name like 'House %'`);
  await db.query(sql`
    update service set asset_id = (select id from asset where name = 'Asset of House '
      || case when service.id <= ${UNITS} then 0 else 1 + service.id % 100 end || ' / Room ' || 1 + service.id % 20)
    where organization_id = 1`);
  await db.query(sql`
    insert into rescue (service_id, organization_id, temperature_class, racks, free_racks, rescue_order, changed_at)
    select id, 1, 'ultra_low', case when id <= ${UNITS} then 1 + id % 9 else 0 end,
      case when id > ${UNITS} then id % 12 end, case when id % 3 = 0 then id % 50 end, ${now} from service where organization_id = 1`);
  await db.query(sql`
    update alarm_state set channel_ids = array[service_id], channel_at_ms = array[${now.getTime()}::bigint],
      channel_values = array[-80] where cardinality(channel_ids) = 0`);
  await db.query(sql`
    insert into mute (service_id, account_id, account_name, created_at)
    select service_id, 1, 'Ada', ${now} from rescue where service_id > ${UNITS} and service_id % 10 = 0`);
  await db.query(raw('analyze'));
}
