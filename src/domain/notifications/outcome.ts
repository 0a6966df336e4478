// What became of a letter, from what was noted of it: no more than is known, and in one set of words.
import type { Language } from '../language/speak.ts';
import { sayFailure } from '../words/failure-words.ts';
import { type Reason, sayReason } from './reason.ts';

/** What is stored of a message to one recipient, or of a mail about an account. */
export interface LetterFacts {
  /** `sent`: it is done with, handed over or kept. */
  state: 'queued' | 'sent' | 'failed' | 'dropped';
  attempts: number;
  nextAttemptAt: Date | null;
  lastError: string | null;
  dropReason?: Reason | null;
  /** When it was done with. */
  sentAt: Date | null;
  /** The host that took it; null: nobody did, or it was not noted. */
  handedTo: string | null;
  /** For want of a mail server; null: it was not noted, and may be either. */
  isKept: boolean | null;
  /** Whoever took it gave it a name by which it reports. */
  wasTaken?: boolean;
  refusedAt?: Date | null;
  /** At the device. */
  receivedAt?: Date | null;
  /** By a person. */
  confirmedAt?: Date | null;
  confirmedHow?: string | null;
}

export type Outcome =
  | { state: 'waiting'; attempts: number; error: string | null; nextAt: Date | null }
  /** `to` null: to whom was not noted. `isSure` false: or it was kept. */
  | { state: 'handed_over'; to: string | null; at: Date | null; isSure: boolean }
  /** As a report says. */
  | { state: 'arrived'; at: Date }
  | { state: 'confirmed'; how: string | null; at: Date }
  /** There was no mail server: it did not leave. */
  | { state: 'kept'; at: Date | null }
  /** Whoever was to have it said that they take none; `nextAt`: it is tried again all the same. */
  | { state: 'refused'; error: string | null; nextAt: Date | null }
  /** Nobody took it for as long as it was tried, or whoever took it could not deliver it. */
  | { state: 'lost'; attempts: number; error: string | null; wasTaken: boolean }
  | { state: 'left_out'; why: Reason | null };

export function findOutcome(facts: LetterFacts): Outcome {
  const { state, attempts, lastError: error, sentAt: at } = facts;
  // Whoever says to have it has it, also where it was never learned that it arrived.
  if (facts.confirmedAt)
    return { state: 'confirmed', how: facts.confirmedHow ?? null, at: facts.confirmedAt };
  if (facts.receivedAt) return { state: 'arrived', at: facts.receivedAt };
  switch (state) {
    case 'sent':
      if (facts.isKept) return { state: 'kept', at };
      return { state: 'handed_over', to: facts.handedTo, at, isSure: facts.isKept === false };
    case 'dropped':
      return { state: 'left_out', why: facts.dropReason ?? null };
    case 'queued':
      return facts.refusedAt
        ? { state: 'refused', error, nextAt: facts.nextAttemptAt }
        : { state: 'waiting', attempts, error, nextAt: attempts > 0 ? facts.nextAttemptAt : null };
    case 'failed':
      return facts.refusedAt
        ? { state: 'refused', error, nextAt: null }
        : { state: 'lost', attempts, error, wasTaken: facts.wasTaken ?? false };
  }
}

/** The time that belongs to it: when it came about, or when it is tried again. */
export const timeOf = (outcome: Outcome): Date | null => {
  if ('at' in outcome) return outcome.at;
  return 'nextAt' in outcome ? outcome.nextAt : null;
};

/** Whoever was to have it does not, and may never: it is shown so. */
export const isTrouble = (outcome: Outcome): boolean =>
  outcome.state === 'kept' ||
  outcome.state === 'refused' ||
  outcome.state === 'lost' ||
  (outcome.state === 'waiting' && outcome.attempts > 0);

/** A time may follow. Hosts and errors are for those who act on them. */
export function sayOutcome(outcome: Outcome, showsDetails: boolean, language: Language): string {
  const { say } = language;
  const stored = 'error' in outcome && showsDetails ? outcome.error : null;
  const error = stored && sayFailure(stored, language);
  switch (outcome.state) {
    case 'waiting': {
      const { attempts } = outcome;
      if (attempts === 0) return say('Waiting to be handed over');
      return error === null
        ? // For translators: a time follows
          say('Failing after {attempts, plural, one {# attempt} other {# attempts}}. Next attempt', {
            attempts,
          })
        : say('Failing after {attempts, plural, one {# attempt} other {# attempts}}: {error}. Next attempt', {
            attempts,
            error,
          });
    }
    case 'handed_over':
      if (!outcome.isSure) return say('Handed over, or kept here: it was not noted then');
      return showsDetails && outcome.to !== null
        ? say('Handed to {host}', { host: outcome.to })
        : language.sayAs('of a message', 'Handed over');
    case 'arrived':
      return say('Arrived');
    case 'confirmed':
      return outcome.how === null
        ? say('Confirmed')
        : say('Confirmed by {how, select, key {key} button {button} reply {reply} other {{how}}}', {
            how: outcome.how,
          });
    case 'kept':
      return say('Kept here: there was no mail server, so it did not leave');
    case 'refused':
      if (outcome.nextAt)
        return error === null
          ? say('Refused. Next attempt')
          : say('Refused: {error}. Next attempt', { error });
      return error === null ? say('Refused') : say('Refused: {error}', { error });
    case 'lost': {
      const { attempts } = outcome;
      if (outcome.wasTaken)
        return error === null
          ? say('Lost after it was handed over')
          : say('Lost after it was handed over: {error}', { error });
      return error === null
        ? say('Failed after {attempts, plural, one {# attempt} other {# attempts}}', { attempts })
        : say('Failed after {attempts, plural, one {# attempt} other {# attempts}}: {error}', {
            attempts,
            error,
          });
    }
    case 'left_out':
      return outcome.why
        ? say('Left out: {reason}', { reason: sayReason(outcome.why, language) })
        : say('Left out: no longer needed');
  }
}
