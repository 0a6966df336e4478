// Data that stays away and comes back: told once each.

import type { Climb, DueRecipient } from '../on-call/climb.ts';
import { nameRecipient } from '../on-call/recipient.ts';
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
  type Standing,
} from './policy-answer.ts';
import { climbStale, planByStep, waitForDuty } from './policy-for-ladders.ts';
import type { CurrentState, ToldBefore } from './policy-input.ts';

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
  const failed = findFailed(toldBefore, stale.id, 'stale');
  const unheard = group.recipients.filter((one) => !aware.has(nameRecipient(one)));
  const { unaware, againAt } = spareLost(unheard, failed, now);
  const delay = settings.systemNotificationDelayMinutes;
  const dueAt = addMinutes(stale.noticedAt, delay);
  const waits: Standing = {
    state: 'waiting',
    reason: `Waits ${countMinutes(delay)}: system_notification_delay_minutes`,
    until: dueAt,
  };
  const known = id === stale.id ? told : [];
  const climb = climbStale(current, dueAt, known, failed, now);
  if (climb) {
    const { unaware: told, againAt: toldAgainAt } = spareLost(findUnaware(climb, known), failed, now);
    const held = dueAt > now ? waits : null;
    const onLadder = answerOnLadder(climb, group.id, told, held);
    return { ...answer, ...onLadder, lookAgainAt: earliest(onLadder.lookAgainAt, toldAgainAt) };
  }
  if (unaware.length === 0) return { ...answer, otherwise: drop('Told already'), lookAgainAt: againAt };
  if (dueAt > now) return { ...answer, otherwise: waits, lookAgainAt: dueAt };
  const notification = {
    groupId: group.id,
    recipients: unaware,
    isRepeat: false,
    reason: 'No data comes in',
  };
  return { ...answer, notifications: [notification], otherwise: drop('Told already'), lookAgainAt: againAt };
}

function findUnaware({ due }: Climb, told: ToldBefore['stale']['told']): DueRecipient[] {
  const words = new Map(told.filter(({ isStale }) => isStale).map((one) => [nameRecipient(one), one]));
  return due.filter(({ since, ...one }) => {
    const last = words.get(nameRecipient(one));
    return !last || (since !== null && !last.isUnderWay && last.at < since);
  });
}

function answerOnLadder(
  { due, opens, waitsUntil, lookAgainAt }: Climb,
  groupId: number,
  unaware: readonly DueRecipient[],
  waits: Standing | null,
): Pick<Answer, 'notifications' | 'otherwise' | 'lookAgainAt' | 'opens'> {
  return {
    notifications: planByStep(unaware, groupId, 'No data comes in'),
    otherwise:
      waits ??
      (waitsUntil && due.length === 0
        ? waitForDuty(waitsUntil)
        : drop(due.length === 0 ? 'Nobody is on duty' : 'Told already')),
    lookAgainAt,
    opens,
  };
}

function findSystemObstacle(current: CurrentState): Standing | null {
  const { settings, group } = current;
  const isOn = settings.enableSystemNotifications;
  const obstacle = findObstacle(current, { name: 'enable_system_notifications', isOn });
  if (obstacle?.state === 'dropped') return obstacle;
  if (group?.recipients.length === 0 && !group.ladder) return drop(`Nobody is in ${group.name}`);
  return obstacle ?? findGatewayObstacle(current);
}

/** Its gateway tells of both. Values, and that data comes in again, are told as ever. */
export const findGatewayObstacle = ({ staleGateway }: CurrentState): Standing | null =>
  staleGateway ? { state: 'held', reason: `Behind ${staleGateway}, which is stale too`, until: null } : null;

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
