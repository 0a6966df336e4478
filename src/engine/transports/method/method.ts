// Letters to persons by their contact methods, and the codes that prove these.
import { writeFailure } from '../../../domain/words/failure-words.ts';
import { makeReplyCode } from '../../../platform/auth/reply-code.ts';
import { type OutboundSettings, requestOutbound } from '../../../platform/outbound/request-outbound.ts';
import { failure, type SendOutcome, type Transport } from '../../letters/letter.ts';
import { findSettings, kindOf, PROVIDERS, type ProviderSettings } from '../../providers/providers.ts';
import { type Message, sayLetter } from '../../providers/record/message.ts';
import { explainFailure, explainRefusal, quoteAnswer } from '../webhook/webhook-outcome.ts';
import type { MethodRecipient } from './recipient.ts';

const TIMEOUT_MS = 15_000;

/** As they are in force at the time of sending. */
export interface MethodSettings {
  providers: ProviderSettings;
  /** Where people reach Tocsin. */
  publicUrl: string;
  /** Where makers call back; null: they cannot. */
  hooks?: string | null;
}

/** Tests wait longer, or not so long. */
type Guard = Pick<OutboundSettings, 'allowPrivate' | 'resolve'> & { timeoutMs?: number };

export interface MethodDeps extends Guard {
  settings: () => MethodSettings;
  /** What was sent to a method since then. */
  countSent?: (methodId: number, since: Date) => Promise<number>;
}

const WINDOW_MS = 15 * 60_000;

export const createMethodTransport = (deps: MethodDeps): Transport<MethodRecipient> => ({
  async send(letter, recipient, now, signal) {
    const { id, pin, mayAcknowledge } = recipient;
    const settings = { ...deps, ...deps.settings() };
    const kind = kindOf(recipient.kind);
    const found = findSettings(kind, settings.providers);
    const replySecret = (found && kind.replySecret?.(found.settings)) ?? null;
    const code = replySecret === null ? null : makeReplyCode(replySecret, id, letter.id);
    const message = sayLetter(letter, settings.publicUrl, { code, pin, mayAcknowledge, now });
    const { most } = kind;
    if (most !== undefined && deps.countSent && !message.isFirstCritical) {
      const sent = await deps.countSent(id, new Date(now.getTime() - WINDOW_MS));
      if (sent >= most)
        return {
          isSent: false,
          error: writeFailure('enough', { most }),
          retryAfterMs: 60_000,
          isGone: false,
        };
    }
    return tellPerson(settings, message, recipient, now, signal);
  },
});

type Told = Exclude<SendOutcome, { isKept: true }>;

export const tellPerson = async (...given: Parameters<typeof tellPersonAloud>): Promise<Told> =>
  (await tellPersonAloud(...given)).outcome;

/** With what the provider answered, in its own words and without our secrets; null: nothing. */
export async function tellPersonAloud(
  { providers, allowPrivate, resolve, timeoutMs = TIMEOUT_MS, hooks = null }: MethodSettings & Guard,
  message: Message,
  recipient: Omit<MethodRecipient, 'id' | 'pin' | 'mayAcknowledge'>,
  now: Date,
  signal: AbortSignal,
): Promise<{ outcome: Told; answer: string | null }> {
  const kind = kindOf(recipient.kind);
  const found = findSettings(kind, providers);
  if (!found) return { outcome: failure(writeFailure('unset', { way: kind.label })), answer: null };
  const post = kind.post(message, recipient, found.settings, hooks, now);
  const settings = {
    // What the operator has set up may well be beside it.
    allowPrivate: allowPrivate || !kind.isPersonsAddress,
    timeoutMs,
    ...(resolve && { resolve }),
  };
  const answered = await requestOutbound(post, settings, signal);
  if (!answered.ok) return { outcome: explainFailure(post, answered.refusal), answer: null };
  const { status, text } = answered.value;
  const others = secretsOf(providers);
  const answer = quoteAnswer(post, answered.value, [recipient.secret ?? '', ...others]);
  const isTaken = status >= 200 && status <= 299 && (kind.isThanks?.(text) ?? true);
  if (isTaken)
    return {
      outcome: { isSent: true, providerId: kind.findId?.(text) ?? null, handedTo: post.url.host },
      answer,
    };
  const refused = explainRefusal(post, answered.value, { secret: recipient.secret, others }, now);
  const retryAfterMs = refused.retryAfterMs ?? kind.readPause?.(text, now) ?? null;
  const isGone = refused.isGone || (kind.isGone?.(answered.value) ?? false);
  return { outcome: { ...refused, retryAfterMs, isGone }, answer };
}

/** What a provider may repeat of what it was asked with. */
const secretsOf = (providers: ProviderSettings): string[] =>
  PROVIDERS.flatMap((provider) => {
    const settings: unknown = providers[provider.name];
    return settings === null ? [] : provider.secretsOf(settings);
  });
