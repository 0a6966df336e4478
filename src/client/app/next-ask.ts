export const POLL_MS = 60_000;
/** Changes that come in a burst are asked for together. */
export const GATHER_MS = 150;

/** As a live part says it; null: it says nothing. */
interface Waits {
  /** Milliseconds. */
  renewIn: string | null;
  /** Seconds. */
  every: string | null;
}

/** In so many milliseconds all parts are asked for. */
export const findNextAsk = (parts: readonly Waits[]): number =>
  Math.max(
    GATHER_MS,
    Math.min(
      POLL_MS,
      ...parts.flatMap(({ renewIn, every }) => [
        Number(renewIn ?? POLL_MS),
        Number(every ?? POLL_MS / 1000) * 1000,
      ]),
    ),
  );
