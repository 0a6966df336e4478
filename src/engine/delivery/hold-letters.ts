// What a program has in hand it says every second. Of what another one has not said so for a while nobody knows whether it
// will ever leave: that program was killed, or stands still, and the letter is free again. Measured from here alone, by how
// long the same word stands: the clocks of two hosts never agree.
import type { Database } from '../../platform/db/database.ts';
import {
  freeLetters,
  type HeldLetter,
  type LeasedLetter,
  sayHeld,
  selectHeldByOthers,
} from '../outbox/letters.ts';

export interface Holder {
  /** What `claim` leases is this program's, as of when it was asked for. */
  taking<Claimed extends { letters: readonly LeasedLetter[] }>(
    claim: () => Promise<Claimed>,
  ): Promise<Claimed>;
  letGo(letterIds: readonly string[]): void;
  /** Said so recently that nobody can have taken it. */
  isSurelyHeld(letterId: string): boolean;
  /** Every second. */
  round(now: Date): Promise<void>;
}

const ABANDONED_AFTER_MS = 2_900;
/** A database that is slow for everybody keeps others from saying so, too. */
const ABANDONED_AFTER_LOOKS = 3;
const SURE_MS = 2_000;

/** `elapsed`: milliseconds of a clock that nobody sets. */
export function createHolder(db: Database, elapsed = () => performance.now()): Holder {
  const own = new Map<string, LeasedLetter & { saidAt: number }>();
  const others = new Map<string, { heldAt: Date; since: number; looks: number }>();

  const isAbandoned = ({ id, heldAt }: HeldLetter, at: number): boolean => {
    const seen = others.get(id);
    if (seen?.heldAt.getTime() !== heldAt.getTime()) {
      others.set(id, { heldAt, since: at, looks: 0 });
      return false;
    }
    seen.looks += 1;
    return seen.looks >= ABANDONED_AFTER_LOOKS && at - seen.since >= ABANDONED_AFTER_MS;
  };

  return {
    async taking(claim) {
      const saidAt = elapsed();
      const claimed = await claim();
      for (const { id, leasedUntil } of claimed.letters) own.set(id, { id, leasedUntil, saidAt });
      return claimed;
    },
    letGo(letterIds) {
      for (const id of letterIds) own.delete(id);
    },
    isSurelyHeld(letterId) {
      const letter = own.get(letterId);
      return letter !== undefined && elapsed() - letter.saidAt <= SURE_MS;
    },

    async round(now) {
      const at = elapsed();
      const mine = [...own.values()];
      const [kept, held] = await db.queryAll([sayHeld(mine, now), selectHeldByOthers(mine)], 'prepared');
      const keptIds = new Set(kept.map(({ id }) => id));
      for (const letter of mine) {
        if (keptIds.has(letter.id)) letter.saidAt = at;
        // Unless it was taken anew meanwhile.
        else if (own.get(letter.id) === letter) own.delete(letter.id);
      }
      const seenIds = new Set(held.map(({ id }) => id));
      for (const id of others.keys()) if (!seenIds.has(id)) others.delete(id);
      const abandoned = held.filter((letter) => isAbandoned(letter, at));
      if (abandoned.length > 0) await freeLetters(db, abandoned);
    },
  };
}
