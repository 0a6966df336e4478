// What is decided about one subject.
import type { Recipient } from '../on-call/recipient.ts';
import type { Reason } from './reason.ts';
import type { OpenedStep, Told } from './situation.ts';
import type { Beginning, Subject } from './subject.ts';

export interface Answer {
  subject: Subject;
  notifications: readonly PlannedNotification[];
  /** What becomes of what happened, where it is not told now. */
  otherwise: Standing;
  /** Of what happened before and is no longer so. */
  overtaken: Reason;
  /** There were people to tell, and it was decided for good that they are not told. */
  isClosing: boolean;
  lookAgainAt: Date | null;
  /** Steps of the ladder that open now. */
  opens: readonly (OpenedStep & { subject: Beginning })[];
}

export interface PlannedNotification {
  groupId: number;
  recipients: readonly ToldRecipient[];
  isRepeat: boolean;
  reason: Reason;
  /** Said before the message. */
  note?: Reason;
}

export interface ToldRecipient extends Recipient {
  /** Of the ladder. */
  step: number;
}

export const toTold = (one: Recipient & { step: number }): ToldRecipient => ({
  transport: one.transport,
  recipient: one.recipient,
  ...(one.accountId == null ? {} : { accountId: one.accountId, accountName: one.accountName ?? null }),
  ...(one.via === undefined ? {} : { via: one.via }),
  step: one.step,
});

export interface Standing {
  state: 'waiting' | 'held' | 'dropped';
  reason: Reason;
  /** When it may be different; null: when something happens. */
  until: Date | null;
}

export const drop = (reason: Reason): Standing => ({ state: 'dropped', reason, until: null });

/** Whether somebody hears of an end depends on whether its beginning arrives. Once that is known, it is decided again. */
export const ON_ITS_WAY: Standing = {
  state: 'held',
  reason: { code: 'beginning_on_its_way' },
  until: null,
};

/** Who was told by which group hears the end by the same, and at the step at which they heard of it. */
export function byGroup(known: readonly Told[], reason: Reason): PlannedNotification[] {
  const groups = new Map<number, ToldRecipient[]>();
  for (const { groupId, transport, recipient, step } of known)
    groups.set(groupId, [...(groups.get(groupId) ?? []), { transport, recipient, step }]);
  return [...groups].map(([groupId, recipients]) => ({ groupId, recipients, isRepeat: false, reason }));
}
