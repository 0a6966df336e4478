// Whatever others do to the program, an alarm goes out meanwhile.
import pg from 'pg';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { openServingLab } from '../support/serving-lab.ts';

test('fifty page queries that hang: an alarm goes out meanwhile, and pages are there again afterwards', async () => {
  const lab = await openServingLab();
  const { db, connection } = lab.own;
  const other = new pg.Client(connection);
  await other.connect();
  onTestFinished(() => other.end());
  // As a repair of the table would hold it.
  await other.query('begin; lock table audit in access exclusive mode');
  const pages = Promise.all(Array.from({ length: 50 }, async () => (await lab.open('/audit')).status));
  const countHanging = async () =>
    (
      await db.query(sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    ).length;
  await expect.poll(countHanging, { timeout: 10_000 }).toBe(10);
  await lab.expectAlarmToGoOut(1);
  expect(await countHanging()).toBe(10);
  await other.query('rollback');
  await pages;
  expect((await lab.open('/audit')).status).toBe(200);
});
