// From one span of time to the next: how a chart is moved by buttons and keys.

export type SpanMove = 'earlier' | 'later' | 'closer' | 'wider';

interface TimeSpan {
  from: number;
  to: number;
}

const SHORTEST_MS = 60_000;
/** As long as readings are kept at most, and some more. */
const LONGEST_MS = 20 * 365 * 86_400_000;

/** Half of its length along; to the middle half, or to twice as much. What has not happened yet is not shown. */
export function moveSpan({ from, to }: TimeSpan, move: SpanMove, now: number): TimeSpan {
  const length = to - from;
  const wanted = { earlier: length, later: length, closer: length / 2, wider: length * 2 }[move];
  const kept = Math.round(Math.min(Math.max(wanted, SHORTEST_MS), LONGEST_MS));
  // Who looks at what happens now goes on doing so.
  const endsNow = to >= now - length / 100;
  const middle = (from + to) / 2;
  const end = {
    earlier: to - length / 2,
    later: to + length / 2,
    closer: endsNow ? to : middle + kept / 2,
    wider: endsNow ? to : middle + kept / 2,
  }[move];
  const last = Math.round(Math.min(end, Math.max(now, to)));
  return { from: last - kept, to: last };
}
