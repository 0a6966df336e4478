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
} from './policy-answer.ts';
import { type CurrentState, nameRecipient, type ToldBefore } from './policy-input.ts';

export const answerStaleness = (current: CurrentState, toldBefore: ToldBefore, now: Date): Answer =>
  current.stale ? answerStale(current, current.stale, toldBefore, now) : answerBack(current, toldBefore);

function answerStale(
  current: CurrentState,
  stale: { id: string; noticedAt: Date },
  toldBefore: ToldBefore,
  now: Date,
): Answer {
  const answer = { subject: 'stale' as const, notifications: [], overtaken: 'Stale again', isClosing: false };
  const obstacle = findSystemObstacle(current);
  const { group, settings } = current;
  if (obstacle || !group) {
    const otherwise = obstacle ?? drop('No notification group');
    return { ...answer, otherwise, lookAgainAt: otherwise.until };
  }
  const { id, told } = toldBefore.stale;
  const aware = new Set(
    id === stale.id ? told.filter(({ isStale }) => isStale).map((one) => nameRecipient(one)) : [],
  );
  const unaware = group.recipients.filter((one) => !aware.has(nameRecipient(one)));
  if (unaware.length === 0) return { ...answer, otherwise: drop('Told already'), lookAgainAt: null };

  const delay = settings.systemNotificationDelayMinutes;
  const dueAt = addMinutes(stale.noticedAt, delay);
  if (dueAt > now) {
    const reason = `Waits ${countMinutes(delay)}: system_notification_delay_minutes`;
    return { ...answer, otherwise: { state: 'waiting', reason, until: dueAt }, lookAgainAt: dueAt };
  }
  const notification = {
    groupId: group.id,
    recipients: unaware,
    isRepeat: false,
    reason: 'No data comes in',
  };
  return { ...answer, notifications: [notification], otherwise: drop('Told already'), lookAgainAt: null };
}

function findSystemObstacle(current: CurrentState): Standing | null {
  const { settings, group } = current;
  const isOn = settings.enableSystemNotifications;
  const obstacle = findObstacle(current, { name: 'enable_system_notifications', isOn });
  if (obstacle?.state === 'dropped') return obstacle;
  if (group?.recipients.length === 0) return drop(`Nobody is in ${group.name}`);
  return obstacle;
}

function answerBack(current: CurrentState, { stale }: ToldBefore): Answer {
  const open = stale.isClosed ? [] : stale.told.filter(({ isStale }) => isStale);
  const answer = {
    subject: 'back' as const,
    notifications: [],
    overtaken: 'Data came back before it was told',
  };
  if (open.length === 0) {
    const otherwise = drop(stale.told.length > 0 ? 'Told already' : 'Data came back before anybody was told');
    return { ...answer, otherwise, isClosing: false, lookAgainAt: null };
  }
  const isOn = current.settings.enableSystemNotifications;
  const obstacle = findObstacle(current, { name: 'enable_system_notifications', isOn });
  if (obstacle)
    return {
      ...answer,
      otherwise: obstacle,
      isClosing: obstacle.state === 'dropped',
      lookAgainAt: obstacle.until,
    };
  const notifications = byGroup(
    open.filter(({ hasHeard }) => hasHeard),
    'Data comes in again',
  );
  return { ...answer, notifications, otherwise: ON_ITS_WAY, isClosing: false, lookAgainAt: null };
}
