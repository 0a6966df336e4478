// A page of the overview costs by the places that it shows, not by how many units there are.
import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import type { OrganizationId } from '../../src/domain/ids.ts';
import { MOST_DOTS, selectUnits } from '../../src/features/overview/queries.ts';
import { rememberPlaces } from '../../src/features/overview/remember-places.ts';
import { KEPT_MS, rememberUnits } from '../../src/features/overview/remember-units.ts';
import { weighTree } from '../../src/features/overview/weigh-tree.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { STORY_BEGINS_AT as now } from '../support/movable-clock.ts';
import { cloneDatabase } from '../support/test-database.ts';

const SERVICES = 10_000;
const PLACES = 100;
const SHOWN = 16;

let db: Database;
let organization: OrganizationId;
beforeAll(async () => {
  ({ db } = await cloneDatabase());
  await db.query(sql`insert into organization (name, created_at) values ('Biobank', ${now})`);
  await db.query(sql`
    insert into location (organization_id, name) select id, 'Hall ' || n from organization, generate_series(1, ${PLACES}::int) n`);
  await db.query(sql`
    insert into asset (organization_id, name, location_id)
    select organization.id, 'ULT-' || n, (select min(id) from location) + n % ${PLACES}::int
    from organization, generate_series(1, ${SERVICES}::int) n`);
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
      select case when service.id % 250 = 0 then 'critical' else 'normal' end as severity) as situation`);
  await db.query(sql`
    insert into limits_version (service_id, version, is_percentage, origin, author_name, created_at)
    select id, 1, false, 'edit', 'Ada', ${now} from service`);
  await db.query(sql`
    insert into limits_band (limits_version_id, band, limit_value, delay_minutes, sustained_minutes)
    select id, 'CRITICAL_HIGH', -60, 10, 0 from limits_version`);
  [organization] = (await db.query<{ id: OrganizationId }>(sql`select id from organization`)).map(
    ({ id }) => id,
  ) as [OrganizationId];
  await db.query(sql`analyze`);
}, 120_000);

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/** The same, and how many blocks it touched. */
function counting(): { db: Database; blocks: () => number } {
  let blocks = 0;
  const explaining = {
    ...db,
    async query<Row>(statement: Sql, access: 'by_index') {
      const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        sql`explain (analyze, buffers, format json) ${statement}`,
        access,
      );
      const plan = row?.['QUERY PLAN'][0].Plan;
      blocks += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
      return db.query<Row>(statement, access);
    },
  } as unknown as Database;
  return { db: explaining, blocks: () => blocks };
}

/** As they stand below each other: none of these names has parts. */
const listPlaces = async (from: number) =>
  weighTree(await rememberPlaces(db)([organization], now), null)
    .slice(from, from + SHOWN)
    .flatMap(({ entry }) => ('place' in entry ? entry.place : []));

test('places with alarms come first, each with all of its units', async () => {
  const places = await listPlaces(0);
  const units = await selectUnits(db, places, now);
  expect(units).toHaveLength(SHOWN);
  expect(units[0]?.counts).toEqual({ critical: 20, normal: 80 });
  expect(units[0]?.units).toHaveLength(SERVICES / PLACES);
  expect(units.at(-1)?.counts).toEqual({ normal: 100 });
});

test('a page costs by the places that it shows', async () => {
  const places = await listPlaces(48);
  const measured = counting();
  await selectUnits(measured.db, places, now);
  // A look at each index for each unit that is shown.
  expect(measured.blocks()).toBeLessThan(40 * SHOWN * (SERVICES / PLACES));
});

test('of a large place those that are not normal are shown, and not more than fit', async () => {
  await db.query(sql`update asset set location_id = (select min(id) from location)`);
  const places = await listPlaces(0);
  const [hall, ...others] = await selectUnits(db, places, now);
  expect(others).toEqual([]);
  expect(hall?.counts).toEqual({ critical: 40, normal: SERVICES - 40 });
  expect(new Set(hall?.units.map(({ state }) => state))).toEqual(new Set(['critical']));
  await db.query(sql`update alarm_state set severity = 'critical', severity_since = ${now}`);
  expect((await selectUnits(db, places, now))[0]?.units).toHaveLength(MOST_DOTS);
});

test('a large place is not looked at again and again, and never for longer than a moment', async () => {
  const places = await listPlaces(0);
  const measured = counting();
  const readUnits = rememberUnits(measured.db);
  const before = await readUnits(places, now);
  const cost = measured.blocks();
  expect(await readUnits(places, new Date(now.getTime() + KEPT_MS - 1))).toEqual(before);
  expect(measured.blocks()).toBe(cost);
  await db.query(sql`update alarm_state set severity = 'normal', severity_since = null`);
  const [hall] = await readUnits(places, new Date(now.getTime() + KEPT_MS));
  expect(hall?.counts).toEqual({ normal: SERVICES });
});
