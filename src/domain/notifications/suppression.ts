// What keeps a service quiet: a mute, or a downtime. Windows may overlap; the union counts.
import type { Reason } from './reason.ts';
import type { Situation, Window } from './situation.ts';

interface Suppression {
  reason: Reason;
  /** null: until somebody ends it. */
  until: Date | null;
}

export function findSuppression(
  { mutedBy, downtimes }: Pick<Situation, 'mutedBy' | 'downtimes'>,
  now: Date,
): Suppression | null {
  if (mutedBy !== null) return { reason: { code: 'muted', by: mutedBy }, until: null };
  const active = downtimes.find(({ startAt, endAt }) => startAt <= now && endAt > now);
  if (!active) return null;
  const until = findEnd(downtimes, now);
  return { reason: { code: 'in_downtime', until: until.toISOString(), by: active.by }, until };
}

/** Where the windows that run into each other end. */
function findEnd(windows: readonly Window[], from: Date): Date {
  let end = from;
  for (const { startAt, endAt } of [...windows].sort((one, other) => +one.startAt - +other.startAt))
    if (startAt <= end && endAt > end) end = endAt;
  return end;
}

/** When the next downtime that is planned will have ended: steps count from there. null: none is. */
export const findNextEnd = ({ downtimes }: Pick<Situation, 'downtimes'>, now: Date): Date | null =>
  downtimes.reduce<Date | null>(
    (next, { endAt }) => (endAt > now && (!next || endAt < next) ? endAt : next),
    null,
  );

/** When a mute or a downtime last ended; null: none ever did. */
export const findSuppressionEnd = (
  { suppressionEndedAt, downtimes }: Pick<Situation, 'suppressionEndedAt' | 'downtimes'>,
  now: Date,
): Date | null =>
  downtimes.reduce<Date | null>(
    (last, { endAt }) => (endAt <= now && (!last || endAt > last) ? endAt : last),
    suppressionEndedAt,
  );
