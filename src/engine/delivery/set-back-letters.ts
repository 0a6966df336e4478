import type { Database } from '../../platform/db/database.ts';
import { setBackDigests } from '../groups/groups.ts';
import { setBackMessages } from '../outbox/set-back-messages.ts';

/** Every minute. Left alone, what a clock ahead has dated would wait until that time has come, as would a group in a storm. */
export async function setBackLetters(db: Database, now: Date): Promise<void> {
  await setBackMessages(db, now);
  await setBackDigests(db, now);
}
