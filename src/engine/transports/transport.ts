// How a message travels. A transport never throws for what may happen to a message: it answers with an outcome.
import type { Notice } from '../../domain/telling/notice.ts';

/** What one recipient gets at once: one notice, or a digest of several, worst first. */
export interface Letter {
  /** Of the delivery: stable over retries. */
  id: string;
  notices: readonly [Notice, ...Notice[]];
  createdAt: Date;
}

export interface EmailRecipient {
  address: string;
  /** Of the account behind the address; null for a plain one. */
  account: { name: string; timeZone: string } | null;
}

export const WEBHOOK_KINDS = [
  'generic',
  'slack',
  'teams',
  'discord',
  'ntfy',
  'pagerduty',
  'alertmanager',
] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

export interface WebhookRecipient {
  id: number;
  kind: WebhookKind;
  url: string;
  /** Signing secret, routing key or bearer token, by kind. */
  secret: string | null;
}

export type SendOutcome =
  | { isSent: true }
  | {
      isSent: false;
      /** In words for an administrator, without secrets. */
      error: string;
      /** The receiver asked for it. */
      retryAfterMs: number | null;
      /** The receiver is gone for good (410). */
      isGone: boolean;
    };

export interface Transport<Recipient> {
  send(letter: Letter, recipient: Recipient, now: Date, signal: AbortSignal): Promise<SendOutcome>;
}
