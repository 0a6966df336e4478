// How long an alarm lasted, and how long it took until somebody had it.

export interface EpisodeTimes {
  beganAt: Date;
  /** null: it holds. */
  endedAt: Date | null;
  /** null: nobody took it. */
  acknowledgedAt: Date | null;
}

/** Never less than nothing: clocks are set back now and then. */
export const lastedMs = ({ beganAt, endedAt }: EpisodeTimes, now: Date): number =>
  Math.max(0, (endedAt ?? now).getTime() - beganAt.getTime());

/** null: nobody took it. */
export const waitedMs = ({ beganAt, acknowledgedAt }: EpisodeTimes): number | null =>
  acknowledgedAt && Math.max(0, acknowledgedAt.getTime() - beganAt.getTime());
