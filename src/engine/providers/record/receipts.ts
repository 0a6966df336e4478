// What is learned of a message by asking, from providers that do not call back.
import type { MethodKind } from '../../../domain/on-call/contact-method.ts';
import type { OutboundRequest } from '../../../platform/outbound/request-outbound.ts';

export interface Receipts<Settings = unknown> {
  /** Under which programs take turns to ask. */
  kind: string;
  /** What it is asked about. */
  via: MethodKind;
  /** Nothing more is learned later. */
  withinMs: number;
  /** `hasHooks`: it could call back. */
  isAsked(settings: Settings, hasHooks: boolean): boolean;
  /** null: there is nothing to learn of this one. */
  ask(settings: Settings, providerId: string): OutboundRequest | null;
  read(fields: Readonly<Record<string, unknown>>): Receipt;
  /** That nobody needs to act on it any more. Left out: it does not go on by itself. */
  stop?(settings: Settings, providerId: string): OutboundRequest;
  /** How long after an answer that was not the last it is asked again. */
  pauseMs(sinceSentMs: number): number;
}

interface Receipt {
  isReceived: boolean;
  /** What it says of one that does not arrive. */
  lost?: string;
  /** By what somebody confirmed it. */
  confirmedBy?: string;
  isLast: boolean;
}

const RECEIVED = /^(delivered|read|confirmed)$/i;
const LOST = /^(undelivered|failed|rejected|undeliverable|delivery_failed|expired)$/i;

/** null: on its way, or nothing that concerns us. */
export function readStatus(said: string): 'received' | 'lost' | null {
  if (RECEIVED.test(said)) return 'received';
  return LOST.test(said) ? 'lost' : null;
}

export const ASKS_FOR_JSON = { accept: 'application/json' };
