// Readings whose own times do not count get theirs. A post that comes again gets the same, and is known by them.
import type { WayPost } from '../../../domain/ways-in/gather-readings.ts';
import { type Settled, settleTimes } from '../../../domain/ways-in/settle-times.ts';
import { dateMovedPost, LONGEST_SAME_MS } from '../../../engine/sources/moved-posts.ts';
import type { Database } from '../../../platform/db/database.ts';
import { inSlices } from '../../../platform/in-slices.ts';
import { digestOf } from '../hold-post.ts';
import type { Source } from '../queries.ts';

interface Sent {
  body: Buffer;
  source: Source;
  now: Date;
}

/** null: every reading has its time. */
export type SettlePost<Refusal extends string = never> = (
  post: WayPost,
  sent: Sent,
) => Promise<Refusal | null>;

/** Without a time, the same readings may well come again as new ones: soon after, it is rather that an answer was lost. */
const UNDATED_SAME_MS = 30_000;

export const openSettling =
  (db: Database): SettlePost<'unknown_source' | 'no_room'> =>
  async (post, { body, source: { sourceId }, now }) => {
    const receivedAt = now.getTime();
    const { saysTimes, spanMs } = await settle(post, receivedAt);
    // A reading for itself, without a time: what a sender says each minute may be the same.
    if (!saysTimes && spanMs === 0) return null;
    const sameForMs = saysTimes ? LONGEST_SAME_MS : UNDATED_SAME_MS;
    const digest = await digestOf(body);
    const newestAt = await dateMovedPost(db, { sourceId, digest, spanMs, sameForMs }, now);
    if (typeof newestAt === 'string') return newestAt;
    if (newestAt !== receivedAt) await settle(post, newestAt);
    return null;
  };

export const settle = (post: WayPost, newestAt: number): Promise<Settled> =>
  inSlices(settleTimes(post, newestAt), 'posts');
