// What every serving program does as time passes, whatever its work.
import sql from 'sql-template-tag';
import type { ClockTask } from '../../platform/clock-loop.ts';
import type { Database } from '../../platform/db/database.ts';
import { compareSchema } from '../../platform/db/migrations.ts';
import { forgetOldAccountMail } from '../accounts/account-mail-queries.ts';
import { forgetSessions } from '../accounts/sessions.ts';
import { forgetKeptMail } from '../mail/kept-mail.ts';
import { forgetTold } from '../outbox/forget-told.ts';
import { dropExpiredWeeks, makePartitions } from '../readings/reading-partitions.ts';
import { createRollUp } from '../readings/roll-up.ts';

const FORGET_FAILURES_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

export const housekeepingTasks = (db: Database, retentionDays: number): ClockTask[] => [
  { name: 'schema', everySeconds: 60, run: () => refuseForeignSchema(db) },
  { name: 'partitions', everySeconds: 3600, run: (now) => makePartitions(db, now, retentionDays) },
  { name: 'retention', everySeconds: 3600, run: (now) => dropExpiredWeeks(db, now, retentionDays) },
  { name: 'told', everySeconds: 60, run: (now) => forgetTold(db, now, retentionDays) },
  { name: 'rollups', everySeconds: 10, run: createRollUp(db, retentionDays) },
  { name: 'sign-in-throttle', everySeconds: 3600, run: (now) => forgetOldFailures(db, now) },
  { name: 'sessions', everySeconds: 3600, run: (now) => forgetSessions(db, now) },
  { name: 'kept-mail', everySeconds: 3600, run: (now) => forgetKeptMail(db, now) },
  { name: 'account-mail', everySeconds: 3600, run: (now) => forgetOldAccountMail(db, now) },
];

/** Somebody started a newer version beside this program: its statements may not fit any more, and the log says so. */
async function refuseForeignSchema(db: Database): Promise<void> {
  const { foreign } = await compareSchema(db);
  if (foreign) throw new Error(foreign);
}

/** Anybody can make up emails to fail with; a week after the last failure they are forgotten. */
async function forgetOldFailures(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - FORGET_FAILURES_AFTER_MS);
  await db.query(sql`delete from sign_in_throttle where last_failed_at < ${before}`);
  await db.query(sql`delete from sign_in_budget where window_began_at < ${before}`);
}
