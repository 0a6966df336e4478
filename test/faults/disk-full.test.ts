// The disk of the database is full: first for whoever packs, then for everybody. Readings are taken while they can be, then
// refused so that gateways keep them; nothing is lost, and all goes on by itself when there is room.
import { pino } from 'pino';
import { raw } from 'sql-template-tag';
import { expect, test } from 'vitest';
import { housekeepingTasks } from '../../src/engine/program/housekeeping.ts';
import { createClockLoop } from '../../src/platform/clock-loop.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { openLab } from '../support/lab.ts';
import { minutes, seconds } from '../support/movable-clock.ts';
import { listStored } from '../support/stored-readings.ts';
import { startServer } from '../support/test-server.ts';

/** As the server says it when it cannot make a table larger. */
const fill = (db: Database, table: string) =>
  db.transaction((tx) =>
    tx.run(`
      create function refuse_${table}() returns trigger language plpgsql as $$
      begin
        raise exception 'could not extend file "base/5/16384": No space left on device' using errcode = 'disk_full';
      end $$;
      create trigger refuse before insert on ${table} for each statement execute function refuse_${table}();`),
  );
const empty = (db: Database, table: string) => db.query(raw(`drop function refuse_${table} cascade`));

test('readings are taken while there is room for them, then refused, and then taken again', async () => {
  const { db, clock, ...server } = await startServer();
  const lab = await openLab({ db, clock, ...server });
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const loop = createClockLoop(
    { clock: clock.read, log },
    housekeepingTasks({ db, log, retentionDays: 400 }),
  );
  const readingsHealth = async () => {
    const answer = await lab.nora.get('/api/v1/health/detailed');
    return (
      (await answer.json()) as { components: Record<string, { status: string; reason: string | null }> }
    ).components.readings;
  };
  const freezer = await lab.freezer({
    limits: [{ channel: 'temperature', bands: { CRITICAL_HIGH: { limit: -60 } } }],
  });
  const answered: [number, number][] = [];
  const refused: [number, number][] = [];
  const send = async (temperature: number, time = clock.read().getTime()) => {
    const answer = await freezer.sends({ time, values: { temperature } });
    if (answer.status === 200) answered.push([time, temperature]);
    else refused.push([time, temperature]);
    return answer;
  };
  const storedNow = async () =>
    (await listStored(db, freezer.id)).map(({ at, value }) => [at.getTime(), value]);

  await send(-80);
  await fill(db, 'reading_pack');
  for (let minute = 0; minute < 31; minute += 1) {
    clock.advance(minutes(1));
    expect((await send(-80 + minute / 10)).status).toBe(200);
    await loop.tick();
  }
  expect(await storedNow()).toEqual(answered);
  expect(logged.some((line) => line.includes('packing') && line.includes('No space left'))).toBe(true);
  expect(await readingsHealth()).toMatchObject({
    status: 'degraded',
    reason: expect.stringContaining('Readings wait to be packed'),
  });

  await fill(db, 'reading_inbox');
  clock.advance(minutes(1));
  const refusal = await send(-50);
  expect(refusal.status).toBe(503);
  expect(refusal.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await lab.alarms()).toEqual([]);
  expect(await storedNow()).toEqual(answered);

  await empty(db, 'reading_inbox');
  for (const [time, temperature] of refused) expect((await send(temperature, time)).status).toBe(200);
  expect(await lab.alarms()).toHaveLength(1);
  await empty(db, 'reading_pack');
  clock.advance(minutes(11));
  await loop.tick();
  // Whoever merges may have been first.
  clock.advance(seconds(5));
  await loop.tick();
  expect(await db.query(raw('select 1 from reading_inbox'))).toEqual([]);
  expect(await storedNow()).toEqual(answered);
  clock.advance(seconds(30));
  expect(await readingsHealth()).toMatchObject({ status: 'ok', reason: null });
});
