// What makes a kind of webhook, all in one record. docs/webhooks.md says how to add one.

import type { OutboundMessage } from '../../platform/outbound/publish-outbound.ts';
import type { OutboundRequest } from '../../platform/outbound/request-outbound.ts';
import type { Letter } from './letter.ts';

export interface Kind<Name extends string = string> {
  /** In lab files, forms and the database. */
  name: Name;
  /** On pages. */
  label: string;
  /** By which its addresses begin. Left out: those of the web. */
  protocols?: readonly string[];
  /** null: it has none. */
  secret: SecretUse | null;
  /** What is wrong with it beside what is wrong for every kind, in words for an administrator. null: nothing to be seen. */
  findFault?: (address: URL, secret: string | null) => string | null;
  shape: Shape;
  /** Whether a text that came with a status of success says so too. Left out: the status is enough. */
  isThanks?: (text: string) => boolean;
  /** false: each notice is a letter of its own, in a storm too. */
  joinsDigests: boolean;
}

interface SecretUse {
  /** What it is called where it comes from. */
  name: string;
  /** What to type in, on the page of a group. */
  hint: string | null;
  /** In words for an administrator. Left out: it must be fit for a header. */
  findFault?: (secret: string) => string | null;
  /** Where none is given, one is made, and shown once. */
  make?: () => string;
}

/** From a letter to what is posted; several posts only where the receiver takes one event at a time. The target has no fault (webhook-check.ts). */
export type Shape = (letter: Letter, target: WebhookTarget, context: ShapeContext) => WebhookRequest[];

export interface WebhookTarget {
  url: string;
  /** Signing secret, routing key or bearer token, by kind. */
  secret: string | null;
}

interface ShapeContext {
  /** Where people reach Tocsin. */
  publicUrl: string;
  now: Date;
}

export interface WebhookRequest extends OutboundRequest {
  /** What it tells, where one letter takes several posts: the same in every attempt. */
  part: string;
  body: string;
  /** To a broker, which is no request. */
  publish?: Pick<OutboundMessage, 'topic' | 'isRetained' | 'credentials'>;
}

export const writeJsonRequest = (
  url: URL,
  body: unknown,
  headers: Record<string, string> = {},
): WebhookRequest => ({
  part: '',
  url,
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

export const bearer = (secret: string | null): Record<string, string> =>
  secret === null || secret === '' ? {} : { authorization: `Bearer ${secret}` };
