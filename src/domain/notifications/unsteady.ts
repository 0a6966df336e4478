// A value that swings around its limit: after three warnings within an hour a fourth says that it is unsteady, and from then
// on one is told every half hour. Critical alarms are never held.
import { nameRecipient, type Recipient } from '../on-call/recipient.ts';

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

export const UNSTEADY = 'Unsteady: told every 30 minutes at most';

export const sayUnsteady = (count: number): string =>
  `Unsteady, ${count} warnings within ${UNSTEADY_WITHIN_MINUTES} minutes.`;

const addMinutes = (at: Date, minutes: number): Date => new Date(at.getTime() + minutes * 60_000);
