import type { OutboundPost } from '../../../../platform/outbound/post-outbound.ts';
import type { Letter, WebhookRecipient } from '../../transport.ts';

export interface WebhookPost extends OutboundPost {
  /** What it tells, where one letter takes several posts: the same in every attempt. */
  part: string;
}

interface ShapeContext {
  /** Where people reach Tocsin. */
  publicUrl: string;
  now: Date;
}

/** From a letter to what is posted; several posts only where the receiver takes one event at a time. The recipient has no fault (webhook-check.ts). */
export type Shape = (letter: Letter, recipient: WebhookRecipient, context: ShapeContext) => WebhookPost[];

export const postJson = (url: URL, body: unknown, headers: Record<string, string> = {}): WebhookPost => ({
  part: '',
  url,
  headers: { 'content-type': 'application/json', 'user-agent': 'Tocsin', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

export const bearer = (secret: string | null): Record<string, string> =>
  secret === null || secret === '' ? {} : { authorization: `Bearer ${secret}` };
