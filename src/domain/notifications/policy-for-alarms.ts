// The alarm and its end: whom to tell now, and when to look again.
import { isWorse } from '../judging/severity.ts';
import type { DueRecipient } from '../on-call/climb.ts';
import { nameRecipient, type Recipient } from '../on-call/recipient.ts';
import { findFailed, spareLost } from './failed.ts';
import {
  type Answer,
  addMinutes,
  byGroup,
  countMinutes,
  drop,
  earliest,
  findObstacle,
  ON_ITS_WAY,
  type PlannedNotification,
  type Standing,
} from './policy-answer.ts';
import { climbAlarm, planByStep, toTold, waitForDuty } from './policy-for-ladders.ts';
import type { AlarmSeverity, CurrentState, PassedOn, ToldBefore } from './policy-input.ts';
import { findUnsteady, sayUnsteady, UNSTEADY } from './unsteady.ts';

export const answerAlarm = (current: CurrentState, toldBefore: ToldBefore, now: Date): Answer =>
  current.severity === 'normal'
    ? answerRecovery(current, toldBefore)
    : answerHolding(current, current.severity, toldBefore, now);

function answerHolding(
  current: CurrentState,
  severity: AlarmSeverity,
  toldBefore: ToldBefore,
  now: Date,
): Answer {
  const answer = {
    subject: severity,
    notifications: [],
    overtaken: `Overtaken: now ${severity}`,
    isClosing: false,
  };
  const obstacle = findAlarmObstacle(current, severity);
  const { group, since, settings, delayMinutes } = current;
  if (obstacle || !group || !since) {
    const otherwise = obstacle ?? drop('No notification group');
    return { ...answer, otherwise, lookAgainAt: otherwise.until };
  }

  const { episodeId, told } = toldBefore.alarm;
  const known = new Map(episodeId === current.episodeId ? told.map((one) => [nameRecipient(one), one]) : []);
  const firstAt = addMinutes(since, delayMinutes);
  const failed = findFailed(toldBefore, current.episodeId, severity);
  const climb = climbAlarm(current, severity, firstAt, [...known.values()], failed, now);
  const reached: readonly (Recipient & Partial<DueRecipient>)[] = climb?.due ?? group.recipients;
  const passedOn = current.climbed?.passedOn?.severity === severity ? current.climbed.passedOn : null;
  const findWord = ({ since: opened, ...one }: Recipient & Partial<DueRecipient>) => {
    const last = known.get(nameRecipient(one));
    const due = whenDueAgain(one, opened ?? null, passedOn);
    return last?.severity === severity && (!due || last.isUnderWay || last.at >= due) ? last : null;
  };
  const unheard = reached.filter((one) => !findWord(one));
  const { unaware, againAt } = spareLost(unheard, failed, now);
  const aware = reached.flatMap((one) => {
    const last = findWord(one);
    return last ? [{ ...last, due: one }] : [];
  });

  const isFirstDue = firstAt <= now;
  const every = settings.repeatIntervalMinutes;
  const repeatAt = (last: { at: Date }) => addMinutes(later(last.at, current.suppressionEndedAt), every);
  const isRepeatDue = (last: { at: Date }) => every > 0 && repeatAt(last) <= now;

  const notifications: PlannedNotification[] = [];
  const { steady, unsteady, heldUntil } = sortUnsteady(unaware, severity, known, current, now);
  const plan = (told: typeof unaware, reason: string) =>
    climb
      ? planByStep(told as DueRecipient[], group.id, reason)
      : [{ groupId: group.id, recipients: told, isRepeat: false, reason }];
  if (steady.length > 0 && isFirstDue) {
    const before = worstOf(steady.map((one) => known.get(nameRecipient(one))?.severity));
    const isAgain = passedOn !== null && before === severity;
    notifications.push(...plan(steady, isAgain ? sayPassedOn(passedOn) : nameChange(before, severity)));
  }
  if (unsteady.length > 0 && isFirstDue) {
    const note = sayUnsteady(Math.max(...unsteady.map(({ count }) => count)));
    const told = unsteady.map(({ one }) => one);
    notifications.push(...plan(told, note).map((planned) => ({ ...planned, reason: note, note })));
  }
  // Nobody is reminded of what has not arrived: it is still being tried.
  const reminded = aware.filter((last) => isRepeatDue(last) && !last.isUnderWay);
  const repeats = `Repeats every ${countMinutes(every)}`;
  if (reminded.length > 0) {
    const recipients = reminded.map(({ transport, recipient, due }) =>
      climb ? toTold(due as DueRecipient) : { transport, recipient },
    );
    notifications.push({ groupId: group.id, recipients, isRepeat: true, reason: repeats });
  }

  const isWaiting = (climb !== null || unaware.length > 0) && !isFirstDue;
  const otherwise: Standing =
    climb?.waitsUntil && climb.due.length === 0
      ? waitForDuty(climb.waitsUntil)
      : isWaiting
        ? {
            state: 'waiting',
            reason: `Waits ${countMinutes(delayMinutes)}: the band's delay`,
            until: firstAt,
          }
        : heldUntil
          ? { state: 'waiting', reason: UNSTEADY, until: heldUntil }
          : drop(every > 0 ? `Told already. ${repeats}` : 'Told already');
  const nextRepeatAt =
    every === 0
      ? null
      : earliest(
          notifications.length > 0 || aware.some(isRepeatDue) ? addMinutes(now, every) : null,
          ...aware.filter((last) => !isRepeatDue(last)).map(repeatAt),
        );
  return {
    ...answer,
    notifications,
    otherwise,
    lookAgainAt: earliest(
      isWaiting ? firstAt : null,
      nextRepeatAt,
      climb?.lookAgainAt ?? null,
      heldUntil,
      againAt,
    ),
    // While everybody is spared an unsteady warning nothing advances, and nobody is a last resort.
    ...(climb && { opens: heldUntil && notifications.length === 0 && aware.length === 0 ? [] : climb.opens }),
  };
}

