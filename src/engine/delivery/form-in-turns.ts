// Letters are formed round by round. Those of an organization that has much to send may take longer than a round: they go on
// beside the next, which finds its groups locked and forms the letters of the others.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import { formLarge, formSmall } from './form-letters.ts';

/** Long enough for nearly all of them. */
const PATIENCE_MS = 1_000;

export function createFormer({ db, log }: { db: Database; log: Log }) {
  let large: Promise<void> | null = null;

  async function formEach(posts: readonly number[][], now: Date): Promise<void> {
    for (const groupIds of posts)
      await formLarge(db, groupIds, now).catch((error) =>
        log.error({ err: error, groupIds }, 'letters could not be formed'),
      );
  }

  return {
    async form(now: Date): Promise<void> {
      const posts = await formSmall(db, now);
      if (posts.length > 0)
        large ??= formEach(posts, now).finally(() => {
          large = null;
        });
      if (large) await Promise.race([large, pause(PATIENCE_MS, undefined, { ref: false })]);
    },
    settle: async (): Promise<void> => void (await large),
  };
}
