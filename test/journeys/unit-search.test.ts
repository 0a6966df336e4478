// Words find units by name, asset, location, device and organization, whatever was renamed or moved meanwhile, and whoever did it.

import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import type { OrganizationId } from '../../src/domain/ids.ts';
import { findUnits, splitWords } from '../../src/engine/equipment/find-units.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { STORY_BEGINS_AT as now } from '../support/movable-clock.ts';
import { cloneDatabase } from '../support/test-database.ts';

let db: Database;
beforeAll(async () => {
  ({ db } = await cloneDatabase());
});

let made = 0;
async function openBiobank() {
  made += 1;
  const [organization] = await db.query<{ id: OrganizationId }>(sql`
    insert into organization (name, created_at) values (${`Virology Q${made}`}, ${now}) returning id`);
  const own = organization?.id ?? (0 as OrganizationId);
  const [room] = await db.query<{ id: number }>(sql`
    insert into location (organization_id, name) values (${own}, 'Room 104') returning id`);
  const [asset] = await db.query<{ id: number }>(sql`
    insert into asset (organization_id, name, location_id) values (${own}, 'ULT-7', ${room?.id}) returning id`);
  const [service] = await db.query<{ id: number }>(sql`
    insert into service (organization_id, name, asset_id, created_at)
    values (${own}, 'Freezer 10', ${asset?.id}, ${now}) returning id`);
  const [device] = await db.query<{ id: number }>(sql`
    insert into device (organization_id, key, service_id, created_at)
    values (${own}, 'A81758FFFE', ${service?.id}, ${now}) returning id`);
  const add = (name: string) =>
    db.query(sql`insert into service (organization_id, name, created_at) values (${own}, ${name}, ${now})`);
  const find = async (text: string, organizations = [own]) =>
    (await findUnits(db, organizations, splitWords(text), { limit: 20 })).map(({ name }) => name);
  return { own, room, asset, service, device, add, find };
}

test('two words in any order, each found somewhere', async () => {
  const { find } = await openBiobank();
  for (const text of [
    'ULT Virology',
    'virology ult',
    'freezer 104',
    'a8175 room',
    'reezer',
    '  ',
    '10 ULT-7',
  ])
    expect(await find(text), text).toEqual(['Freezer 10']);
  for (const text of ['ULT Bacteriology', 'freezer 105', 'ULT%7', 'ULT_7', '\\'])
    expect(await find(text), text).toEqual([]);
});

test('a name that has the word comes first, numbers in their order', async () => {
  const { add, find } = await openBiobank();
  await add('Shaker 10');
  await add('Shaker 2');
  await add('ULT shaker');
  expect(await find('ult')).toEqual(['ULT shaker', 'Freezer 10']);
  expect(await find('shaker')).toEqual(['Shaker 2', 'Shaker 10', 'ULT shaker']);
});

test('an organization finds its own only', async () => {
  const one = await openBiobank();
  const other = await openBiobank();
  await other.add('Secret fridge');
  expect(await one.find('secret')).toEqual([]);
  expect(await one.find('secret', [one.own, other.own])).toEqual(['Secret fridge']);
  expect(await one.find(`virology q${made}`)).toEqual([]);
  expect(await one.find('freezer', [])).toEqual([]);
});

test('whatever is renamed, moved, handed over or archived is found as it is now', async () => {
  const { own, room, asset, service, device, find } = await openBiobank();
  await db.query(sql`update location set name = 'Cellar' where id = ${room?.id}`);
  expect([await find('104'), await find('cellar')]).toEqual([[], ['Freezer 10']]);
  await db.query(sql`update asset set name = 'Box' where id = ${asset?.id}`);
  expect([await find('ult'), await find('box')]).toEqual([[], ['Freezer 10']]);
  await db.query(sql`update device set key = 'B0' where id = ${device?.id}`);
  expect([await find('a8'), await find('b0')]).toEqual([[], ['Freezer 10']]);
  await db.query(sql`update device set service_id = null where id = ${device?.id}`);
  expect(await find('b0')).toEqual([]);
  await db.query(sql`update device set service_id = ${service?.id} where id = ${device?.id}`);
  await db.query(sql`update service set name = 'Incubator' where id = ${service?.id}`);
  expect(await find('b0 incubator cellar box')).toEqual(['Incubator']);
  await db.query(sql`delete from device where id = ${device?.id}`);
  expect(await find('b0')).toEqual([]);
  await db.query(sql`update asset set location_id = null where id = ${asset?.id}`);
  expect([await find('cellar'), await find('box')]).toEqual([[], ['Incubator']]);
  await db.query(sql`update organization set name = 'Hepatology' where id = ${own}`);
  expect([await find('virology'), await find('hepatology')]).toEqual([[], ['Incubator']]);
  await db.query(sql`update service set archived_at = ${now} where id = ${service?.id}`);
  expect(await find('incubator')).toEqual([]);
});

test('of two that change parts of the same unit at once, both are found', async () => {
  const { service, own, find } = await openBiobank();
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const renaming = db.transaction(async (tx) => {
    await tx.query(sql`update service set name = 'Renamed' where id = ${service?.id}`);
    await finished;
  });
  const isWaiting = async (kind: string) =>
    (
      await db.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = ${kind}
        and query ~ '(update service|insert into device)'`)
    ).length;
  await expect.poll(() => isWaiting('Client')).toBe(1);
  const adding = db.query(sql`
    insert into device (organization_id, key, service_id, created_at)
    values (${own}, 'beside', ${service?.id}, ${now})`);
  await expect.poll(() => isWaiting('Lock')).toBe(1);
  finish();
  await Promise.all([renaming, adding]);
  expect(await find('renamed beside')).toEqual(['Renamed']);
});
