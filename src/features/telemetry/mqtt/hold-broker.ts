// Which of several programs follows a broker: the one that says so. When it has not for three seconds, another does.
import { randomUUID } from 'node:crypto';
import {
  type BrokerHold,
  leaveHold,
  sayHold,
  selectHold,
  takeHold,
} from '../../../engine/sources/broker-holds.ts';
import type { Database } from '../../../platform/db/database.ts';

export interface BrokerHolder {
  /** Every second; whether it is this program's now. */
  round(): Promise<boolean>;
  /** Said so recently that nobody can have taken it. */
  isSurelyHeld(): boolean;
  leave(): Promise<void>;
}

const ABANDONED_AFTER_MS = 2_900;
/** A database that is slow for everybody keeps others from saying so, too. */
const ABANDONED_AFTER_LOOKS = 3;
const SURE_MS = 2_500;

/** `elapsed`: milliseconds of a clock that nobody sets. */
export function createBrokerHolder(
  db: Database,
  broker: string,
  elapsed = () => performance.now(),
): BrokerHolder {
  const holder = randomUUID();
  let saidAt: number | null = null;
  let seen: (BrokerHold & { since: number; looks: number }) | null = null;

  const isAbandoned = (hold: BrokerHold, at: number): boolean => {
    if (seen?.holder !== hold.holder || seen.said !== hold.said) {
      seen = { ...hold, since: at, looks: 0 };
      return false;
    }
    seen.looks += 1;
    return seen.looks >= ABANDONED_AFTER_LOOKS && at - seen.since >= ABANDONED_AFTER_MS;
  };

  return {
    async round() {
      const at = elapsed();
      if (saidAt !== null && (await sayHold(db, broker, holder))) {
        saidAt = at;
        return true;
      }
      saidAt = null;
      const hold = await selectHold(db, broker);
      if (hold && !isAbandoned(hold, at)) return false;
      if (!(await takeHold(db, broker, holder, hold))) return false;
      saidAt = at;
      return true;
    },
    isSurelyHeld: () => saidAt !== null && elapsed() - saidAt <= SURE_MS,
    async leave() {
      saidAt = null;
      await leaveHold(db, broker, holder);
    },
  };
}
