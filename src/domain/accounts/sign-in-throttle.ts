// Contract, Authentication, point 10: after 5 consecutive failures the next attempt waits 2 s, doubling up to 300 s.

const FREE_FAILURES = 5;
const FIRST_DELAY_SECONDS = 2;
const LONGEST_DELAY_SECONDS = 300;

export interface FailedSignIns {
  failures: number;
  blockedUntil: Date | null;
}

/** How long the next attempt must wait after this many consecutive failures. */
export function delaySecondsAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(FIRST_DELAY_SECONDS * 2 ** (failures - FREE_FAILURES), LONGEST_DELAY_SECONDS);
}

/** Whole seconds still to wait, rounded up; 0 when an attempt may be made. */
export function secondsToWait(failed: FailedSignIns | null, now: Date): number {
  if (!failed?.blockedUntil) return 0;
  return Math.max(0, Math.ceil((failed.blockedUntil.getTime() - now.getTime()) / 1000));
}

/** One more failure: the counter after it, and until when the next attempt is refused. */
export function countFailure(failed: FailedSignIns | null, now: Date): FailedSignIns {
  const failures = (failed?.failures ?? 0) + 1;
  const delay = delaySecondsAfter(failures);
  return { failures, blockedUntil: delay === 0 ? null : new Date(now.getTime() + delay * 1000) };
}

/** All that failed from one address since its window began, whatever the email. */
export interface FailedFromAddress {
  failures: number;
  windowBeganAt: Date;
}

/** Many more than a lab behind one address mistypes, and few for somebody who tries a password on every account. */
export const MOST_FROM_ADDRESS = 300;
const WINDOW_MS = 15 * 60_000;

export const findWindowCutoff = (now: Date): Date => new Date(now.getTime() - WINDOW_MS);

/** Whole seconds until the address may try again. */
export function secondsToWaitFrom(failed: FailedFromAddress | null, now: Date): number {
  if (!failed || failed.failures < MOST_FROM_ADDRESS) return 0;
  return Math.max(0, Math.ceil((failed.windowBeganAt.getTime() + WINDOW_MS - now.getTime()) / 1000));
}
