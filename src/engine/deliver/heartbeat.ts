// Watching the watcher: somebody outside is called every minute while all is well, and raises the alarm when the calls end.
import sql from 'sql-template-tag';
import { type Database, first, type ReadDatabase } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import { selectLastBeat } from '../programs.ts';
import { selectOutboxFigures } from './outbox-figures.ts';

interface HeartbeatDeps {
  db: Database;
  log: Log;
  url: URL;
  timeoutMs?: number;
}

const EVERY_MS = 60_000;
const CLOCK_SILENT_MS = 15_000;
const TIMERS_LATE_MS = 30_000;
const OUTBOX_LATE_MS = 60_000;
export const MAIL_STUCK_MS = 5 * 60_000;

/** Asked more often than it calls, so that a short hiccup does not cost a whole minute. */
export function createHeartbeat({ db, log, url, timeoutMs = 10_000 }: HeartbeatDeps) {
  let calledAt: Date | null = null;
  /** Said once, until it is well again. */
  let trouble: string | null = null;
  const note = (found: string | null) => {
    if (found === trouble) return;
    if (found) log.warn({ reason: found }, 'no heartbeat');
    else log.info('heartbeat again');
    trouble = found;
  };

  return async (now: Date): Promise<void> => {
    if (calledAt && Math.abs(now.getTime() - calledAt.getTime()) < EVERY_MS) return;
    const illness = await findIllness(db, now);
    if (illness) return note(illness);
    calledAt = now;
    note(await call(url, timeoutMs));
  };
}

/** Why nobody should believe that alarms are noticed and told; null when they are. */
async function findIllness(db: ReadDatabase, now: Date): Promise<string | null> {
  const age = (at: Date | null | undefined) => (at ? now.getTime() - at.getTime() : 0);
  const beat = await selectLastBeat(db);
  if (!beat?.lastBeatAt || age(beat.lastBeatAt) > CLOCK_SILENT_MS) return 'No program runs the clock';
  const timers = await countLateTimers(db, new Date(now.getTime() - TIMERS_LATE_MS));
  if (timers > 0) return 'Alarms are judged late';
  const { oldestOverdueAt, mailStuckSince } = await selectOutboxFigures(db, now);
  if (age(oldestOverdueAt) > OUTBOX_LATE_MS) return 'Messages leave late';
  return age(mailStuckSince) > MAIL_STUCK_MS ? 'No mail leaves' : null;
}

/** A new service, not yet looked at, is due since ever: that is no delay. */
const countLateTimers = async (db: ReadDatabase, dueBefore: Date): Promise<number> =>
  first(
    await db.query<{ count: number }>(sql`
      select count(*)::int as "count" from (
        select 1 from alarm_state where next_due_at < ${dueBefore} and next_due_at > '-infinity' limit 1) as late`),
  )?.count ?? 0;

/** The address is a secret of its own: it is never logged. */
async function call(url: URL, timeoutMs: number): Promise<string | null> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    await answer.body?.cancel();
    return answer.ok ? null : `The heartbeat address answered ${answer.status}`;
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    if (name === 'TimeoutError') return 'The heartbeat address did not answer in time';
    return `The heartbeat address could not be reached${cause?.code ? ` (${cause.code})` : ''}`;
  }
}
