// What is told of a service now, what is not and why, and when to look again. Called with the state of now whenever
// something happened, time has come, a mute or downtime ended, or settings changed: it needs not know which.

import type { OpenedStep } from '../on-call/climb.ts';
import { onlyOnce } from '../on-call/ladder.ts';
import type { Recipient } from '../on-call/recipient.ts';
import {
  type Answer,
  drop,
  earliest,
  findObstacle,
  type PlannedNotification,
  type Standing,
} from './policy-answer.ts';
import { answerAlarm, answerRecovery, findAlarmObstacle } from './policy-for-alarms.ts';
import { answerStaleness, findGatewayObstacle } from './policy-for-stale.ts';
import type { AlarmSeverity, CurrentState, Subject, ToldBefore, Waiting } from './policy-input.ts';

export interface Verdict {
  notifications: readonly DecidedNotification[];
  /** What happened and is not told, or not yet. */
  standings: readonly (Standing & { id: string })[];
  /** Ends that nobody will hear of, and that nothing which happened stands for. */
  closings: readonly { subject: 'recovery' | 'back'; reason: string }[];
  lookAgainAt: Date | null;
  /** Steps of the ladder that open now. */
  opens: readonly (OpenedStep & { severity: AlarmSeverity | 'stale' })[];
  /** How things stand, in words. */
  reason: string;
}

interface DecidedNotification extends PlannedNotification {
  subject: Subject;
  /** What happened that it tells of; null: nothing new happened. */
  waitingId: string | null;
}

export function decideNotifications(
  current: CurrentState,
  toldBefore: ToldBefore,
  waiting: readonly Waiting[],
  now: Date,
): Verdict {
  const alarm = answerAlarm(current, toldBefore, now);
  const staleness = answerStaleness(current, toldBefore, now);
  const of = (...subjects: Subject[]) => waiting.filter(({ subject }) => subjects.includes(subject));
  const isOfKnown = ({ episodeId }: Waiting) => episodeId === (toldBefore.alarm.episodeId ?? episodeId);
  // What they knew of is over, and the next alarm has begun already: each is told.
  const former = alarm.subject === 'recovery' ? [] : of('recovery').filter(isOfKnown);
  const parts = [
    ...(former.length > 0 ? [settle(answerRecovery(current, toldBefore), former, () => true)] : []),
    settle(
      alarm,
      of('critical', 'warning', 'recovery').filter((one) => !former.includes(one)),
      (one) =>
        one.subject === alarm.subject &&
        (one.subject === 'recovery' ? isOfKnown(one) : one.episodeId === current.episodeId),
    ),
    settle(staleness, of('stale', 'back'), ({ subject }) => subject === staleness.subject),
    ...of('acknowledgement').map((one) => answerAcknowledgement(current, toldBefore, one)),
  ];
  return {
    notifications: parts.flatMap(({ notifications }) => notifications),
    standings: parts.flatMap(({ standings }) => standings),
    closings: parts.flatMap(({ closings }) => closings),
    lookAgainAt: earliest(alarm.lookAgainAt, staleness.lookAgainAt),
    opens: [
      ...(alarm.opens ?? []).map(nameSeverity(alarm)),
      ...(staleness.opens ?? []).map(nameSeverity(staleness)),
    ],
    reason: describeStanding(current, alarm, staleness),
  };
}

const nameSeverity =
  ({ subject }: Answer) =>
  (step: OpenedStep) => ({ ...step, severity: subject as AlarmSeverity | 'stale' });

type Part = Pick<Verdict, 'notifications' | 'standings' | 'closings'>;

/** The newest of what happened is what is told or stands for it; older ones and others are overtaken. */
function settle(answer: Answer, waiting: readonly Waiting[], isSubject: (one: Waiting) => boolean): Part {
  const newest = waiting.filter(isSubject).at(-1);
  const { subject, otherwise, isClosing } = answer;
  const notifications = answer.notifications.map((notification, index) => ({
    ...notification,
    subject,
    waitingId: index === 0 && newest ? newest.id : null,
  }));
  const isToldNow = notifications.length > 0;
  const standings = waiting.flatMap((one) => {
    if (one === newest) return isToldNow ? [] : [{ ...otherwise, id: one.id }];
    return [{ ...drop(answer.overtaken), id: one.id }];
  });
  const isOpen = isClosing && !newest && (subject === 'recovery' || subject === 'back');
  return { notifications, standings, closings: isOpen ? [{ subject, reason: otherwise.reason }] : [] };
}

