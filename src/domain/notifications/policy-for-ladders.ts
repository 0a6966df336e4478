// An alarm or a stale period on the ladder of its group: from when on its steps count, and whom they reach.

import { formatMinute } from '../instant.ts';
import { isWorse } from '../judging/severity.ts';
import { type Climb, climb, type DueRecipient } from '../on-call/climb.ts';
import type { PlannedNotification, Standing, ToldRecipient } from './policy-answer.ts';
import type { AlarmSeverity, CurrentState, Failed, ToldBefore } from './policy-input.ts';

/** null: its group has no ladder, and everybody is told at once. */
export function climbAlarm(
  current: CurrentState,
  severity: AlarmSeverity,
  firstAt: Date,
  told: ToldBefore['alarm']['told'],
  failed: readonly Failed[],
  now: Date,
): Climb | null {
  const ladder = current.group?.ladder;
  if (!ladder) return null;
  const { opened = [], acknowledgementEnds = [] } = current.climbed ?? {};
  const ends = acknowledgementEnds.filter((end) => !isWorse(severity, end.severity)).map(({ at }) => at);
  return climb(
    {
      ladder,
      kind: severity,
      anchor: latest(firstAt, current.suppressionEndedAt, ...ends),
      opened: opened.filter((one) => one.severity === severity),
      heard: told.filter((one) => one.severity === severity).map(toHeard),
      failed,
    },
    now,
  );
}

export function climbStale(
  current: CurrentState,
  firstAt: Date,
  told: ToldBefore['stale']['told'],
  failed: readonly Failed[],
  now: Date,
): Climb | null {
  const ladder = current.group?.ladder;
  if (!ladder) return null;
  return climb(
    {
      ladder,
      kind: 'system',
      anchor: latest(firstAt, current.suppressionEndedAt),
      opened: (current.climbed?.opened ?? []).filter(({ severity }) => severity === 'stale'),
      heard: told.filter(({ isStale }) => isStale).map(toHeard),
      failed,
    },
    now,
  );
}

const toHeard = ({
  step = 0,
  at,
  hasHeard,
  isUnderWay,
  isRefused = false,
}: Pick<ToldBefore['alarm']['told'][number], 'step' | 'at' | 'hasHeard' | 'isUnderWay' | 'isRefused'>) => ({
  step,
  at,
  hasArrived: hasHeard,
  isUnderWay,
  isRefused,
});

const latest = (first: Date, ...others: (Date | null)[]): Date =>
  others.reduce<Date>((one, other) => (other && other > one ? other : one), first);

/** One for each step, with the step's own reason; the first one tells as a group without a ladder does. */
export function planByStep(
  due: readonly DueRecipient[],
  groupId: number,
  first: string,
): PlannedNotification[] {
  const steps = [...new Set(due.map(({ step }) => step))].sort((one, other) => one - other);
  return steps.map((step) => {
    const own = due.filter((one) => one.step === step);
    const reason = step === 0 ? first : (own[0]?.reason ?? first);
    return { groupId, recipients: own.map(toTold), isRepeat: false, reason };
  });
}

export const toTold = ({
  transport,
  recipient,
  accountId,
  accountName,
  via,
  step,
}: DueRecipient): ToldRecipient => ({
  transport,
  recipient,
  ...(accountId == null ? {} : { accountId, accountName: accountName ?? null }),
  ...(via === undefined ? {} : { via }),
  step,
});

export const waitForDuty = (until: Date): Standing => ({
  state: 'waiting',
  reason: `Waits until ${formatMinute(until)}: nobody is on duty`,
  until,
});
