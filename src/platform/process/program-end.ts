// How a program ended that nobody had told to, and whether another is begun.

export interface ProgramEnd {
  /** As JSON carries it. */
  at: string;
  cause: 'standstill' | 'died';
  /** Such as SIGABRT, or exit code 1. */
  how: string;
  /** Where it stood still, innermost first. */
  places: string[];
  /** What it was at: kind and id. */
  inHand: string[];
}

export const MOST_ENDS = 5;
export const WITHIN_MINUTES = 10;

/** `endedAtMs`: of all ends, the last included, by a clock that nobody sets. */
export const isGivenUp = (endedAtMs: readonly number[], nowMs: number): boolean =>
  endedAtMs.filter((at) => nowMs - at <= WITHIN_MINUTES * 60_000).length > MOST_ENDS;
