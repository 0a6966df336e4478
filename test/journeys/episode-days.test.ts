// Days of past alarms, packed: whatever happens to alarms in whatever order, figures are those of the alarms themselves.

import fc from 'fast-check';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { everyPlace, readPastEpisodes } from '../../src/domain/history/past-episodes.ts';
import type { OrganizationId } from '../../src/domain/ids.ts';
import { packEpisodeDays, selectEpisodeDays } from '../../src/engine/alarm-state/episode-days.ts';
import { inSlices } from '../../src/platform/in-slices.ts';
import { createFreezer, type Freezer } from '../support/equipment.ts';
import { invitePeople, type People } from '../support/people.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let people: People;
let freezers: Freezer[];
beforeAll(async () => {
  server = await startServer();
});
beforeEach(async () => {
  people = await invitePeople(server);
  freezers = [await createFreezer(server, people), await createFreezer(server, people)];
});

const now = () => server.clock.read();
const DAY = 86_400_000;
const span = () => ({ from: new Date(now().getTime() - 9 * DAY), to: now() });

const raise = (unit: number, agoMs: number) =>
  server.db.query(sql`
    insert into episode (id, service_id, organization_id, severity, began_at)
    values (nextval('episode_id'), ${freezers[unit]?.id}, ${people.organization}, 'warning',
      ${new Date(now().getTime() - agoMs)})`);

/** One of the organization, by its place among them. */
const one = (place: number) => sql`id = (
  select id from episode where organization_id = ${people.organization} order by id
  offset ${place}::int % greatest(1, (select count(*) from episode where organization_id = ${people.organization})) limit 1)`;

/** The slow way: each alarm. */
const selectPlainly = (organization: OrganizationId) =>
  server.db.query<{ line: string }>(sql`
    select concat_ws(' ', service_id, severity, round(date_part('epoch', began_at) * 1000),
      coalesce(round(date_part('epoch', ended_at - began_at) * 1000)::text, 'NaN'),
      coalesce(round(date_part('epoch', acknowledged_at - began_at) * 1000)::text, 'NaN')) as "line"
    from episode
    where organization_id = ${organization} and began_at >= date_trunc('day', ${span().from}::timestamptz at time zone 'UTC') at time zone 'UTC'
    order by 1`);

async function readPacked(organization: OrganizationId) {
  const episodes = await inSlices(
    readPastEpisodes(await selectEpisodeDays(server.db, [organization], span())),
  );
  const { serviceIds, isCritical, beganMs, lastedMs, waitedMs } = episodes;
  return everyPlace(episodes)
    .map((place) =>
      [
        serviceIds[place],
        isCritical[place] === 1 ? 'critical' : 'warning',
        Math.round(beganMs[place] as number),
        Math.round(lastedMs[place] as number),
        Math.round(waitedMs[place] as number),
      ].join(' '),
    )
    .sort();
}

const countRows = async (table: 'episode_day' | 'episode_day_mark') => {
  const from = table === 'episode_day' ? sql`episode_day` : sql`episode_day_mark`;
  const [row] = await server.db.query<{ count: number }>(
    sql`select count(*)::int as "count" from ${from} where organization_id = ${people.organization}`,
  );
  return row?.count;
};

test('are those of the alarms, whatever happens and whenever they are packed', async () => {
  const place = fc.nat(20);
  const ago = fc.integer({ min: 0, max: 8 * DAY });
  const step = fc.oneof(
    fc.record({ what: fc.constant('raise' as const), unit: fc.nat(1), ago }),
    fc.record({ what: fc.constantFrom('end' as const, 'take' as const), place, after: fc.nat(2 * DAY) }),
    fc.record({ what: fc.constantFrom('worsen' as const, 'delete' as const, 'comment' as const), place }),
    fc.record({ what: fc.constant('move' as const), place, unit: fc.nat(1), ago }),
    fc.record({ what: fc.constant('pack' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      await server.db.query(sql`delete from episode where organization_id = ${people.organization}`);
      for (const act of steps) {
        if (act.what === 'raise') await raise(act.unit, act.ago);
        else if (act.what === 'pack') await packEpisodeDays(server.db, now());
        else if (act.what === 'end')
          await server.db.query(
            sql`update episode set ended_at = began_at + ${act.after}::int * interval '1 ms' where ${one(act.place)}`,
          );
        else if (act.what === 'take')
          await server.db.query(
            sql`update episode set acknowledged_at = began_at + ${act.after}::int * interval '1 ms' where ${one(act.place)}`,
          );
        else if (act.what === 'worsen')
          await server.db.query(sql`update episode set severity = 'critical' where ${one(act.place)}`);
        else if (act.what === 'comment')
          await server.db.query(sql`update episode set comments = 'Door' where ${one(act.place)}`);
        else if (act.what === 'delete')
          await server.db.query(sql`delete from episode where ${one(act.place)}`);
        else if (act.what === 'move')
          await server.db.query(sql`
            update episode set service_id = ${freezers[act.unit]?.id}, began_at = ${new Date(now().getTime() - act.ago)},
              ended_at = null, acknowledged_at = null
            where ${one(act.place)}`);
      }
      const plain = await selectPlainly(people.organization);
      expect(await readPacked(people.organization)).toEqual(plain.map(({ line }) => line).sort());
    }),
    { numRuns: 40 },
  );
});

test('are packed once they are over, and again after a change', async () => {
  for (const days of [0, 1, 3, 5]) await raise(0, days * DAY);
  await packEpisodeDays(server.db, now());
  expect(await countRows('episode_day')).toBe(2);
  // Today and yesterday are read as they are.
  expect(await countRows('episode_day_mark')).toBe(2);
  await server.db.query(
    sql`update episode set ended_at = ${now()} where organization_id = ${people.organization}`,
  );
  expect(await countRows('episode_day_mark')).toBe(6);
  await packEpisodeDays(server.db, now());
  expect(await countRows('episode_day')).toBe(2);
  expect(await countRows('episode_day_mark')).toBe(4);
  expect((await readPacked(people.organization)).filter((line) => line.includes('NaN NaN'))).toEqual([]);
});

test('a day whose alarms are gone is gone', async () => {
  await raise(0, 5 * DAY);
  await packEpisodeDays(server.db, now());
  await server.db.query(sql`delete from episode where organization_id = ${people.organization}`);
  expect(await readPacked(people.organization)).toEqual([]);
  await packEpisodeDays(server.db, now());
  expect(await countRows('episode_day')).toBe(0);
});

test('what changes while a day is packed is not lost', async () => {
  await raise(0, 5 * DAY);
  await server.db.transaction(async (tx) => {
    await tx.query(
      sql`update episode set severity = 'critical' where organization_id = ${people.organization}`,
    );
    await packEpisodeDays(server.db, now());
  });
  expect((await readPacked(people.organization))[0]).toContain('critical');
  await packEpisodeDays(server.db, now());
  expect((await readPacked(people.organization))[0]).toContain('critical');
});

test('nobody is given the days of another organization', async () => {
  await raise(0, 5 * DAY);
  await packEpisodeDays(server.db, now());
  const others = await invitePeople(server);
  expect(await readPacked(others.organization)).toEqual([]);
});
