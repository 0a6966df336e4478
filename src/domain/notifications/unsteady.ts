// A value that swings around its limit: after three warnings within an hour a fourth says that it is unsteady, and from then
// on one is told every half hour. Critical alarms are never held.
import { nameRecipient, type Recipient } from '../on-call/recipient.ts';
import { addMinutes, earliest } from './instants.ts';

export const UNSTEADY_WITHIN_MINUTES = 60;
const STEADY_WARNINGS = 3;
const EVERY_MINUTES = 30;

export type WarningTold = Recipient & { at: Date };

/** null: as ever. */
export function findUnsteady(
  recipient: Recipient,
  told: readonly WarningTold[],
  now: Date,
): { heldUntil: Date } | { count: number } | null {
  const from = addMinutes(now, -UNSTEADY_WITHIN_MINUTES);
  const own = told.filter(
    (one) => one.at > from && one.at <= now && nameRecipient(one) === nameRecipient(recipient),
  );
  if (own.length < STEADY_WARNINGS) return null;
  const last = new Date(Math.max(...own.map(({ at }) => at.getTime())));
  const nextAt = addMinutes(last, EVERY_MINUTES);
  if (own.length > STEADY_WARNINGS && nextAt > now) return { heldUntil: nextAt };
  return { count: own.length + 1 };
}

/** Whoever knows of the alarm already hears how it goes on: only beginnings of warnings are held. */
export function sortUnsteady<One extends Recipient>(
  unaware: readonly One[],
  subject: string,
  known: ReadonlyMap<string, unknown>,
  told: readonly WarningTold[],
  now: Date,
): { steady: One[]; unsteady: { one: One; count: number }[]; heldUntil: Date | null } {
  const sorted = {
    steady: [] as One[],
    unsteady: [] as { one: One; count: number }[],
    heldUntil: null as Date | null,
  };
  for (const one of unaware) {
    const isFirst = subject === 'warning' && !known.has(nameRecipient(one));
    const found = isFirst ? findUnsteady(one, told, now) : null;
    if (!found) sorted.steady.push(one);
    else if ('count' in found) sorted.unsteady.push({ one, count: found.count });
    else sorted.heldUntil = earliest(sorted.heldUntil, found.heldUntil);
  }
  return sorted;
}
