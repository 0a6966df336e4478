// What every serving program does as time passes, whatever its work.
import type { MostDays } from '../../domain/readings/retention.ts';
import type { ClockTask } from '../../platform/clock-loop.ts';
import { forgetActs } from '../../platform/db/acts.ts';
import type { Database } from '../../platform/db/database.ts';
import { compareSchema } from '../../platform/db/migrations.ts';
import type { Log } from '../../platform/log.ts';
import { forgetOldAccountMail } from '../accounts/account-mail-queries.ts';
import { forgetContactCodes } from '../accounts/contact-methods.ts';
import { forgetDevices } from '../accounts/device-sessions.ts';
import { forgetAnsweredChallenges } from '../accounts/passkeys.ts';
import { forgetSessions } from '../accounts/sessions.ts';
import { forgetOldFailures } from '../accounts/sign-in-failures.ts';
import { packEpisodeDays } from '../alarm-state/episode-days.ts';
import { forgetListChanges } from '../alarm-state/forget-list-changes.ts';
import { lookUpWorst } from '../alarm-state/look-up-worst.ts';
import { forgetOldWaiting } from '../equipment/waiting-readings.ts';
import { forgetKeptMail } from '../mail/kept-mail.ts';
import { forgetAnswers } from '../outbox/answers-taken.ts';
import { forgetArrivals } from '../outbox/arrivals.ts';
import { forgetTold } from '../outbox/forget-told.ts';
import { mergePartsBehind, packReadingsBehind } from '../packing/pack-behind.ts';
import type { PackEntries } from '../packing/pack-entries.ts';
import { extendSeries } from '../quiet-times/series.ts';
import { deleteExpiredPacks } from '../readings/delete-expired.ts';
import { logDamages } from '../readings/reading-figures.ts';
import { dropExpiredMonths } from '../readings/reading-months.ts';
import { countUsage } from '../readings/usage.ts';
import { forgetReminders } from '../reminders/reminders.ts';
import { keepDoorsTight } from '../rescue/keep-doors-tight.ts';
import { forgetOldMoved } from '../sources/moved-posts.ts';

interface HousekeepingDeps {
  db: Database;
  log: Log;
  retentionDays: MostDays;
  /** Who packs when there is much. */
  packMany?: PackEntries | undefined;
}

/** What was told to whom, unless the installation says otherwise. */
const TOLD_DAYS = 400;

export const housekeepingTasks = ({ db, log, retentionDays, packMany }: HousekeepingDeps): ClockTask[] => [
  { name: 'schema', everySeconds: 60, run: () => refuseForeignSchema(db) },
  { name: 'retention', everySeconds: 3600, run: (now) => dropExpiredMonths(db, now, retentionDays) },
  { name: 'doors of refuges', everySeconds: 5, run: (now) => keepDoorsTight(db, now) },
  { name: 'alarms-list', everySeconds: 10, run: () => forgetListChanges(db) },
  { name: 'worst-values', everySeconds: 5, run: async (now) => void (await lookUpWorst(db, now)) },
  { name: 'episode-days', everySeconds: 60, run: (now) => packEpisodeDays(db, now) },
  { name: 'shorter-retention', everySeconds: 3600, run: (now) => deleteExpiredPacks(db, now, retentionDays) },
  { name: 'usage', everySeconds: 3600, run: (now) => countUsage(db, now) },
  { name: 'told', everySeconds: 60, run: (now) => forgetTold(db, now, retentionDays ?? TOLD_DAYS) },
  { name: 'damaged-readings', everySeconds: 60, run: (now) => logDamages(db, log, now) },
  { name: 'packing', everySeconds: 5, run: (now) => packReadingsBehind(db, now, packMany) },
  { name: 'merging', everySeconds: 30, run: (now) => mergePartsBehind(db, now) },
  { name: 'waiting-readings', everySeconds: 3600, run: (now) => forgetOldWaiting(db, now) },
  { name: 'moved-posts', everySeconds: 3600, run: (now) => forgetOldMoved(db, now) },
  { name: 'sign-in-throttle', everySeconds: 3600, run: (now) => forgetOldFailures(db, now) },
  { name: 'sessions', everySeconds: 3600, run: (now) => forgetSessions(db, now) },
  { name: 'device sessions', everySeconds: 3600, run: (now) => forgetDevices(db, now) },
  { name: 'contact codes', everySeconds: 3600, run: (now) => forgetContactCodes(db, now) },
  { name: 'answers', everySeconds: 3600, run: async (now) => void (await forgetAnswers(db, now)) },
  { name: 'door arrivals', everySeconds: 3600, run: async (now) => void (await forgetArrivals(db, now)) },
  { name: 'answered challenges', everySeconds: 3600, run: (now) => forgetAnsweredChallenges(db, now) },
  { name: 'acts', everySeconds: 3600, run: (now) => forgetActs((statement) => db.query(statement), now) },
  { name: 'kept-mail', everySeconds: 3600, run: (now) => forgetKeptMail(db, now) },
  { name: 'reminders-old', everySeconds: 3600, run: async (now) => void (await forgetReminders(db, now)) },
  { name: 'series', everySeconds: 3600, run: (now) => extendSeries(db, now) },
  { name: 'account-mail', everySeconds: 3600, run: (now) => forgetOldAccountMail(db, now) },
];

/** Somebody started a newer version beside this program: its statements may not fit any more, and the log says so. */
async function refuseForeignSchema(db: Database): Promise<void> {
  const { foreign } = await compareSchema(db);
  if (foreign) throw new Error(foreign);
}
