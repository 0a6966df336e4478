// Messages that will not arrive any more: what they mean for whom is told next.
import { nameRecipient, type Recipient } from '../on-call/recipient.ts';
import { addMinutes, earliest } from './instants.ts';
import type { Failed, ToldBefore } from './situation.ts';

const LOST_AGAIN_AFTER_MINUTES = 15;

export const findFailed = (
  { failed }: ToldBefore,
  topicId: string | null,
  subject: Failed['subject'],
): readonly Failed[] => failed.filter((one) => one.topicId === topicId && one.subject === subject);

/** What a provider could not deliver is tried again, not at once: it would be lost, and paid for, again and again. */
export function spareLost<One extends Recipient & { since?: Date | null }>(
  unaware: readonly One[],
  failed: readonly Failed[],
  now: Date,
): { unaware: One[]; againAt: Date | null } {
  const lost = new Map(failed.filter(({ isLost }) => isLost).map((one) => [nameRecipient(one), one.at]));
  const spared = unaware.flatMap((one) => {
    const at = lost.get(nameRecipient(one));
    if (!at || (one.since && at < one.since)) return [];
    const againAt = addMinutes(at, LOST_AGAIN_AFTER_MINUTES);
    return againAt > now ? [{ one, againAt }] : [];
  });
  return {
    unaware: unaware.filter((one) => !spared.some((each) => each.one === one)),
    againAt: earliest(...spared.map(({ againAt }) => againAt)),
  };
}
