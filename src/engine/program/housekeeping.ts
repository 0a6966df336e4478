// What every serving program does as time passes, whatever its work.
import type { ClockTask } from '../../platform/clock-loop.ts';
import type { Database } from '../../platform/db/database.ts';
import { compareSchema } from '../../platform/db/migrations.ts';
import { forgetOldAccountMail } from '../accounts/account-mail-queries.ts';
import { forgetSessions } from '../accounts/sessions.ts';
import { forgetOldFailures } from '../accounts/sign-in-failures.ts';
import { forgetKeptMail } from '../mail/kept-mail.ts';
import { forgetTold } from '../outbox/forget-told.ts';
import { dropExpiredWeeks, makePartitions } from '../readings/reading-partitions.ts';
import { createRollUp } from '../readings/roll-up.ts';

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
