// A page of the list of services costs by what it shows, not by how many services there are.

import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import type { AccountId, OrganizationId, ServiceId } from '../../src/domain/ids.ts';
import { english } from '../../src/domain/language/english.ts';
import { appendHistory } from '../../src/engine/journal/inbox.ts';
import type { Visitor } from '../../src/engine/pages/visitor.ts';
import { listServices } from '../../src/features/services/list/list-services.ts';
import { readFilter } from '../../src/features/services/list/service-filter.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { STORY_BEGINS_AT as now } from '../support/movable-clock.ts';
import { packAll } from '../support/stored-readings.ts';
import { cloneDatabase } from '../support/test-database.ts';

const SERVICES = 10_000;

let db: Database;
let visitor: Visitor;
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
    insert into channel (service_id, name, kind, created_at) select id, 'temperature', 'metric', ${now} from service`);
  await db.query(sql`
    insert into alarm_state (service_id, organization_id, severity, severity_since, channel, message, episode_id,
      channel_ids, channel_values, channel_at_ms)
    select service.id, organization_id, severity, case severity when 'critical' then ${now}::timestamptz end,
      'temperature', 'Too warm', service.id, array[channel.id], '{1}', array[${now.getTime()}::bigint]
    from service join channel on channel.service_id = service.id, lateral (
      select case when service.id % 100 = 0 then 'critical' else 'normal' end as severity) as situation`);
  const channels = await db.query<{ id: number; serviceId: ServiceId }>(
    sql`select id, service_id as "serviceId" from channel`,
  );
  const [organization] = await db.query<{ id: OrganizationId }>(sql`select id from organization`);
  const organizationId = organization?.id ?? (0 as OrganizationId);
  for (let hour = 24; hour > 0; hour -= 1)
    await db.query(
      appendHistory(
        organizationId,
        {
          serviceIds: channels.map(({ serviceId }) => serviceId),
          channelIds: channels.map(({ id }) => id),
          ats: channels.map(() => now.getTime() - hour * 3_600_000),
          values: channels.map(() => hour),
        },
        now,
      ),
    );
  await packAll(db, now);
  visitor = {
    accountId: 1 as AccountId,
    name: 'Vera',
    email: 'vera@lab.example',
    timezone: 'UTC',
    now,
    memberships: [
      { organizationId: organization?.id as OrganizationId, organizationName: 'Lab', role: 'viewer' },
    ],
    isKeeper: false,
    languages: [],
    language: english,
    sessionId: null,
    mustProve: false,
    invitations: [],
    address: null,
    requestId: null,
  };
});

/** How many statements it took, and how many blocks they touched. */
async function measure(query: Record<string, string>) {
  let [statements, blocks] = [0, 0];
  const explaining = {
    ...db,
    async query<Row>(statement: Sql) {
      statements += 1;
      const [row] = await db.query<{
        'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }];
      }>(sql`explain (analyze, buffers, format json) ${statement}`);
      const plan = row?.['QUERY PLAN'][0].Plan;
      blocks += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
      return db.query<Row>(statement);
    },
    async queryAll(asked: Record<string, Sql>) {
      const answers: [string, unknown[]][] = [];
      for (const [name, statement] of Object.entries(asked))
        answers.push([name, await explaining.query(statement)]);
      return Object.fromEntries(answers);
    },
  } as unknown as Database;
  const { rows } = await listServices(explaining, visitor, readFilter(query));
  return { statements, blocks, rows: rows.length };
}

test.each(['before', 'after'])(
  'any page costs the same few statements and blocks, %s statistics',
  async (when) => {
    if (when === 'after') await db.query(sql`analyze`);
    for (const query of [{}, { sort: 'name' }, { page: '4' }, { sort: '-name', page: '3' }] as Record<
      string,
      string
    >[]) {
      const cost = await measure(query);
      expect(cost).toMatchObject({ statements: 10, rows: 50 });
      expect(cost.blocks, JSON.stringify(query)).toBeLessThan(3_000);
    }
  },
);

test('a search or a state looks at all of them once, in the same statements', async () => {
  expect(await measure({ q: 'hall 9999' })).toMatchObject({ statements: 10, rows: 1 });
  expect(await measure({ state: 'critical' })).toMatchObject({ statements: 10, rows: 50 });
});

test('a search or a state never costs more than a few looks at all services', async () => {
  for (const query of [{ q: 'hall 99' }, { state: 'critical' }, { state: 'normal' }]) {
    const cost = await measure(query);
    expect(cost.blocks, JSON.stringify(query)).toBeLessThan(20_000);
  }
});
