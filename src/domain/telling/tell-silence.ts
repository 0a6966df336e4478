// Data that stays away and comes back: told once each.
import {
  type Answer,
  addMinutes,
  byGroup,
  countMinutes,
  drop,
  findObstacle,
  ON_ITS_WAY,
  type Standing,
} from './answer.ts';
import { type Knowledge, nameRecipient, type Situation } from './situation.ts';

export const answerSilence = (situation: Situation, knowledge: Knowledge, now: Date): Answer =>
  situation.silence
    ? answerSilent(situation, situation.silence, knowledge, now)
    : answerReturn(situation, knowledge);

function answerSilent(
  situation: Situation,
  silence: { id: string; noticedAt: Date },
  knowledge: Knowledge,
  now: Date,
): Answer {
  const answer = { subject: 'silence' as const, tellings: [], overtaken: 'Silent again', isClosing: false };
  const obstacle = findSystemObstacle(situation);
  const { group, settings } = situation;
  if (obstacle || !group) {
    const otherwise = obstacle ?? drop('No notification group');
    return { ...answer, otherwise, lookAt: otherwise.until };
  }
  const { id, told } = knowledge.silence;
  const aware = new Set(
    id === silence.id ? told.filter(({ isSilent }) => isSilent).map((one) => nameRecipient(one)) : [],
  );
  const unaware = group.recipients.filter((one) => !aware.has(nameRecipient(one)));
  if (unaware.length === 0) return { ...answer, otherwise: drop('Told already'), lookAt: null };

  const delay = settings.systemNotificationDelayMinutes;
  const dueAt = addMinutes(silence.noticedAt, delay);
  if (dueAt > now) {
    const reason = `Waits ${countMinutes(delay)}: system_notification_delay_minutes`;
    return { ...answer, otherwise: { state: 'waiting', reason, until: dueAt }, lookAt: dueAt };
  }
  const telling = { groupId: group.id, recipients: unaware, isRepeat: false, reason: 'No data comes in' };
  return { ...answer, tellings: [telling], otherwise: drop('Told already'), lookAt: null };
}

function findSystemObstacle(situation: Situation): Standing | null {
  const { settings, group } = situation;
  const isOn = settings.enableSystemNotifications;
  const obstacle = findObstacle(situation, { name: 'enable_system_notifications', isOn });
  if (obstacle?.state === 'dropped') return obstacle;
  if (group?.recipients.length === 0) return drop(`Nobody is in ${group.name}`);
  return obstacle;
}

function answerReturn(situation: Situation, { silence }: Knowledge): Answer {
  const open = silence.isClosed ? [] : silence.told.filter(({ isSilent }) => isSilent);
  const answer = { subject: 'return' as const, tellings: [], overtaken: 'Data came back before it was told' };
  if (open.length === 0) {
    const otherwise = drop(
      silence.told.length > 0 ? 'Told already' : 'Data came back before anybody was told',
    );
    return { ...answer, otherwise, isClosing: false, lookAt: null };
  }
  const isOn = situation.settings.enableSystemNotifications;
  const obstacle = findObstacle(situation, { name: 'enable_system_notifications', isOn });
  if (obstacle)
    return {
      ...answer,
      otherwise: obstacle,
      isClosing: obstacle.state === 'dropped',
      lookAt: obstacle.until,
    };
  const tellings = byGroup(
    open.filter(({ hasHeard }) => hasHeard),
    'Data comes in again',
  );
  return { ...answer, tellings, otherwise: ON_ITS_WAY, isClosing: false, lookAt: null };
}
