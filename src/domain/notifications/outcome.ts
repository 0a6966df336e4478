// What became of a letter, from what was noted of it: no more than is known, and in one set of words.
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
export function sayOutcome(outcome: Outcome, showsDetails: boolean): string {
  switch (outcome.state) {
    case 'waiting':
      return outcome.attempts === 0
        ? 'Waiting to be handed over'
        : `Failing after ${countTries(outcome.attempts)}${why(outcome, showsDetails)}. Next attempt`;
    case 'handed_over':
      if (!outcome.isSure) return 'Handed over, or kept here: it was not noted then';
      return showsDetails && outcome.to !== null ? `Handed to ${outcome.to}` : 'Handed over';
    case 'arrived':
      return 'Arrived';
    case 'confirmed':
      return outcome.how === null ? 'Confirmed' : `Confirmed by ${outcome.how}`;
    case 'kept':
      return 'Kept here: there was no mail server, so it did not leave';
    case 'refused':
      return `Refused${why(outcome, showsDetails)}${outcome.nextAt ? '. Next attempt' : ''}`;
    case 'lost':
      return outcome.wasTaken
        ? `Lost after it was handed over${why(outcome, showsDetails)}`
        : `Failed after ${countTries(outcome.attempts)}${why(outcome, showsDetails)}`;
    case 'left_out':
      return `Left out: ${outcome.why ? sayReason(outcome.why) : 'no longer needed'}`;
  }
}

const countTries = (attempts: number): string => (attempts === 1 ? '1 attempt' : `${attempts} attempts`);

const why = ({ error }: { error: string | null }, showsDetails: boolean): string =>
  showsDetails && error !== null ? `: ${error}` : '';
