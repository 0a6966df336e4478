// How a message travels. A transport never throws for what may happen to a message: it answers with an outcome.
import type { Language } from '../../domain/language/speak.ts';
import type { Notice } from '../../domain/notifications/notice.ts';

/** What one recipient gets at once: one notice, or a digest of several, worst first. */
export interface Letter {
  /** Of the delivery: stable over retries. */
  id: string;
  /** Of its reader; English where that is a program. Its notices are said in it. */
  language: Language;
  notices: readonly [Notice, ...Notice[]];
  createdAt: Date;
  /** Where its reader says to have it; left out where nobody asks for that. */
  receiptUrl?: string | undefined;
  /** Where its reader, and nobody else, acknowledges without signing in; left out where that is not allowed. */
  personalUrl?: string | undefined;
}

export type SendOutcome =
  | {
      isSent: true;
      /** The host that took it, which is no arrival. */
      handedTo?: string | null;
      /** By which whoever takes it on names it, so that a receipt finds it. */
      providerId?: string | null;
    }
  /** There is no mail server: it is kept here, and did not leave. */
  | { isSent: false; isKept: true }
  | {
      isSent: false;
      isKept?: false;
      /** In words for an administrator, without secrets. */
      error: string;
      /** The receiver asked for it. */
      retryAfterMs: number | null;
      /** The receiver is gone for good (410). */
      isGone: boolean;
      /** It said that it will not take this: tried again while an alarm holds, but nobody waits for it. */
      isRefused?: boolean;
    };

export type SendFailure = Exclude<SendOutcome, { isSent: true } | { isKept: true }>;

/** null: it was handed over, or kept. */
export const failureOf = (outcome: SendOutcome): SendFailure | null =>
  outcome.isSent || outcome.isKept ? null : outcome;

/** May be better next time. */
export const failure = (error: string): SendFailure => ({
  isSent: false,
  error,
  retryAfterMs: null,
  isGone: false,
});

/** It will not take this. */
export const refusal = (error: string): SendFailure => ({
  isSent: false,
  error,
  retryAfterMs: null,
  isGone: false,
  isRefused: true,
});

export interface Transport<Recipient> {
  send(letter: Letter, recipient: Recipient, now: Date, signal: AbortSignal): Promise<SendOutcome>;
}
