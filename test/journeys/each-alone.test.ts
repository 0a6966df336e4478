// Loops over items of many organizations: one that fails costs itself only. A trigger lets whatever touches one service fail.
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import type { ServiceId } from '../../src/domain/ids.ts';
import { endDueMutes } from '../../src/engine/quiet-times/mutes.ts';
import { extendSeries } from '../../src/engine/quiet-times/series.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { type Freezer, openLab } from '../support/lab.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { startServer } from '../support/test-server.ts';

/** Whoever writes a row of that service to the table fails. */
const spoil = (db: Database, table: string, serviceId: ServiceId) =>
  db.transaction((tx) =>
    tx.run(`
      create function spoil_${table}() returns trigger language plpgsql as $$
        begin raise exception 'spoilt'; end $$;
      create trigger spoil before insert or update on ${table} for each row
        when (new.service_id = ${serviceId}) execute function spoil_${table}()`),
  );

/** Two organizations; what fails belongs to the first. */
async function openTwo() {
  const server = await startServer();
  const labs = [await openLab(server), await openLab(server)] as const;
  const spoilt = await labs[0].freezer();
  const others = [await labs[0].freezer(), await labs[1].freezer()];
  return { server, labs, spoilt, others };
}

const count = async (db: Database, table: 'downtime' | 'mute', { id }: Freezer) => {
  const query =
    table === 'downtime'
      ? sql`select from downtime where service_id = ${id}`
      : sql`select from mute where service_id = ${id} and ended_at is null`;
  return (await db.query(query)).length;
};

test('a series that cannot go on holds up no other', async () => {
  const { server, labs, spoilt, others } = await openTwo();
  const day = (ahead: number) =>
    new Date(server.clock.read().getTime() + hours(24 * ahead)).toISOString().slice(0, 10);
  const all = [
    [labs[0], spoilt],
    [labs[0], others[0]],
    [labs[1], others[1]],
  ] as [(typeof labs)[0], Freezer][];
  for (const [lab, freezer] of all) {
    const plan = {
      service_id: String(freezer.id),
      first_day: day(1),
      start: '02:30',
      duration: '60',
      interval: '1',
    };
    const weekly = { unit: 'week', MO: 'yes', until_day: day(60), reason: 'Defrost' };
    expect((await lab.oscar.post('/downtimes/series', { ...plan, ...weekly })).status).toBe(303);
  }
  const before = await Promise.all([spoilt, ...others].map((one) => count(server.db, 'downtime', one)));
  await spoil(server.db, 'downtime', spoilt.id);
  server.clock.advance(hours(24 * 7));
  await expect(extendSeries(server.db, server.clock.read())).rejects.toThrow(/^series \d+ failed$/);
  const after = await Promise.all([spoilt, ...others].map((one) => count(server.db, 'downtime', one)));
  expect(after.map((now, index) => now - (before[index] ?? 0))).toEqual([0, 1, 1]);
});

test('a mute that cannot end holds up no other', async () => {
  const { server, spoilt, others } = await openTwo();
  const now = server.clock.read();
  for (const { id } of [spoilt, ...others])
    await server.db.query(sql`
      insert into mute (service_id, account_id, account_name, created_at, ends_at)
      select ${id}, id, name, ${now}, ${new Date(now.getTime() + minutes(5))} from account limit 1`);
  await spoil(server.db, 'mute', spoilt.id);
  server.clock.advance(minutes(6));
  await expect(endDueMutes(server.db, server.clock.read())).rejects.toThrow(
    `the mute of service ${spoilt.id} failed`,
  );
  expect(await Promise.all([spoilt, ...others].map((one) => count(server.db, 'mute', one)))).toEqual([
    1, 0, 0,
  ]);
});

test('a service that cannot be judged holds up no other, of its own organization neither', async () => {
  const { server, spoilt } = await openTwo();
  await server.road.sweep(server.clock.read());
  await server.db.query(sql`update alarm_state set next_due_at = ${server.clock.read()}`);
  await spoil(server.db, 'alarm_state', spoilt.id);
  await expect(server.road.sweep(server.clock.read())).rejects.toThrow(`service ${spoilt.id} failed`);
  const due = await server.db.query<{ id: number }>(sql`
    select service_id as "id" from alarm_state where next_due_at <= ${server.clock.read()}`);
  expect(due).toEqual([{ id: spoilt.id }]);
});
