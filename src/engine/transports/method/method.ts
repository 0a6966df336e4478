// Letters to persons by their contact methods, and the codes that prove these.
import { makeReplyCode } from '../../../platform/auth/reply-code.ts';
import { type OutboundSettings, postOutbound } from '../../../platform/outbound/post-outbound.ts';
import { readRetryAfter } from '../../../platform/outbound/retry-after.ts';
import type { Channels } from '../../../platform/read-channels.ts';
import { failure, type SendOutcome, type Transport } from '../transport.ts';
import { explainFailure, explainRefusal } from '../webhook/webhook-outcome.ts';
import { PERSON_KINDS } from './kinds.ts';
import { type Message, sayLetter } from './message.ts';
import type { MethodRecipient } from './recipient.ts';

const TIMEOUT_MS = 15_000;

/** As they are in force at the time of sending. */
export interface MethodSettings {
  channels: Channels;
  /** Where people reach Tocsin. */
  publicUrl: string;
  /** Where makers call back; null: they cannot. */
  hooks?: string | null;
}

type Guard = Pick<OutboundSettings, 'allowPrivate' | 'resolve'>;

export interface MethodDeps extends Guard {
  settings: () => MethodSettings;
  /** What was sent to a method since then. */
  countSent?: (methodId: number, since: Date) => Promise<number>;
}

const WINDOW_MS = 15 * 60_000;

export const createMethodTransport = (deps: MethodDeps): Transport<MethodRecipient> => ({
  async send(letter, recipient, now, signal) {
    const { id, kind, pin, mayAcknowledge } = recipient;
    const settings = { ...deps, ...deps.settings() };
    const { sms } = settings.channels;
    const code =
      kind === 'sms' && sms?.takesReplies && sms.hookSecret !== null
        ? makeReplyCode(sms.hookSecret, id, letter.id)
        : null;
    const message = sayLetter(letter, settings.publicUrl, { code, pin, mayAcknowledge, now });
    const most = PERSON_KINDS[kind].most;
    if (most !== undefined && deps.countSent && !message.isFirstCritical) {
      const sent = await deps.countSent(id, new Date(now.getTime() - WINDOW_MS));
      if (sent >= most)
        return {
          isSent: false,
          error: `${most} within 15 minutes are enough`,
          retryAfterMs: 60_000,
          isGone: false,
        };
    }
    return tellPerson(settings, message, recipient, now, signal);
  },
});

export async function tellPerson(
  { channels, allowPrivate, resolve, hooks = null }: MethodSettings & Guard,
  message: Message,
  recipient: Omit<MethodRecipient, 'id' | 'pin' | 'mayAcknowledge'>,
  now: Date,
  signal: AbortSignal,
): Promise<Exclude<SendOutcome, { isKept: true }>> {
  const kind = PERSON_KINDS[recipient.kind];
  if (!kind.isOffered(channels)) return failure(`${kind.label} is not set up any more`);
  const post = kind.post(message, recipient, channels, hooks);
  const settings = {
    // What the operator has set up may well be beside it.
    allowPrivate: allowPrivate || !kind.isPersonsAddress,
    timeoutMs: TIMEOUT_MS,
    ...(resolve && { resolve }),
  };
  const answer = await postOutbound(post, settings, signal);
  if (!answer.ok) return explainFailure(post, answer.refusal);
  const { status, text } = answer.value;
  const isTaken = status >= 200 && status <= 299 && (kind.isThanks?.(text) ?? true);
  if (isTaken) return { isSent: true, providerId: kind.findId?.(text) ?? null, handedTo: post.url.host };
  const refused = explainRefusal(post, answer.value, { secret: recipient.secret }, now);
  const retryAfterMs = refused.retryAfterMs ?? readTelegramPause(text, now);
  return { ...refused, retryAfterMs, isGone: refused.isGone || (kind.isGone?.(answer.value) ?? false) };
}

/** Telegram says in its answer how long to wait, not in a header. */
function readTelegramPause(text: string, now: Date): number | null {
  const [, seconds] = /"retry_after"\s*:\s*(\d{1,5})/.exec(text) ?? [];
  return seconds === undefined ? null : readRetryAfter(seconds, now);
}
