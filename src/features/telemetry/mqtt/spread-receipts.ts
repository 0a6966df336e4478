import type { Instant } from '../../../domain/judging/judge.ts';
import type { WayPost } from '../../../domain/ways-in/gather-readings.ts';

const MOST_AHEAD_MS = 1_000;

/**
 * A channel has one reading at a time. What a device says twice within a millisecond, and without a time, such as what a
 * bridge has kept for it, gets one millisecond after the other.
 */
export function openReceipts(): (sourceId: number, post: WayPost, receivedAt: Instant) => void {
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
