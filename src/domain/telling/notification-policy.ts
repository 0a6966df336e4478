// What is told of a service now, what is not and why, and when to look again. Called with the state of now whenever
// something happened, time has come, a mute or downtime ended, or settings changed: it needs not know which.
import { type Answer, drop, earliest, findObstacle, type Standing, type Telling } from './answer.ts';
import type { Knowledge, Situation, Subject, Waiting } from './situation.ts';
import { answerAlarm, answerRecovery, findAlarmObstacle } from './tell-alarm.ts';
import { answerSilence } from './tell-silence.ts';

export interface Verdict {
  tellings: readonly DecidedTelling[];
  /** What happened and is not told, or not yet. */
  standings: readonly (Standing & { id: string })[];
  /** Ends that nobody will hear of, and that nothing which happened stands for. */
  closings: readonly { subject: 'recovery' | 'return'; reason: string }[];
  lookAt: Date | null;
  /** How things stand, in words. */
  reason: string;
}

interface DecidedTelling extends Telling {
  subject: Subject;
  /** What happened that it tells of; null: nothing new happened. */
  waitingId: string | null;
}

export function decideTelling(
  situation: Situation,
  knowledge: Knowledge,
  waiting: readonly Waiting[],
  now: Date,
): Verdict {
  const alarm = answerAlarm(situation, knowledge, now);
  const silence = answerSilence(situation, knowledge, now);
  const of = (...subjects: Subject[]) => waiting.filter(({ subject }) => subjects.includes(subject));
  const isOfKnown = ({ episodeId }: Waiting) => episodeId === (knowledge.alarm.episodeId ?? episodeId);
  // What they knew of is over, and the next alarm has begun already: each is told.
  const former = alarm.subject === 'recovery' ? [] : of('recovery').filter(isOfKnown);
  const parts = [
    ...(former.length > 0 ? [settle(answerRecovery(situation, knowledge), former, () => true)] : []),
    settle(
      alarm,
      of('critical', 'warning', 'recovery').filter((one) => !former.includes(one)),
      (one) =>
        one.subject === alarm.subject &&
        (one.subject === 'recovery' ? isOfKnown(one) : one.episodeId === situation.episodeId),
    ),
    settle(silence, of('silence', 'return'), ({ subject }) => subject === silence.subject),
    ...of('acknowledgement').map((one) => answerAcknowledgement(situation, one)),
  ];
  return {
    tellings: parts.flatMap(({ tellings }) => tellings),
    standings: parts.flatMap(({ standings }) => standings),
    closings: parts.flatMap(({ closings }) => closings),
    lookAt: earliest(alarm.lookAt, silence.lookAt),
    reason: describeStanding(situation, alarm, silence),
  };
}

type Part = Pick<Verdict, 'tellings' | 'standings' | 'closings'>;

/** The newest of what happened is what is told or stands for it; older ones and others are overtaken. */
function settle(answer: Answer, waiting: readonly Waiting[], isSubject: (one: Waiting) => boolean): Part {
  const newest = waiting.filter(isSubject).at(-1);
  const { subject, otherwise, isClosing } = answer;
  const tellings = answer.tellings.map((telling, index) => ({
    ...telling,
    subject,
    waitingId: index === 0 && newest ? newest.id : null,
  }));
  const isToldNow = tellings.length > 0;
  const standings = waiting.flatMap((one) => {
    if (one === newest) return isToldNow ? [] : [{ ...otherwise, id: one.id }];
    return [{ ...drop(answer.overtaken), id: one.id }];
  });
  const isOpen = isClosing && !newest && (subject === 'recovery' || subject === 'return');
  return { tellings, standings, closings: isOpen ? [{ subject, reason: otherwise.reason }] : [] };
}

function answerAcknowledgement(situation: Situation, { id, severity }: Waiting): Part {
  const otherwise = findAcknowledgementObstacle(situation, severity);
  const { group } = situation;
  if (otherwise || !group)
    return {
      tellings: [],
      standings: [{ ...(otherwise ?? drop('No notification group')), id }],
      closings: [],
    };
  const telling = {
    groupId: group.id,
    recipients: group.recipients,
    isRepeat: false,
    reason: 'Acknowledged',
  };
  return {
    tellings: [{ ...telling, subject: 'acknowledgement', waitingId: id }],
    standings: [],
    closings: [],
  };
}

function findAcknowledgementObstacle(situation: Situation, severity: Waiting['severity']): Standing | null {
  const { settings, group, acknowledgements } = situation;
  const flag = { name: 'send_acknowledgements', isOn: settings.sendAcknowledgements };
  const obstacle = findObstacle(situation, flag);
  if (obstacle?.state === 'dropped') return obstacle;
  if (!acknowledgements.some((one) => one.severity === severity)) return drop('No longer acknowledged');
  if (group?.recipients.length === 0) return drop(`Nobody is in ${group.name}`);
  return obstacle;
}

function describeStanding({ severity, silence: silent }: Situation, alarm: Answer, silence: Answer): string {
  const say = ({ tellings, otherwise }: Answer) => tellings[0]?.reason ?? otherwise.reason;
  if (severity !== 'normal' || alarm.tellings.length > 0 || alarm.otherwise.state === 'held')
    return say(alarm);
  if (silent || silence.tellings.length > 0 || silence.otherwise.state === 'held') return say(silence);
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
export function findUntruth(released: Released, situation: Situation): string | null {
  const { subject, episodeId } = released;
  // A test is no alarm, and the end of an alarm stays true.
  if (released.mark) return null;
  switch (subject) {
    case 'critical':
    case 'warning':
      if (situation.severity === 'normal') return situation.isArchived ? 'Archived' : 'Recovered meanwhile';
      if (situation.episodeId !== episodeId) return 'In another alarm meanwhile';
      if (situation.severity !== subject) return `Overtaken: now ${situation.severity}`;
      return findAlarmObstacle(situation, subject)?.reason ?? null;
    case 'acknowledgement':
      return findAcknowledgementObstacle(situation, released.severity)?.reason ?? null;
    case 'recovery': {
      const flag = { name: 'send_recoveries', isOn: situation.settings.sendRecoveries };
      return findObstacle(situation, flag)?.reason ?? null;
    }
    case 'silence':
    case 'return': {
      const isSilent = situation.silence !== null;
      if (subject === 'silence' && !isSilent) return 'Data came back meanwhile';
      if (subject === 'return' && isSilent) return 'Silent again meanwhile';
      const flag = {
        name: 'enable_system_notifications',
        isOn: situation.settings.enableSystemNotifications,
      };
      return findObstacle(situation, flag)?.reason ?? null;
    }
  }
}
