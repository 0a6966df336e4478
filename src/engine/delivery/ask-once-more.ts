// A letter that waited for its turn is asked about once more before it is sent, together with others that waited.
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { createGatherer } from '../../platform/gather.ts';
import { type Claim, claimAgain } from './claim-letters.ts';
import type { ReadyLetter } from './compose-letters.ts';
import type { Holder } from './hold-letters.ts';

interface AskerOptions {
  /** What was claimed less long ago is not asked about. */
  freshMs: number;
  leaseMs: number;
  holder: Holder;
  countDropped(claim: Claim): void;
}

/** null: it is no longer true, or no longer ours. However long it took to find out: what is so now is sent. */
export function createAsker(
  { db, clock }: { db: Database; clock: Clock },
  { freshMs, leaseMs, holder, countDropped }: AskerOptions,
): (letter: ReadyLetter) => Promise<ReadyLetter | null> {
  const gatherer = createGatherer<ReadyLetter, ReadyLetter | null>(
    async (letters) => {
      const claim = await holder.taking(() => claimAgain(db, letters, leaseMs, clock()));
      countDropped(claim);
      const kept = new Map(claim.letters.map((letter) => [letter.id, letter]));
      return letters.map(({ id, language, notices, receiptUrl, personalUrl }) => {
        const letter = kept.get(id);
        const ids = new Set(letter?.deliveries.map(({ notificationId }) => notificationId));
        const [worst, ...rest] = notices.filter(({ notificationId }) => ids.has(notificationId));
        return letter && worst
          ? { ...letter, language, notices: [worst, ...rest], receiptUrl, personalUrl }
          : null;
      });
    },
    { lanes: 3, mostPerBatch: 200 },
  );
  return async (letter) => {
    const isFresh = clock().getTime() - letter.claimedAt.getTime() <= freshMs;
    // A program that stood still meanwhile does not know it, but has not said what it has in hand.
    return isFresh && holder.isSurelyHeld(letter.id) ? letter : gatherer.take(letter, 1);
  };
}
