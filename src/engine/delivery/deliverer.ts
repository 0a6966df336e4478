// The delivery of one program: takes letters that are due, sends them side by side, and marks what became of each. Any
// number of programs may do so; a lease keeps a letter with one of them. Whatever it took to write a letter, it is sent,
// dropped because it is no longer true, or counted as an attempt: none goes back as if nothing had been tried.
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Notice } from '../../domain/notifications/notice.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { PassingFault } from '../../platform/db/passing-fault.ts';
import { createGatherer } from '../../platform/gather.ts';
import type { Log } from '../../platform/log.ts';
import { createCurveReader } from '../readings/read-curves.ts';
import { type Claim, type ClaimedLetter, claimAgain, claimLetters, returnLetters } from './claim-letters.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { createLanes, type ReadyLetter } from './lanes.ts';
import { judgeAttempt, type LetterAttempt, markLetters } from './mark-letters.ts';
import { composeNotices } from './read-notices.ts';
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
  /** Begins to send what is due; does not wait for receivers. */
  work(): Promise<void>;
  /** Until nothing is under way. */
  settle(): Promise<void>;
  /** Takes no more. What is being sent gets a few seconds, the rest is free for others at once. */
  leave(): Promise<void>;
}

const TIMEOUT_MS = 20_000;
/** What was taken longer ago than this is checked once more before it is sent. */
const FRESH_MS = 10_000;
const LEASE_MS = FRESH_MS + TIMEOUT_MS + 10_000;
/** Between two tries to mark what became of a letter. */
const PAUSES_MS = { first: 500, longest: 30_000 };
const FINISH_WITHIN_MS = 4_000;
/** Mail has ten connections to its server (platform/mail/smtp.ts): more letters at once would only wait there. */
const LIMITS = { email: { atOnce: 10, most: 50 }, webhook: { atOnce: 4, most: 16 } };

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

  const readCurves = createCurveReader({ db, log });

  async function markAll(attempts: LetterAttempt[]): Promise<never[]> {
    const judged = attempts.map((attempt) => ({ ...attempt, fate: judgeAttempt(attempt, Math.random) }));
    await markLetters(db, judged);
    for (const attempt of judged) metrics?.observe(attempt);
    return [];
  }
  const marker = createGatherer<LetterAttempt, void>(markAll, { lanes: 1, mostPerBatch: 200 });

  /**
   * What was sent must not be sent again because the database was away for a moment. After the first failure each is
   * marked alone: one that cannot be must not hold up the others.
   */
  async function mark(attempt: LetterAttempt): Promise<void> {
    let marking = () => marker.take(attempt, 1);
    for (let pauseMs = PAUSES_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSES_MS.longest)) {
      try {
        return await marking();
      } catch (error) {
        log.error({ err: error, letterId: attempt.letter.id }, 'what became of a letter is not marked yet');
        if (stopping.signal.aborted) return;
        await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
      marking = async () => void (await markAll([attempt]));
    }
  }

  const countDropped = ({ dropped }: Claim) => {
    for (const { transport } of dropped) metrics?.countDropped(transport);
  };

  const rechecker = createGatherer<ReadyLetter, ReadyLetter | null>(
    async (letters) => {
      const claim = await claimAgain(db, letters, LEASE_MS, clock());
      countDropped(claim);
      const kept = new Map(claim.letters.map((letter) => [letter.id, letter]));
      return letters.map(({ id, notices }) => {
        const letter = kept.get(id);
        const ids = new Set(letter?.deliveries.map(({ notificationId }) => notificationId));
        const [worst, ...rest] = notices.filter(({ notificationId }) => ids.has(notificationId));
        return letter && worst ? { ...letter, notices: [worst, ...rest] } : null;
      });
    },
    { lanes: 3, mostPerBatch: 200 },
  );

  /** null: it is no longer true, or no longer ours. However long it took to find out: what is so now is sent. */
  async function recheckIfOld(letter: ReadyLetter): Promise<ReadyLetter | null> {
    const isFresh = clock().getTime() - letter.claimedAt.getTime() <= FRESH_MS;
    return isFresh ? letter : rechecker.take(letter, 1);
  }

  async function fill(): Promise<void> {
    while (!isLeaving) {
      const room = { most, held: lanes.held(), heldIds: lanes.heldIds() };
      const claim = await claimLetters(db, room, LEASE_MS, clock());
      countDropped(claim);
      lanes.put(await makeReady(claim.letters), claim.taken);
      startSome();
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

  /** One that cannot be written is an attempt that failed, and holds up no other. */
  async function makeReady(letters: ClaimedLetter[]): Promise<ReadyLetter[]> {
    try {
      return await compose(letters);
    } catch (error) {
      const letterIds = letters.map(({ id }) => id);
      log.error({ err: error, letterIds }, 'letters could not be written');
      if (letters.length === 1 || error instanceof PassingFault) {
        const outcome = failure('It could not be written, see the log');
        for (const letter of letters) beside(mark({ letter, outcome, at: clock() }));
        return [];
      }
    }
    const middle = Math.ceil(letters.length / 2);
    return [...(await makeReady(letters.slice(0, middle))), ...(await makeReady(letters.slice(middle)))];
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
    const notices = await composeNotices(db, [...new Set(ids)], publicUrl, (rows) =>
      readCurves(rows.filter(({ id }) => drawn.has(id))),
    );
    const named = new Map([...notices].map(([id, notice]) => [id, { ...notice, isOneOfSeveral: true }]));
    return letters.map((letter) => {
      const known = letter.recipient.hasSeveral ? named : notices;
      const [worst, ...rest] = letter.deliveries
        .map(({ notificationId }) => known.get(notificationId))
        .filter((notice): notice is Notice => notice !== undefined)
        .sort(compareWorstFirst);
      if (!worst) throw new Error(`There is nothing to say in letter ${letter.id}`);
      return { ...letter, notices: [worst, ...rest] };
    });
  }

  function startSome(): void {
    if (isLeaving) return;
    for (const letter of lanes.start()) beside(deliver(letter));
  }

  /** Nobody waits for it, but `settle`. */
  function beside(work: Promise<void>): void {
    const tended = work
      .catch((error) => log.error({ err: error }, 'delivery stumbled'))
      .finally(() => underway.delete(tended));
    underway.add(tended);
  }

  async function deliver(taken: ReadyLetter): Promise<void> {
    const attempt = await tryToSend(taken);
    lanes.answer(taken);
    const marked = settleAttempt(attempt).finally(() => lanes.finish(taken));
    startSome();
    await marked;
    if (lanes.isLow()) await refill();
  }

  /** null: there was nothing to send any more. */
  async function tryToSend(taken: ReadyLetter): Promise<LetterAttempt | null> {
    try {
      const letter = await recheckIfOld(taken);
      if (!letter) return null;
      const { id, notices, createdAt, recipient } = letter;
      const sending = { transports, log, timeoutMs, stopping: stopping.signal };
      const outcome = await sendLetter(sending, { id, notices, createdAt }, recipient, clock());
      return { letter, outcome, at: clock() };
    } catch (error) {
      log.error({ err: error, letterId: taken.id }, 'a letter could not be checked');
      return { letter: taken, outcome: failure('It could not be checked, see the log'), at: clock() };
    }
  }

  async function settleAttempt(attempt: LetterAttempt | null): Promise<void> {
    if (!attempt) return;
    const { letter, outcome } = attempt;
    if (outcome.isSent) return mark(attempt);
    // Nobody knows whether it would have arrived: that the program leaves is no failure of the letter.
    if (stopping.signal.aborted && !outcome.isGone) return void (await returnLetters(db, [letter.id]));
    const { transport } = letter.recipient;
    log.warn({ letterId: letter.id, transport, error: outcome.error }, 'a letter did not arrive');
    await mark(attempt);
  }

  return {
    work: refill,
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
