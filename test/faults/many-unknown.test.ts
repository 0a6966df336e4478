// A house full of devices that nobody knows: a hundred organizations have as many waiting as each may have. Whoever has nothing
// to do with them goes on as ever, one more makes room, and what has waited long enough goes.
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { MOSTS } from '../../src/domain/mosts.ts';
import { housekeepingTasks } from '../../src/engine/program/housekeeping.ts';
import { createClockLoop } from '../../src/platform/clock-loop.ts';
import { openLab } from '../support/lab.ts';
import { hours, minutes } from '../support/movable-clock.ts';
import { startServer } from '../support/test-server.ts';
import { signedIn } from '../support/visitor.ts';

const ORGANIZATIONS = 100;
const READINGS = 2;

test('100,000 waiting devices', { timeout: 300_000 }, async () => {
  const server = await startServer();
  const { db, clock } = server;
  const lab = await openLab(server);
  const ada = await signedIn(server, lab.ada);
  const freezer = await lab.freezer();
  const { most } = MOSTS.waitingDevices;
  const now = clock.read();
  await db.query(sql`
    insert into organization (name, created_at)
    select 'Flooded ' || n, ${now} from generate_series(1, ${ORGANIZATIONS - 1}::int) as n`);
  await db.query(sql`
    insert into device (organization_id, key, heard_from, first_seen_at, last_seen_at, created_at)
    select organization.id, 'made-up-' || n, 'gateway', ${now}, ${now}, ${now}
    from organization cross join generate_series(1, ${most}::int) as n
    where organization.id = ${lab.organization} or organization.name like 'Flooded%'`);
  await db.query(sql`insert into waiting_device select id, ${READINGS} from device where service_id is null`);
  await db.query(sql`
    insert into waiting_reading (device_id, place, channel, at, value, is_state, received_at)
    select device_id, place, 'temperature', ${now}, -80, false, ${now}
    from waiting_device cross join generate_series(1, ${READINGS}::int) as place`);
  const ofLab = sql`from device where organization_id = ${lab.organization} and service_id is null`;
  const listKeys = async () =>
    (await db.query<{ key: string }>(sql`select key ${ofLab} order by id desc`)).map(({ key }) => key);

  clock.advance(minutes(2));
  expect((await freezer.reads(-80)).status).toBe(200);
  const sent = await lab.post([{ device: 'one-more', values: { temperature: -80 } }]);
  expect(sent.status).toBe(200);
  expect(await listKeys()).toHaveLength(most);
  expect((await listKeys())[0]).toBe('one-more');
  for (const path of ['/', '/settings/devices', '/settings/sources'])
    expect((await ada.open(path)).status).toBe(200);

  const log = pino({ level: 'silent' });
  const loop = createClockLoop(
    { clock: clock.read, log },
    housekeepingTasks({ db, log, retentionDays: 400 }),
  );
  clock.advance(hours(25));
  await loop.tick();
  expect(await db.query(sql`select 1 from waiting_reading limit 1`)).toEqual([]);
});
