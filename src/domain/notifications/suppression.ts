// What keeps a service quiet: a mute, or a downtime. Windows may overlap; the union counts.
import { formatMinute } from '../instant.ts';

export interface Suppression {
  reason: string;
  /** null: until somebody ends it. */
  until: Date | null;
}

export interface Window {
  startAt: Date;
  endAt: Date;
  by: string;
}

export function findSuppression(
  mutedBy: string | null,
  windows: readonly Window[],
  now: Date,
): Suppression | null {
  if (mutedBy !== null) return { reason: `Muted by ${mutedBy}`, until: null };
  const active = windows.find(({ startAt, endAt }) => startAt <= now && endAt > now);
  if (!active) return null;
  const until = findEnd(windows, now);
  return { reason: `In downtime until ${formatMinute(until)}, planned by ${active.by}`, until };
}

/** Where the windows that run into each other end. */
function findEnd(windows: readonly Window[], from: Date): Date {
  let end = from;
  for (const { startAt, endAt } of [...windows].sort((one, other) => +one.startAt - +other.startAt))
    if (startAt <= end && endAt > end) end = endAt;
  return end;
}
