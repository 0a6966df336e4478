// The delivery of one program: forms letters, takes those that are due, sends them side by side, and marks what became
// of each. Any number of programs may do so; a lease keeps a letter with one of them.
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Notice } from '../../domain/notice.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import { createGatherer } from '../gather-posts.ts';
import { composeNotices } from '../outbox-notices.ts';
import { type ClaimedLetter, claimLetters, returnLetters } from './claim-letters.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { formLetters } from './form-letters.ts';
import { createLanes, type ReadyLetter } from './lanes.ts';
import { type Attempt, judgeAttempt, markLetters } from './mark-letters.ts';
import { failure, sendLetter, type Transports } from './send-letter.ts';
import { compareWorstFirst } from './worst-first.ts';

export interface DelivererDeps {
  db: Database;
  clock: Clock;
  log: Log;
  transports: Transports;
  publicUrl: string;
  metrics: DeliveryMetrics | null;
  /** For tests: how long an answer may take. */
  timeoutMs?: number;
  /** For tests: how long a program that leaves waits for answers. */
  finishWithinMs?: number;
}

export interface Deliverer {
  /** Forms letters and begins to send what is due; does not wait for receivers. */
  work(now: Date): Promise<void>;
  /** Until nothing is under way. */
  settle(): Promise<void>;
  /** Takes no more. What is being sent gets a few seconds, the rest is free for others at once. */
  leave(): Promise<void>;
}

const TIMEOUT_MS = 20_000;
/** What is taken ahead is sent within this time, or goes back to be checked again. */
const FRESH_MS = 5_000;
const LEASE_MS = FRESH_MS + TIMEOUT_MS + 15_000;
const FINISH_WITHIN_MS = 4_000;
/** Mail has ten connections to its server (platform/mail/smtp.ts): more letters at once would only wait there. */
const LIMITS = { email: { atOnce: 10, most: 100 }, webhook: { atOnce: 4, most: 16 } };

export function createDeliverer(deps: DelivererDeps): Deliverer {
  const {
    db,
    clock,
    log,
    transports,
    publicUrl,
    metrics,
    timeoutMs = TIMEOUT_MS,
    finishWithinMs = FINISH_WITHIN_MS,
  } = deps;
  const lanes = createLanes(LIMITS);
  const most = { email: LIMITS.email.most, webhook: LIMITS.webhook.most };
  const stopping = new AbortController();
  // Every letter under way listens.
  setMaxListeners(0, stopping.signal);
  const underway = new Set<Promise<void>>();
  let isLeaving = false;
  let filling: Promise<void> | null = null;

  const marker = createGatherer<Attempt, void>(
    async (attempts) => {
      const judged = attempts.map((attempt) => ({ ...attempt, fate: judgeAttempt(attempt, Math.random) }));
      await insist(() => markLetters(db, judged));
      for (const attempt of judged) metrics?.observe(attempt);
      return [];
    },
    { lanes: 1, mostPerBatch: 200 },
  );

  /** What was sent must not be sent again because the database was away for a moment. */
  async function insist(mark: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await mark();
      } catch (error) {
        log.error({ err: error }, 'what became of letters could not be marked yet');
        if (stopping.signal.aborted) return;
        await pause(500, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  async function fill(): Promise<void> {
    while (!isLeaving) {
      const now = clock();
      const room = { most, held: lanes.held(), heldIds: lanes.heldIds() };
      const { letters, dropped, taken } = await claimLetters(db, room, LEASE_MS, now);
      for (const { transport } of dropped) metrics?.countDropped(transport);
      lanes.put(await makeReady(letters), taken);
      await startSome();
      if (!lanes.isLow()) return;
    }
  }

  /** One at a time: whoever asks meanwhile gets the same one. */
  function refill(): Promise<void> {
    filling ??= fill().finally(() => {
      filling = null;
    });
    return filling;
  }

  async function makeReady(letters: ClaimedLetter[]): Promise<ReadyLetter[]> {
    try {
      return await compose(letters);
    } catch (error) {
      log.error({ err: error }, 'letters could not be written together');
    }
    // One that cannot be written must not hold up the others.
    const ready: ReadyLetter[] = [];
    for (const letter of letters) {
      try {
        ready.push(...(await compose([letter])));
      } catch (error) {
        log.error({ err: error, letterId: letter.id }, 'a letter could not be written');
        await marker.take(
          { letter, outcome: failure('It could not be written, see the log'), at: clock() },
          1,
        );
      }
    }
    return ready;
  }

  async function compose(letters: ClaimedLetter[]): Promise<ReadyLetter[]> {
    if (letters.length === 0) return [];
    const ids = letters.flatMap(({ deliveries }) => deliveries.map(({ notificationId }) => notificationId));
    // Only a mail of its own shows a curve.
    const drawn = new Set(
      letters.flatMap(({ recipient, deliveries: [one, ...others] }) =>
        one && others.length === 0 && recipient.transport === 'email' ? [one.notificationId] : [],
      ),
    );
    const notices = await composeNotices(db, [...new Set(ids)], publicUrl, (id) => drawn.has(id));
    return letters.map((letter) => {
      const [worst, ...rest] = letter.deliveries
        .map(({ notificationId }) => notices.get(notificationId))
        .filter((notice): notice is Notice => notice !== undefined)
        .sort(compareWorstFirst);
      if (!worst) throw new Error(`There is nothing to say in letter ${letter.id}`);
      return { ...letter, notices: [worst, ...rest] };
    });
  }

  async function startSome(): Promise<void> {
    const freshSince = clock().getTime() - FRESH_MS;
    const stale = lanes.takeBack(({ claimedAt }) => claimedAt.getTime() < freshSince);
    if (stale.length > 0) await returnLetters(db, stale);
    if (isLeaving) return;
    for (const letter of lanes.start()) {
      const sending = deliver(letter)
        .catch((error) => log.error({ err: error, letterId: letter.id }, 'delivery stumbled'))
        .finally(() => underway.delete(sending));
      underway.add(sending);
    }
  }

  async function deliver(letter: ReadyLetter): Promise<void> {
    const { id, notices, createdAt, recipient } = letter;
    const sending = { transports, log, timeoutMs, stopping: stopping.signal };
    const outcome = await sendLetter(sending, { id, notices, createdAt }, recipient, clock());
    lanes.answer(letter);
    // Nobody knows whether it would have arrived: that the program leaves is no failure of the letter.
    if (stopping.signal.aborted && !outcome.isSent && !outcome.isGone) {
      await returnLetters(db, [id]);
      return lanes.finish(letter);
    }
    const { transport } = recipient;
    if (!outcome.isSent)
      log.warn({ letterId: id, transport, error: outcome.error }, 'a letter did not arrive');
    const marked = marker.take({ letter, outcome, at: clock() }, 1).then(() => lanes.finish(letter));
    await Promise.all([marked, startSome()]);
    if (lanes.isLow()) await refill();
  }

  return {
    async work(now) {
      await formLetters(db, now);
      await refill();
    },
    async settle() {
      while (underway.size > 0 || filling) await Promise.allSettled([...underway, filling]);
    },
    async leave() {
      isLeaving = true;
      await filling?.catch(() => {});
      const unsent = lanes.takeBack(() => true);
      if (unsent.length > 0) await returnLetters(db, unsent);
      const timer = setTimeout(() => stopping.abort(), finishWithinMs);
      await this.settle();
      clearTimeout(timer);
    },
  };
}
