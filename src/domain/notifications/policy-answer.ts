// What the policy answers about one subject.
import type { OpenedStep } from '../on-call/climb.ts';
import type { Recipient } from '../on-call/recipient.ts';
import type { CurrentState, Subject } from './policy-input.ts';

export interface Answer {
  subject: Subject;
  notifications: readonly PlannedNotification[];
  /** What becomes of what happened, where it is not told now. */
  otherwise: Standing;
  /** Of what happened before and is no longer so. */
  overtaken: string;
  /** There were people to tell, and it was decided for good that they are not told. */
  isClosing: boolean;
  lookAgainAt: Date | null;
  /** Steps of the ladder that open now. */
  opens?: readonly OpenedStep[];
}

export interface PlannedNotification {
  groupId: number;
  recipients: readonly ToldRecipient[];
  isRepeat: boolean;
  reason: string;
  /** Said before the message. */
  note?: string;
}

export interface ToldRecipient extends Recipient {
  /** Of the ladder; left out where there is none. */
  step?: number;
}

export interface Standing {
  state: 'waiting' | 'held' | 'dropped';
  reason: string;
  /** When it may be different; null: when something happens. */
  until: Date | null;
}

export const drop = (reason: string): Standing => ({ state: 'dropped', reason, until: null });

/** Whether somebody hears of an end depends on whether its beginning arrives. Once that is known, it is decided again. */
export const ON_ITS_WAY: Standing = {
  state: 'held',
  reason: 'The message it ends is still on its way',
  until: null,
};

/** What keeps everybody from being told, whatever there is to tell. */
export function findObstacle(
  { isArchived, group, suppression }: CurrentState,
  flag: { name: string; isOn: boolean },
): Standing | null {
  if (isArchived) return drop('Archived');
  if (!group) return drop('No notification group');
  if (!flag.isOn) return drop(`${flag.name} is off`);
  return suppression && { state: 'held', ...suppression };
}

export const addMinutes = (at: Date, minutes: number): Date => new Date(at.getTime() + minutes * 60_000);

export const countMinutes = (minutes: number): string =>
  minutes === 1 ? '1 minute' : `${Number(minutes.toFixed(2))} minutes`;

export const earliest = (...instants: (Date | null)[]): Date | null =>
  instants.reduce((one, other) => (one && other ? (one < other ? one : other) : (one ?? other)), null);

/** Who was told by which group hears the end by the same. */
export function byGroup<Known extends Recipient & { groupId: number }>(
  known: readonly Known[],
  reason: string,
): PlannedNotification[] {
  const groups = new Map<number, Recipient[]>();
  for (const { groupId, transport, recipient } of known)
    groups.set(groupId, [...(groups.get(groupId) ?? []), { transport, recipient }]);
  return [...groups].map(([groupId, recipients]) => ({ groupId, recipients, isRepeat: false, reason }));
}