/** Since when a word counts: whoever cannot go is not told again by that, all others may be. null: any will do. */
function whenDueAgain(one: Recipient, opened: Date | null, passedOn: PassedOn | null): Date | null {
  if (!passedOn) return opened;
  if (passedOn.ways.includes(nameRecipient(one))) return opened && opened > passedOn.at ? opened : null;
  return passedOn.isToAll ? (opened ? later(opened, passedOn.at) : passedOn.at) : opened;
}

const sayPassedOn = ({ by }: PassedOn): string => `${by} cannot go`;

/** Whoever knows of the alarm already hears how it goes on: only beginnings of warnings are held. */
function sortUnsteady<One extends Recipient>(
  unaware: readonly One[],
  severity: AlarmSeverity,
  known: ReadonlyMap<string, unknown>,
  { warningsTold = [] }: CurrentState,
  now: Date,
): { steady: One[]; unsteady: { one: One; count: number }[]; heldUntil: Date | null } {
  const sorted = {
    steady: [] as One[],
    unsteady: [] as { one: One; count: number }[],
    heldUntil: null as Date | null,
  };
  for (const one of unaware) {
    const isBeginning = severity === 'warning' && !known.has(nameRecipient(one));
    const found = isBeginning ? findUnsteady(one, warningsTold, now) : null;
    if (!found) sorted.steady.push(one);
    else if ('count' in found) sorted.unsteady.push({ one, count: found.count });
    else sorted.heldUntil = earliest(sorted.heldUntil, found.heldUntil);
  }
  return sorted;
}

/** Of those that keep an alarm from being told, the mute or downtime comes last: it is the one that will be caught up. */
export function findAlarmObstacle(current: CurrentState, severity: AlarmSeverity): Standing | null {
  const { settings, group, acknowledgements } = current;
  const flag =
    severity === 'critical'
      ? { name: 'send_critical', isOn: settings.sendCritical }
      : { name: 'send_warning', isOn: settings.sendWarning };
  const obstacle = findObstacle(current, flag);
  if (obstacle?.state === 'dropped') return obstacle;
  const acknowledged = acknowledgements.find((one) => !isWorse(severity, one.severity));
  if (acknowledged) {
    const level = acknowledged.severity === severity ? 'this severity' : 'a higher severity';
    return drop(`Acknowledged at ${level} by ${acknowledged.by}`);
  }
  if (group?.recipients.length === 0 && !group.ladder) return drop(`Nobody is in ${group.name}`);
  return obstacle;
}

export function answerRecovery(current: CurrentState, { alarm }: ToldBefore): Answer {
  const open = alarm.isClosed ? [] : alarm.told.filter(({ severity }) => severity !== 'normal');
  const answer = {
    subject: 'recovery' as const,
    notifications: [],
    overtaken: 'Recovered before it was told',
  };
  if (open.length === 0) {
    const otherwise = drop(alarm.told.length > 0 ? 'Told already' : 'Recovered before anybody was told');
    return { ...answer, otherwise, isClosing: false, lookAgainAt: null };
  }
  const { sendRecoveries } = current.settings;
  const obstacle = findObstacle(current, { name: 'send_recoveries', isOn: sendRecoveries });
  if (obstacle) {
    const isClosing = obstacle.state === 'dropped';
    return { ...answer, otherwise: obstacle, isClosing, lookAgainAt: obstacle.until };
  }
  const notifications = byGroup(
    open.filter(({ hasHeard }) => hasHeard),
    'Recovered',
  );
  return { ...answer, notifications, otherwise: ON_ITS_WAY, isClosing: false, lookAgainAt: null };
}

const later = (one: Date, other: Date | null): Date => (other && other > one ? other : one);

const worstOf = (severities: readonly (CurrentState['severity'] | undefined)[]) =>
  severities.includes('critical') ? 'critical' : severities.includes('warning') ? 'warning' : 'normal';

function nameChange(before: CurrentState['severity'], severity: AlarmSeverity): string {
  if (before === 'normal') return `In alarm: ${severity}`;
  return isWorse(severity, before)
    ? `Escalated from ${before} to ${severity}`
    : `Eased from ${before} to ${severity}`;
}
