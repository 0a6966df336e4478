// Messages that a clock ahead of this one has dated, because it was set right since or is another host's.
import sql from 'sql-template-tag';
import type { Database } from '../../platform/db/database.ts';

const MINUTE_MS = 60_000;
/** Clocks never agree exactly, and nobody minds this much. */
const TOLERATED_MS = MINUTE_MS;
/** Far longer than any program holds a letter, so that none is taken from a host whose clock is minutes ahead. */
const HELD_TOO_LONG_MS = 15 * MINUTE_MS;
/** Far longer than any pause between two attempts. */
const TOO_LONG_A_PAUSE_MS = 25 * 60 * MINUTE_MS;

export async function setBackMessages(db: Database, now: Date): Promise<void> {
  const after = (ms: number) => new Date(now.getTime() + ms);
  const tolerated = after(TOLERATED_MS);
  await db.query(sql`
    update notification set due_at = ${now}, created_at = ${now}
    where state = 'waiting' and created_at > ${tolerated}`);
  await db.query(sql`
    update delivery set created_at = ${now}
    where state = 'queued' and letter_id is null and created_at > ${tolerated}`);
  await db.query(sql`
    update letter set leased_until = null where state = 'queued' and leased_until > ${after(HELD_TOO_LONG_MS)}`);
  await db.query(sql`
    update letter set next_attempt_at = ${now}
    where state = 'queued' and (next_attempt_at > ${after(TOO_LONG_A_PAUSE_MS)}
      or (attempts = 0 and next_attempt_at > ${tolerated}))`);
}
