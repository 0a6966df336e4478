// When a letter that did not arrive is tried again.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const PAUSES_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
] as const;
const LONGEST_PAUSE_MS = 4 * HOUR;
/** Whoever puts a receiver right waits for it. */
const LONGEST_PAUSE_OF_ALARM_MS = HOUR;
export const GIVE_UP_AFTER_MS = 24 * HOUR;
/** Letters that failed together must not come back together. */
const JITTER = 0.1;

export interface FailedAttempt {
  createdAt: Date;
  /** Counts from 1. */
  attempt: number;
  retryAfterMs: number | null;
  /** It holds an alarm: whether that is still to be told is asked before each attempt, and nothing else ends it. */
  isLasting: boolean;
}

/** null: a day has passed, it is given up. The last attempt is at the end of that day. */
export function planRetry(
  { createdAt, attempt, retryAfterMs, isLasting }: FailedAttempt,
  now: Date,
  random: () => number,
): Date | null {
  const givenUpAt = isLasting ? Number.POSITIVE_INFINITY : createdAt.getTime() + GIVE_UP_AFTER_MS;
  if (now.getTime() >= givenUpAt) return null;
  const longest = isLasting ? LONGEST_PAUSE_OF_ALARM_MS : LONGEST_PAUSE_MS;
  const pause = Math.min(PAUSES_MS[attempt - 1] ?? longest, longest);
  const jitter = attempt === 1 ? 1 : 1 + JITTER * (2 * random() - 1);
  const wait = Math.max(Math.round(pause * jitter), retryAfterMs ?? 0);
  return new Date(Math.min(now.getTime() + wait, givenUpAt));
}
