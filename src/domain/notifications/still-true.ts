// Whether what was decided to be told is still so, asked once more before it leaves.
import { findAcknowledgementObstacle, findObstacle } from './obstacles.ts';
import type { Reason } from './reason.ts';
import type { Situation, Waiting } from './situation.ts';
import { canBeAcknowledged, type Subject } from './subject.ts';

export interface Released {
  subject: Subject;
  mark: 'test' | 'drill' | null;
  episodeId: string | null;
  /** Of an acknowledgement. */
  severity: Waiting['severity'];
}

/** Why it should not be sent after all; null: it is still true. */
export function findUntruth(released: Released, situation: Situation, now: Date): Reason | null {
  const { subject } = released;
  // A test is no alarm, and the end of an alarm stays true.
  if (released.mark) return null;
  if (subject === 'acknowledgement')
    return findAcknowledgementObstacle(situation, released.severity, now)?.reason ?? null;
  return findOvertaking(released, situation) ?? findObstacle(situation, subject, now)?.reason ?? null;
}

function findOvertaking(
  { subject, episodeId }: Released,
  { isArchived, severity, stale, episodeId: current }: Situation,
): Reason | null {
  if (canBeAcknowledged(subject)) {
    if (severity === 'normal')
      return isArchived ? { code: 'archived' } : { code: 'over_meanwhile', of: 'alarm' };
    if (current !== episodeId) return { code: 'another_alarm' };
    if (severity !== subject) return { code: 'overtaken', by: severity };
  }
  if (subject === 'stale' && !stale) return { code: 'over_meanwhile', of: 'stale' };
  if (subject === 'back' && stale) return { code: 'stale_again_meanwhile' };
  return null;
}
