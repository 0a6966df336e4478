import type { Instant } from '../../../domain/instant.ts';
import type { Unsettled, WayPost } from '../../../domain/ways-in/gather-readings.ts';
import { type SettlePost, settle } from '../ways-in/settle-post.ts';

const MOST_AHEAD_MS = 1_000;

/** Messages that come again are marked as such (answered.ts): what is said of a post need not be remembered. */
export function openMessageSettling(): SettlePost {
  const spread = openReceipts();
  return async (post, { source: { sourceId }, now }) => {
    const { unsettled = [] } = post;
    if (unsettled.length > 1 && unsettled.some(saysTime)) await settle(post, now.getTime());
    spread(sourceId, post, now.getTime());
    return null;
  };
}

const saysTime = ({ saidAt, heardAt }: Unsettled): boolean => saidAt !== null || heardAt !== undefined;

/**
 * A channel has one reading at a time. What a device says twice within a millisecond, and without a time, such as what a
 * bridge has kept for it, gets one millisecond after the other.
 */
function openReceipts(): (sourceId: number, post: WayPost, receivedAt: Instant) => void {
  const given = new Map<string, Instant>();
  let latest: Instant = Number.NEGATIVE_INFINITY;
  return (sourceId, { entries }, receivedAt) => {
    if (receivedAt > latest) given.clear();
    for (const entry of entries) {
      if (entry.at !== receivedAt || !('device' in entry.target)) continue;
      const name = `${sourceId} ${entry.target.device}`;
      const last = given.get(name);
      if (last !== undefined) entry.at = Math.min(Math.max(last + 1, receivedAt), receivedAt + MOST_AHEAD_MS);
      given.set(name, entry.at);
      latest = Math.max(latest, entry.at);
    }
  };
}
