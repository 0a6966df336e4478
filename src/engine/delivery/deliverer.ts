// The delivery of one program: takes letters that are due through the stages (stages.ts), side by side. Any number of
// programs may do so; a lease keeps a letter with one of them. Whatever it took to write a letter, it is sent, dropped
// because it is no longer true, or counted as an attempt: none goes back as if nothing had been tried.

import { setMaxListeners } from 'node:events';
import { writeFailure } from '../../domain/words/failure-words.ts';
import { inTurn } from '../../platform/in-slices.ts';
import { failure } from '../letters/letter.ts';
import { returnLetters } from '../outbox/letters.ts';
import type { ReadyLetter } from './compose-letters.ts';
import { createLanes } from './lanes.ts';
import type { LetterAttempt } from './mark-letters.ts';
import { openStages, type StageDeps } from './stages.ts';

export interface DelivererDeps extends StageDeps {
  /** For tests: how long a program that leaves waits for answers. */
  finishWithinMs?: number;
}

export interface Deliverer {
  /** The stages that are the clock's. */
  decide(now: Date): Promise<void>;
  form(now: Date): Promise<void>;
  /** Says what is in hand, and frees what programs have in hand that are gone. */
  hold(now: Date): Promise<void>;
  /** Begins to send what is due; does not wait for receivers. */
  work(): Promise<void>;
  /** Until nothing is under way. */
  settle(): Promise<void>;
  /** Takes no more. What is being sent gets a few seconds, the rest is free for others at once. */
  leave(): Promise<void>;
}

const FINISH_WITHIN_MS = 4_000;

export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { db, clock, log, finishWithinMs = FINISH_WITHIN_MS } = deps;
  const stopping = new AbortController();
  // Every letter under way listens.
  setMaxListeners(0, stopping.signal);
  const stages = openStages(deps, stopping.signal);
  const { decide, form, claim, hold, letGo, compose, askOnceMore, send, mark } = stages;
  const lanes = createLanes();
  const underway = new Set<Promise<void>>();
  let isLeaving = false;
  let filling: Promise<void> | null = null;

  /** Takes letters ahead, as long as a lane runs dry. */
  async function fill(): Promise<void> {
    while (!isLeaving) {
      const { letters, taken } = await claim(lanes.room());
      const ready = await compose(letters, (letter, error) =>
        beside(mark({ letter, outcome: failure(error), at: clock() }).finally(() => letGo([letter.id]))),
      );
      lanes.put(ready, taken);
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

  /** The receiver is free for the next letter before this one is marked. */
  async function deliver(letter: ReadyLetter): Promise<void> {
    let beganAt = performance.now();
    const attempt = await tryToSend(letter, () => {
      beganAt = performance.now();
    });
    lanes.answer(letter, performance.now() - beganAt);
    const marked = settleAttempt(attempt).finally(() => {
      letGo([letter.id]);
      lanes.finish(letter);
    });
    startSome();
    await marked;
    if (lanes.isLow()) await refill();
  }

  /** null: there was nothing to send any more. `begin`: how long its receiver takes counts from now on. */
  async function tryToSend(taken: ReadyLetter, begin: () => void): Promise<LetterAttempt | null> {
    try {
      const letter = await askOnceMore(taken);
      if (!letter) return null;
      const sending = () => {
        begin();
        return send(letter);
      };
      return { letter, outcome: await inTurn(sending, 'letters'), at: clock() };
    } catch (error) {
      log.error({ err: error, letterId: taken.id }, 'a letter could not be checked');
      return { letter: taken, outcome: failure(writeFailure('unchecked')), at: clock() };
    }
  }

  async function settleAttempt(attempt: LetterAttempt | null): Promise<void> {
    if (!attempt) return;
    const { letter, outcome } = attempt;
    if (outcome.isSent || outcome.isKept) return mark(attempt);
    // Nobody knows whether it would have arrived: that the program leaves is no failure of the letter.
    if (stopping.signal.aborted && !outcome.isGone) return void (await returnLetters(db, [letter.id]));
    const { transport } = letter.recipient;
    log.warn({ letterId: letter.id, transport, error: outcome.error }, 'a letter was not handed over');
    await mark(attempt);
  }

  return {
    decide,
    form,
    hold,
    work: refill,
    async settle() {
      await stages.settle();
      while (underway.size > 0 || filling) await Promise.allSettled([...underway, filling]);
    },
    async leave() {
      isLeaving = true;
      stages.leave();
      await filling?.catch(() => {});
      const unsent = lanes.takeBack();
      letGo(unsent);
      if (unsent.length > 0) await returnLetters(db, unsent);
      const timer = setTimeout(() => stopping.abort(), finishWithinMs);
      await this.settle();
      clearTimeout(timer);
    },
  };
}