function answerAcknowledgement(
  current: CurrentState,
  toldBefore: ToldBefore,
  { id, severity, episodeId }: Waiting,
): Part {
  const otherwise = findAcknowledgementObstacle(current, severity);
  const { group } = current;
  if (otherwise || !group)
    return {
      notifications: [],
      standings: [{ ...(otherwise ?? drop('No notification group')), id }],
      closings: [],
    };
  const notification = {
    groupId: group.id,
    recipients: group.ladder ? reachOnLadder(group.recipients, toldBefore, episodeId) : group.recipients,
    isRepeat: false,
    reason: 'Acknowledged',
  };
  return {
    notifications: [{ ...notification, subject: 'acknowledgement', waitingId: id }],
    standings: [],
    closings: [],
  };
}

/** Who was told that something is wrong hears that somebody has it, on duty or not. */
const reachOnLadder = (first: readonly Recipient[], { alarm }: ToldBefore, episodeId: string | null) =>
  onlyOnce([
    ...first,
    ...(alarm.episodeId === episodeId ? alarm.told : []).map(({ transport, recipient }) => ({
      transport,
      recipient,
    })),
  ]);

function findAcknowledgementObstacle(current: CurrentState, severity: Waiting['severity']): Standing | null {
  const { settings, group, acknowledgements } = current;
  const flag = { name: 'send_acknowledgements', isOn: settings.sendAcknowledgements };
  const obstacle = findObstacle(current, flag);
  if (obstacle?.state === 'dropped') return obstacle;
  if (!acknowledgements.some((one) => one.severity === severity)) return drop('No longer acknowledged');
  if (group?.recipients.length === 0 && !group.ladder) return drop(`Nobody is in ${group.name}`);
  return obstacle;
}

function describeStanding(current: CurrentState, alarm: Answer, staleness: Answer): string {
  const say = ({ notifications, otherwise }: Answer) => notifications[0]?.reason ?? otherwise.reason;
  if (current.severity !== 'normal' || alarm.notifications.length > 0 || alarm.otherwise.state === 'held')
    return say(alarm);
  if (current.stale || staleness.notifications.length > 0 || staleness.otherwise.state === 'held')
    return say(staleness);
  return 'Nothing to tell';
}

/** What was decided to be told, and is about to be sent. */
export interface Released {
  subject: Subject;
  mark: 'test' | 'drill' | null;
  episodeId: string | null;
  /** Of an acknowledgement. */
  severity: Waiting['severity'];
}

/** Why it should not be sent after all; null: it is still true. */
export function findUntruth(released: Released, current: CurrentState): string | null {
  const { subject, episodeId } = released;
  // A test is no alarm, and the end of an alarm stays true.
  if (released.mark) return null;
  switch (subject) {
    case 'critical':
    case 'warning':
      if (current.severity === 'normal') return current.isArchived ? 'Archived' : 'Recovered meanwhile';
      if (current.episodeId !== episodeId) return 'In another alarm meanwhile';
      if (current.severity !== subject) return `Overtaken: now ${current.severity}`;
      return findAlarmObstacle(current, subject)?.reason ?? null;
    case 'acknowledgement':
      return findAcknowledgementObstacle(current, released.severity)?.reason ?? null;
    case 'recovery': {
      const flag = { name: 'send_recoveries', isOn: current.settings.sendRecoveries };
      return findObstacle(current, flag)?.reason ?? null;
    }
    case 'stale':
    case 'back': {
      const isStale = current.stale !== null;
      if (subject === 'stale' && !isStale) return 'Data came back meanwhile';
      if (subject === 'back' && isStale) return 'Stale again meanwhile';
      const flag = {
        name: 'enable_system_notifications',
        isOn: current.settings.enableSystemNotifications,
      };
      const gateway = subject === 'stale' ? findGatewayObstacle(current) : null;
      return (findObstacle(current, flag) ?? gateway)?.reason ?? null;
    }
  }
}
