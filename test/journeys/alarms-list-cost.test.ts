// docs/architecture.md: the alarms list costs by the number of active alarms, not of services nor of stored history.
import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import type { OrganizationId } from '../../src/domain/ids.ts';
import { selectAlarms } from '../../src/features/alarms/queries.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { STORY_BEGINS_AT as now } from '../support/movable-clock.ts';
import { cloneDatabase } from '../support/test-database.ts';

const SERVICES = 10_000;
const ALARMS = 100;

let db: Database;
let organization: OrganizationId;
beforeAll(async () => {
  ({ db } = await cloneDatabase());
  await db.query(sql`insert into organization (name, created_at) values ('Biobank', ${now})`);
  await db.query(sql`insert into location (organization_id, name) select id, 'Hall' from organization`);
  await db.query(sql`
    insert into asset (organization_id, name, location_id)
    select organization_id, 'ULT-' || n, id from location, generate_series(1, ${SERVICES}::int) n`);
  await db.query(sql`
    insert into service (organization_id, name, asset_id, created_at)
    select organization_id, 'Freezer ' || id, id, ${now} from asset order by id`);
  await db.query(sql`
    insert into alarm_state (service_id, organization_id, severity, severity_since, channel, message, episode_id)
    select id, organization_id, severity, case severity when 'critical' then ${now}::timestamptz end,
      'temperature', 'Too warm', id
    from service, lateral (
      select case when id % ${SERVICES / ALARMS}::int = 0 then 'critical' else 'normal' end as severity) as situation`);
  await db.query(sql`
    insert into channel (service_id, name, kind, created_at) select id, 'temperature', 'metric', ${now} from service`);
  await db.query(sql`
    update alarm_state set channel_ids = array[channel.id], channel_values = '{1}', channel_at_ms = array[${now.getTime()}::bigint]
    from channel where channel.service_id = alarm_state.service_id`);
  await db.query(sql`
    insert into downtime (service_id, start_at, end_at, reason, created_by_id, created_by_name, created_at)
    select id, ${now}::timestamptz - interval '2 hours', ${now}::timestamptz - interval '1 hour', 'Defrost', 1, 'Oscar', ${now}
    from service`);
  await db.query(sql`
    insert into acknowledgement (service_id, episode_id, severity, account_id, account_name, created_at, ended_at, end_reason)
    select id, 1, 'WARNING', 1, 'Oscar', ${now}, ${now}, 'recovered' from service`);
  await db.query(sql`
    insert into mute (service_id, account_id, account_name, created_at, ended_at)
    select id, 1, 'Oscar', ${now}, ${now} from service`);
  [organization] = (await db.query<{ id: OrganizationId }>(sql`select id from organization`)).map(
    ({ id }) => id,
  ) as [OrganizationId];
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

async function explain(): Promise<Plan> {
  let plan: Plan | undefined;
  const explaining = {
    ...db,
    async query<Row>(statement: Sql) {
      const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        sql`explain (analyze, buffers, format json) ${statement}`,
      );
      plan = row?.['QUERY PLAN'][0].Plan;
      return [] as Row[];
    },
  };
  await selectAlarms(explaining, [organization], now);
  return plan as Plan;
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

test('it lists what is wrong', async () => {
  expect(await selectAlarms(db, [organization], now)).toHaveLength(ALARMS);
});

test.each(['before', 'after'])('no table is read as a whole, %s statistics are gathered', async (when) => {
  if (when === 'after') await db.query(sql`analyze`);
  const plan = await explain();
  const nodes = nodesOf(plan);
  const whole = nodes.filter(
    (node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'location',
  );
  expect(whole.map((node) => node['Relation Name'])).toEqual([]);
  expect(nodes.map((node) => node['Index Name'])).toContain('alarm_state_active');
  expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(40 * ALARMS);
});
