// The alarm and its end: whom to tell now, and when to look again.
import { isWorse } from '../judging/severity.ts';
import {
  type Answer,
  addMinutes,
  byGroup,
  countMinutes,
  drop,
  earliest,
  findObstacle,
  ON_ITS_WAY,
  type Standing,
  type Telling,
} from './answer.ts';
import { type AlarmSeverity, type Knowledge, nameRecipient, type Situation } from './situation.ts';

export const answerAlarm = (situation: Situation, knowledge: Knowledge, now: Date): Answer =>
  situation.severity === 'normal'
    ? answerRecovery(situation, knowledge)
    : answerHolding(situation, situation.severity, knowledge, now);

function answerHolding(
  situation: Situation,
  severity: AlarmSeverity,
  knowledge: Knowledge,
  now: Date,
): Answer {
  const answer = {
    subject: severity,
    tellings: [],
    overtaken: `Overtaken: now ${severity}`,
    isClosing: false,
  };
  const obstacle = findAlarmObstacle(situation, severity);
  const { group, since, settings, delayMinutes } = situation;
  if (obstacle || !group || !since) {
    const otherwise = obstacle ?? drop('No notification group');
    return { ...answer, otherwise, lookAt: otherwise.until };
  }

  const { episodeId, told } = knowledge.alarm;
  const known = new Map(
    episodeId === situation.episodeId ? told.map((one) => [nameRecipient(one), one]) : [],
  );
  const isKnown = (name: string) => known.get(name)?.severity === severity;
  const unaware = group.recipients.filter((one) => !isKnown(nameRecipient(one)));
  const aware = group.recipients.flatMap((one) => {
    const last = known.get(nameRecipient(one));
    return last?.severity === severity ? [last] : [];
  });

  const firstAt = addMinutes(since, delayMinutes);
  const isFirstDue = firstAt <= now;
  const every = settings.repeatIntervalMinutes;
  const repeatAt = (last: { at: Date }) => addMinutes(later(last.at, situation.suppressionEndedAt), every);
  const isRepeatDue = (last: { at: Date }) => every > 0 && repeatAt(last) <= now;

  const tellings: Telling[] = [];
  if (unaware.length > 0 && isFirstDue) {
    const before = worstOf(unaware.map((one) => known.get(nameRecipient(one))?.severity));
    tellings.push({
      groupId: group.id,
      recipients: unaware,
      isRepeat: false,
      reason: nameChange(before, severity),
    });
  }
  // Nobody is reminded of what has not arrived: it is still being tried.
  const reminded = aware.filter((last) => isRepeatDue(last) && !last.isUnderWay);
  const repeats = `Repeats every ${countMinutes(every)}`;
  if (reminded.length > 0) {
    const recipients = reminded.map(({ transport, recipient }) => ({ transport, recipient }));
    tellings.push({ groupId: group.id, recipients, isRepeat: true, reason: repeats });
  }

  const isWaiting = unaware.length > 0 && !isFirstDue;
  const otherwise: Standing = isWaiting
    ? { state: 'waiting', reason: `Waits ${countMinutes(delayMinutes)}: the band's delay`, until: firstAt }
    : drop(every > 0 ? `Told already. ${repeats}` : 'Told already');
  const nextRepeatAt =
    every === 0
      ? null
      : earliest(
          tellings.length > 0 || aware.some(isRepeatDue) ? addMinutes(now, every) : null,
          ...aware.filter((last) => !isRepeatDue(last)).map(repeatAt),
        );
  return { ...answer, tellings, otherwise, lookAt: earliest(isWaiting ? firstAt : null, nextRepeatAt) };
}

/** Of those that keep an alarm from being told, the mute or downtime comes last: it is the one that will be caught up. */
export function findAlarmObstacle(situation: Situation, severity: AlarmSeverity): Standing | null {
  const { settings, group, acknowledgements } = situation;
  const flag =
    severity === 'critical'
      ? { name: 'send_critical', isOn: settings.sendCritical }
      : { name: 'send_warning', isOn: settings.sendWarning };
  const obstacle = findObstacle(situation, flag);
  if (obstacle?.state === 'dropped') return obstacle;
  const acknowledged = acknowledgements.find((one) => !isWorse(severity, one.severity));
  if (acknowledged) {
    const level = acknowledged.severity === severity ? 'this severity' : 'a higher severity';
    return drop(`Acknowledged at ${level} by ${acknowledged.by}`);
  }
  if (group?.recipients.length === 0) return drop(`Nobody is in ${group.name}`);
  return obstacle;
}

export function answerRecovery(situation: Situation, { alarm }: Knowledge): Answer {
  const open = alarm.isClosed ? [] : alarm.told.filter(({ severity }) => severity !== 'normal');
  const answer = { subject: 'recovery' as const, tellings: [], overtaken: 'Recovered before it was told' };
  if (open.length === 0) {
    const otherwise = drop(alarm.told.length > 0 ? 'Told already' : 'Recovered before anybody was told');
    return { ...answer, otherwise, isClosing: false, lookAt: null };
  }
  const { sendRecoveries } = situation.settings;
  const obstacle = findObstacle(situation, { name: 'send_recoveries', isOn: sendRecoveries });
  if (obstacle) {
    const isClosing = obstacle.state === 'dropped';
    return { ...answer, otherwise: obstacle, isClosing, lookAt: obstacle.until };
  }
  const tellings = byGroup(
    open.filter(({ hasHeard }) => hasHeard),
    'Recovered',
  );
  return { ...answer, tellings, otherwise: ON_ITS_WAY, isClosing: false, lookAt: null };
}

const later = (one: Date, other: Date | null): Date => (other && other > one ? other : one);

const worstOf = (severities: readonly (Situation['severity'] | undefined)[]) =>
  severities.includes('critical') ? 'critical' : severities.includes('warning') ? 'warning' : 'normal';

function nameChange(before: Situation['severity'], severity: AlarmSeverity): string {
  if (before === 'normal') return `In alarm: ${severity}`;
  return isWorse(severity, before)
    ? `Escalated from ${before} to ${severity}`
    : `Eased from ${before} to ${severity}`;
}
