// What is told of a service now, to whom, what is not and why, and when to look again: the only place that knows. It is
// called with the situation of now whenever something happened, time has come, a mute or downtime ended, or settings
// changed, and need not know which; and with a made-up one where it is foretold.
import { nameRecipient } from '../on-call/recipient.ts';
import { type Answer, drop, type PlannedNotification, type Standing, toTold } from './answer.ts';
import { answerAlarm, answerStale } from './answer-beginning.ts';
import { answerEnd } from './answer-end.ts';
import { earliest } from './instants.ts';
import { onlyOnce, standAt } from './ladder.ts';
import { findAcknowledgementObstacle, findObstacle } from './obstacles.ts';
import type { Reason } from './reason.ts';
import type { Situation, Waiting } from './situation.ts';
import { type Deed, isAbout, isDeed, type Subject } from './subject.ts';

export interface Verdict {
  notifications: readonly DecidedNotification[];
  /** What happened and is not told, or not yet. */
  standings: readonly (Standing & { id: string })[];
  /** Ends that nobody will hear of, and that nothing which happened stands for. */
  closings: readonly { subject: 'recovery' | 'back'; reason: Reason }[];
  lookAgainAt: Date | null;
  /** Steps of the ladder that open now. */
  opens: Answer['opens'];
  /** How things stand. */
  reason: Reason;
}

interface DecidedNotification extends PlannedNotification {
  subject: Subject;
  /** What happened that it tells of; null: nothing new happened. */
  waitingId: string | null;
}

export function decide(situation: Situation, now: Date): Verdict {
  const { severity, stale, episodeId, toldBefore, waiting } = situation;
  const alarm =
    severity === 'normal' ? answerEnd(situation, 'recovery', now) : answerAlarm(situation, severity, now);
  const data = stale ? answerStale(situation, stale, now) : answerEnd(situation, 'back', now);
  const aboutAlarm = waiting.filter((one) => isAbout(one.subject, 'alarm') && !isDeed(one.subject));
  const isOfKnown = (one: Waiting) => one.episodeId === (toldBefore.alarm.id ?? one.episodeId);
  // What they knew of is over, and the next alarm has begun already: each is told.
  const former =
    alarm.subject === 'recovery'
      ? []
      : aboutAlarm.filter((one) => one.subject === 'recovery' && isOfKnown(one));
  const parts = [
    ...(former.length > 0 ? [settle(answerEnd(situation, 'recovery', now), former, () => true)] : []),
    settle(
      alarm,
      aboutAlarm.filter((one) => !former.includes(one)),
      (one) =>
        one.subject === alarm.subject &&
        (one.subject === 'recovery' ? isOfKnown(one) : one.episodeId === episodeId),
    ),
    settle(
      data,
      waiting.filter((one) => isAbout(one.subject, 'stale')),
      ({ subject }) => subject === data.subject,
    ),
    ...waiting.flatMap(({ subject, ...one }) =>
      isDeed(subject) ? [answerDeed(situation, { ...one, subject }, now)] : [],
    ),
  ];
  return {
    notifications: parts.flatMap(({ notifications }) => notifications),
    standings: parts.flatMap(({ standings }) => standings),
    closings: parts.flatMap(({ closings }) => closings),
    lookAgainAt: earliest(alarm.lookAgainAt, data.lookAgainAt),
    opens: [...alarm.opens, ...data.opens],
    reason: findReason(situation, alarm, data),
  };
}

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

const WHY = { acknowledgement: 'somebody_acknowledged', arrival: 'somebody_there' } as const;

function answerDeed(
  situation: Situation,
  { id, subject, severity, episodeId }: Waiting & { subject: Deed },
  now: Date,
): Part {
  const otherwise =
    subject === 'arrival'
      ? findObstacle(situation, subject, now)
      : findAcknowledgementObstacle(situation, severity, now);
  const { group } = situation;
  const leave = (standing: Standing) => ({
    notifications: [],
    standings: [{ ...standing, id }],
    closings: [],
  });
  if (otherwise || !group) return leave(otherwise ?? drop({ code: 'no_group' }));
  const recipients = reachOfDeed(situation, group, episodeId, now);
  if (recipients.length === 0) return leave(drop({ code: 'nobody_to_tell' }));
  const notification = {
    groupId: group.id,
    recipients,
    isRepeat: false,
    reason: { code: WHY[subject] },
  };
  return {
    notifications: [{ ...notification, subject, waitingId: id }],
    standings: [],
    closings: [],
  };
}

/** Who is told at once, and whoever was told that something is wrong, on duty or not. */
function reachOfDeed(
  { toldBefore: { alarm } }: Situation,
  { id, ladder }: NonNullable<Situation['group']>,
  episodeId: string | null,
  now: Date,
) {
  const first = standAt(ladder, now).steps[0]?.recipients ?? [];
  const told = alarm.told.filter((one) => alarm.id === episodeId && one.groupId === id);
  const stepOf = new Map(told.map((one) => [nameRecipient(one), one.step]));
  return onlyOnce([...first, ...told]).map((one) =>
    toTold({ ...one, step: stepOf.get(nameRecipient(one)) ?? 0 }),
  );
}

function findReason({ severity, stale }: Situation, alarm: Answer, data: Answer): Reason {
  const say = ({ notifications, otherwise }: Answer) => notifications[0]?.reason ?? otherwise.reason;
  const isOpen = ({ notifications, otherwise }: Answer) =>
    notifications.length > 0 || otherwise.state === 'held';
  if (severity !== 'normal' || isOpen(alarm)) return say(alarm);
  if (stale || isOpen(data)) return say(data);
  return { code: 'nothing_to_tell' };
}
