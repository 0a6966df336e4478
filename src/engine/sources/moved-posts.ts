// Posts of readings whose own times do not count (docs/decisions/0075-times-that-do-not-count.md): when the newest of them was
// taken is said once, and remembered for when the post comes again.

import sql from 'sql-template-tag';
import type { Instant } from '../../domain/instant.ts';
import { MOSTS } from '../../domain/mosts.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { OneRow, Statement } from '../../platform/db/statement.ts';

interface MovedPost {
  sourceId: number;
  digest: Buffer;
  /** Milliseconds that readings were moved back from the newest, so that each channel has one at a time. */
  spanMs: number;
  /** For how long it is the same post that comes again. */
  sameForMs: number;
}

export const LONGEST_SAME_MS = 3_600_000;
/** Of our clock; what comes faster than a reading a millisecond has to wait. */
const MOST_AHEAD_MS = 1_000;

/** Posts of one source come one after the other here, whichever program they came to. */
export const dateMovedPost = (
  db: Database,
  { sourceId, digest, spanMs, sameForMs }: MovedPost,
  now: Date,
): Promise<Instant | 'unknown_source' | 'no_room'> =>
  db.transaction(async (tx) => {
    const {
      held,
      same: [same],
      last: [{ lastAt }],
    } = await tx.queryAll({
      held: lockSource(sourceId),
      same: selectSame(sourceId, digest),
      last: selectLast(sourceId),
    });
    if (held.length === 0) return 'unknown_source';
    if (same && same.newestAt.getTime() > now.getTime() - sameForMs) return same.newestAt.getTime();
    const newestAt = Math.max(now.getTime(), (lastAt?.getTime() ?? 0) + spanMs + 1);
    if (newestAt > now.getTime() + MOST_AHEAD_MS) return 'no_room';
    writeMoved(tx, sourceId, digest, new Date(newestAt));
    forgetMoved(tx, sourceId, now);
    return newestAt;
  });

const lockSource = (sourceId: number): Statement<{ id: number }> => sql`
  select id from source where id = ${sourceId} for no key update`;

const selectSame = (sourceId: number, digest: Buffer): Statement<{ newestAt: Date }> => sql`
  select newest_at as "newestAt" from moved_post where source_id = ${sourceId} and digest = ${digest}`;

const selectLast = (sourceId: number): OneRow<{ lastAt: Date | null }> => sql`
  select max(newest_at) as "lastAt" from moved_post where source_id = ${sourceId}`;

const writeMoved = (tx: Tx, sourceId: number, digest: Buffer, newestAt: Date): void =>
  tx.later(sql`
    insert into moved_post (source_id, digest, newest_at) values (${sourceId}, ${digest}, ${newestAt})
    on conflict (source_id, digest) do update set newest_at = excluded.newest_at`);

const forgetMoved = (tx: Tx, sourceId: number, now: Date): void =>
  tx.later(sql`
    delete from moved_post using (
      select digest, row_number() over (order by newest_at desc) as nth from moved_post
      where source_id = ${sourceId}) ranked
    where source_id = ${sourceId} and moved_post.digest = ranked.digest
      and (nth > ${MOSTS.movedPosts.most} or newest_at <= ${knownSince(now)})`);

/** Every hour: of sources that send no more of them. */
export const forgetOldMoved = (db: Database, now: Date) =>
  db.query(sql`delete from moved_post where newest_at <= ${knownSince(now)}`);

const knownSince = (now: Date): Date => new Date(now.getTime() - LONGEST_SAME_MS);
