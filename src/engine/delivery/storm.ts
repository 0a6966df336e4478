// When the messages of a group leave, and whether each on its own or all together.

export interface GroupLetters {
  /** null: all is calm. */
  nextDigestAt: Date | null;
  /** When the first of those that wait came; null when none waits. */
  oldestAt: Date | null;
  messages: number;
}

export interface Departure {
  leaves: 'nothing' | 'single letters' | 'digest';
  nextDigestAt: Date | null;
}

export const HOLD_MS = 2_000;
export const MOST_SINGLE_MESSAGES = 5;
const DIGEST_EVERY_MS = 30_000;

export function planDeparture({ nextDigestAt, oldestAt, messages }: GroupLetters, now: Date): Departure {
  const digest: Departure = { leaves: 'digest', nextDigestAt: new Date(now.getTime() + DIGEST_EVERY_MS) };
  if (nextDigestAt) {
    if (nextDigestAt > now) return { leaves: 'nothing', nextDigestAt };
    return messages > 0 ? digest : { leaves: 'nothing', nextDigestAt: null };
  }
  const isHeld = oldestAt === null || now.getTime() - oldestAt.getTime() < HOLD_MS;
  if (isHeld) return { leaves: 'nothing', nextDigestAt: null };
  return messages > MOST_SINGLE_MESSAGES ? digest : { leaves: 'single letters', nextDigestAt: null };
}
