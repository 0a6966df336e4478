// Watching the watcher: somebody outside is called every minute while all is well, and raises the alarm when the calls end.
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import { lookAtService } from './look.ts';

interface HeartbeatDeps {
  db: Database;
  log: Log;
  url: URL;
  timeoutMs?: number;
}

const EVERY_MS = 60_000;

/** Asked more often than it calls, so that a short hiccup does not cost a whole minute. */
export function createHeartbeat({ db, log, url, timeoutMs = 10_000 }: HeartbeatDeps) {
  let calledAt: Date | null = null;
  /** Said once, until it is well again. */
  let noted: string | null = null;
  const note = (name: string | null, reason = name) => {
    if (name === noted) return;
    if (name) log.warn({ reason }, 'no heartbeat');
    else log.info('heartbeat again');
    noted = name;
  };

  return async (now: Date): Promise<void> => {
    if (calledAt && Math.abs(now.getTime() - calledAt.getTime()) < EVERY_MS) return;
    const { findings } = await lookAtService(db, now);
    const illness = findings.find(({ severity }) => severity === 'critical');
    if (illness) return note(illness.name, illness.trouble);
    calledAt = now;
    note(await call(url, timeoutMs));
  };
}

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
