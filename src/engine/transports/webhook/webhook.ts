// Letters to other programs: one record per kind (kinds.ts), one way to send them.

import { english } from '../../../domain/language/english.ts';
import { writeFailure } from '../../../domain/words/failure-words.ts';
import { publishOutbound } from '../../../platform/outbound/publish-outbound.ts';
import { type OutboundSettings, requestOutbound } from '../../../platform/outbound/request-outbound.ts';
import { failure, type SendOutcome, type Transport } from '../../letters/letter.ts';
import type { WebhookRequest } from '../../letters/webhook-kind.ts';
import { kindNamed } from './kinds.ts';
import type { WebhookRecipient } from './recipient.ts';
import { findWebhookFault } from './webhook-check.ts';
import { explainFailure, explainRefusal, isTaken } from './webhook-outcome.ts';

const TIMEOUT_MS = 15_000;
/** Letters under way, should many fail halfway. */
const MOST_REMEMBERED = 1_000;

export interface WebhookTransportDeps extends Pick<OutboundSettings, 'allowPrivate' | 'resolve'> {
  /** Where people reach Tocsin. */
  publicUrl: () => string;
  /** Tests do not wait so long. */
  timeoutMs?: number;
}

export function createWebhookTransport({
  publicUrl,
  timeoutMs = TIMEOUT_MS,
  ...settings
}: WebhookTransportDeps): Transport<WebhookRecipient> {
  // Of a letter that takes many posts, those that arrived are not posted again; a restart forgets it, and receivers drop doubles.
  const arrived = new Map<string, Set<string>>();

  return {
    async send(letter, recipient, now, signal) {
      const fault = findWebhookFault(recipient, settings, english);
      if (fault !== null) return failure(fault);
      const posts = kindNamed(recipient.kind).shape(letter, recipient, { publicUrl: publicUrl(), now });
      const parts = arrived.get(letter.id) ?? new Set();
      const beganAt = performance.now();
      for (const post of posts.filter(({ part }) => !parts.has(part))) {
        const leftMs = timeoutMs - (performance.now() - beganAt);
        const outcome =
          leftMs > timeoutMs / 2
            ? await sendPost(post, leftMs, recipient, now, signal)
            : // One letter holds up others no longer than a slow receiver would.
              failure(writeFailure('partly', { arrived: parts.size, all: posts.length }));
        if (!outcome.isSent) {
          if (parts.size > 0) remember(letter.id, parts);
          return outcome;
        }
        parts.add(post.part);
      }
      arrived.delete(letter.id);
      return { isSent: true, handedTo: posts[0]?.url.host ?? null };
    },
  };

  async function sendPost(
    post: WebhookRequest,
    leftMs: number,
    recipient: WebhookRecipient,
    now: Date,
    signal: AbortSignal,
  ): Promise<SendOutcome> {
    if (post.publish) {
      const message = { url: post.url, body: post.body, ...post.publish };
      const published = await publishOutbound(message, { ...settings, timeoutMs: leftMs }, signal);
      return published.ok ? { isSent: true } : explainFailure(post, published.refusal);
    }
    const answer = await requestOutbound(post, { ...settings, timeoutMs: leftMs }, signal);
    if (!answer.ok) return explainFailure(post, answer.refusal);
    return isTaken(recipient.kind, answer.value)
      ? { isSent: true }
      : explainRefusal(post, answer.value, recipient, now);
  }

  function remember(letterId: string, parts: Set<string>) {
    arrived.set(letterId, parts);
    const [oldest] = arrived.keys();
    if (arrived.size > MOST_REMEMBERED && oldest !== undefined) arrived.delete(oldest);
  }
}
