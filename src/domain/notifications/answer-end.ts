// What was wrong is over: whoever heard of it hears that, once, whether on duty or not.
import { type Answer, byGroup, drop, ON_ITS_WAY } from './answer.ts';
import { findObstacle } from './obstacles.ts';
import type { Reason } from './reason.ts';
import type { Situation } from './situation.ts';
import { isBeginning } from './subject.ts';

const ENDS = {
  recovery: { topic: 'alarm', reason: { code: 'recovered' } },
  back: { topic: 'stale', reason: { code: 'data_again' } },
} as const satisfies Record<string, { topic: keyof Situation['toldBefore']; reason: Reason }>;

export function answerEnd(situation: Situation, subject: keyof typeof ENDS, now: Date): Answer {
  const { topic, reason } = ENDS[subject];
  const { isClosed, told } = situation.toldBefore[topic];
  const open = isClosed ? [] : told.filter((one) => isBeginning(one.subject));
  const answer = {
    subject,
    notifications: [],
    overtaken: { code: 'end_before_told', of: topic } as const,
    isClosing: false,
    opens: [],
    lookAgainAt: null,
  };
  if (open.length === 0)
    return {
      ...answer,
      otherwise: drop(
        told.length > 0
          ? { code: 'told_already', everyMinutes: 0 }
          : { code: 'end_before_anybody_knew', of: topic },
      ),
    };
  const obstacle = findObstacle(situation, subject, now);
  if (obstacle) {
    const isClosing = obstacle.state === 'dropped';
    return { ...answer, otherwise: obstacle, isClosing, lookAgainAt: obstacle.until };
  }
  const notifications = byGroup(
    open.filter(({ hasHeard }) => hasHeard),
    reason,
  );
  return { ...answer, notifications, otherwise: ON_ITS_WAY };
}
