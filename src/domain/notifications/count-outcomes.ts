// What became of all messages about one thing, in a few words: no more than is known of each.
import type { Language } from '../language/speak.ts';
import type { Outcome } from './outcome.ts';

export interface OutcomeCounts {
  /** A report or a person says so. */
  arrived: number;
  /** They left, and no more is known. */
  handedOver: number;
  waiting: number;
  /** They did not leave, or nobody took them; or nobody noted whether they left. */
  stayed: number;
}

/** What was left out on purpose does not count. */
export function countOutcomes(outcomes: readonly Outcome[]): OutcomeCounts {
  const counts = { arrived: 0, handedOver: 0, waiting: 0, stayed: 0 };
  for (const outcome of outcomes) {
    if (outcome.state === 'left_out') continue;
    if (outcome.state === 'arrived' || outcome.state === 'confirmed') counts.arrived += 1;
    else if (outcome.state === 'handed_over' && outcome.isSure) counts.handedOver += 1;
    else if (outcome.state === 'waiting') counts.waiting += 1;
    else counts.stayed += 1;
  }
  return counts;
}

export const isNobody = (counts: OutcomeCounts): boolean =>
  counts.arrived + counts.handedOver + counts.waiting + counts.stayed === 0;

/** `2 arrived, 1 handed over`; of none: that nobody was notified. */
export function sayCounts(counts: OutcomeCounts, { say }: Language): string {
  if (isNobody(counts)) return say('Nobody was notified');
  const { arrived, handedOver, waiting, stayed } = counts;
  return [
    // For translators: of messages; joined by commas
    arrived > 0 && say('{count} arrived', { count: arrived }),
    handedOver > 0 && say('{count} handed over', { count: handedOver }),
    waiting > 0 && say('{count} waiting', { count: waiting }),
    stayed > 0 && say('{count} not handed over', { count: stayed }),
  ]
    .filter((part) => part !== false)
    .join(', ');
}
