// From what happened to the person: every stage, in its order. What `decide` and `form` leave stands in the database until
// the next one takes it; what is claimed goes from hand to hand in one program (deliverer.ts). No stage waits for a later
// one: a slow receiver holds up its own lane, a slow database each stage by itself.

import type { TokenSigner } from '../../platform/auth/token.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import { climbDrills } from '../outbox/climb-drills.ts';
import { decideShare, decideTogether } from '../outbox/decide.ts';
import type { Room } from '../outbox/letters.ts';
import { createApart } from './apart.ts';
import { createAsker } from './ask-once-more.ts';
import { type Claim, claimLetters } from './claim-letters.ts';
import { createComposer, type ReadyLetter } from './compose-letters.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { formShare, formTogether } from './form-letters.ts';
import { createHolder } from './hold-letters.ts';
import { createMarker } from './keep-marking.ts';
import { sendLetter, type Transports } from './send-letter.ts';

export interface StageDeps {
  db: Database;
  clock: Clock;
  log: Log;
  transports: Transports;
  /** What links begin with, asked when they are written. */
  publicUrl: () => string;
  /** What the links of receipts are proved by. */
  signer: Pick<TokenSigner, 'prove'>;
  metrics: DeliveryMetrics | null;
  /** For tests: how long an answer may take. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 20_000;
/** What was claimed longer ago than this is asked about once more before it is sent. */
const FRESH_MS = 10_000;
const LEASE_MS = FRESH_MS + TIMEOUT_MS + 10_000;

/** `stopping`: the program leaves, and what is under way is broken off. */
export function openStages(deps: StageDeps, stopping: AbortSignal) {
  const { db, clock, log, transports, metrics, timeoutMs = TIMEOUT_MS } = deps;
  const countDropped = (claim: Claim): Claim => {
    for (const { transport } of claim.dropped) metrics?.countDropped(transport);
    return claim;
  };
  const holder = createHolder(db);
  const deciding = createApart({ ...deps, doShare: (whose, now) => decideShare(db, whose, now) });
  const forming = createApart({ ...deps, doShare: (whose, now) => formShare(db, whose, now) });
  return {
    /** What is to be told, and to whom: a delivery for each recipient, or why not. */
    decide: async (now: Date) => {
      try {
        deciding.begin(await decideTogether(db, now));
      } finally {
        await climbDrills(db, now);
      }
    },

    /** Deliveries become letters: one each, or a digest in a storm. */
    form: async (now: Date) => forming.begin(await formTogether(db, now)),

    /** Until nothing of both is under way. */
    settle: async () => {
      await deciding.settle();
      await forming.settle();
    },
    leave: () => {
      deciding.leave();
      forming.leave();
    },

    /** Letters that are due are this program's for a while. What is no longer true is left out of them. */
    claim: async (room: Room) =>
      countDropped(await holder.taking(() => claimLetters(db, room, LEASE_MS, clock()))),

    /** As long as this program lives it says which letters it has in hand, and frees those of programs that do not any more. */
    hold: holder.round,
    letGo: holder.letGo,

    /** Letters get their words and pictures; those that cannot be written are handed to `fail`. */
    compose: createComposer(deps),

    /** Whether a letter that waited for its turn is still true, and still this program's. */
    askOnceMore: createAsker(deps, { freshMs: FRESH_MS, leaseMs: LEASE_MS, holder, countDropped }),

    /** Always an outcome, and in time. */
    send: ({ id, language, notices, createdAt, receiptUrl, personalUrl, recipient }: ReadyLetter) =>
      sendLetter(
        { transports, log, timeoutMs, stopping },
        { id, language, notices, createdAt, receiptUrl, personalUrl },
        recipient,
        clock(),
      ),

    /** What became of it is written down, however long that takes. */
    mark: createMarker(deps, stopping),
  };
}
