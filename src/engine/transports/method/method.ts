// Letters to persons by their contact methods, and the codes that prove these.
import { makeReplyCode } from '../../../platform/auth/reply-code.ts';
import { type OutboundSettings, postOutbound } from '../../../platform/outbound/post-outbound.ts';
import { readRetryAfter } from '../../../platform/outbound/retry-after.ts';
import type { Channels } from '../../../platform/read-channels.ts';
import { failure, type SendOutcome, type Transport } from '../transport.ts';
import { explainFailure, explainRefusal, quoteAnswer } from '../webhook/webhook-outcome.ts';
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

type Told = Exclude<SendOutcome, { isKept: true }>;

export const tellPerson = async (...given: Parameters<typeof tellPersonAloud>): Promise<Told> =>
  (await tellPersonAloud(...given)).outcome;

/** With what the provider answered, in its own words and without our secrets; null: nothing. */
export async function tellPersonAloud(
  { channels, allowPrivate, resolve, timeoutMs = TIMEOUT_MS, hooks = null }: MethodSettings & Guard,
  message: Message,
  recipient: Omit<MethodRecipient, 'id' | 'pin' | 'mayAcknowledge'>,
  now: Date,
  signal: AbortSignal,
): Promise<{ outcome: Told; answer: string | null }> {
  const kind = PERSON_KINDS[recipient.kind];
  if (!kind.isOffered(channels))
    return { outcome: failure(`${kind.label} is not set up any more`), answer: null };
  const post = kind.post(message, recipient, channels, hooks, now);
  const settings = {
    // What the operator has set up may well be beside it.
    allowPrivate: allowPrivate || !kind.isPersonsAddress,
    timeoutMs,
    ...(resolve && { resolve }),
  };
  const answered = await postOutbound(post, settings, signal);
  if (!answered.ok) return { outcome: explainFailure(post, answered.refusal), answer: null };
  const { status, text } = answered.value;
  const others = secretsOf(channels);
  const answer = quoteAnswer(post, answered.value, [recipient.secret ?? '', ...others]);
  const isTaken = status >= 200 && status <= 299 && (kind.isThanks?.(text) ?? true);
  if (isTaken)
    return {
      outcome: { isSent: true, providerId: kind.findId?.(text) ?? null, handedTo: post.url.host },
      answer,
    };
  const refused = explainRefusal(post, answered.value, { secret: recipient.secret, others }, now);
  const retryAfterMs = refused.retryAfterMs ?? readTelegramPause(text, now);
  const isGone = refused.isGone || (kind.isGone?.(answered.value) ?? false);
  return { outcome: { ...refused, retryAfterMs, isGone }, answer };
}

/** What a provider may repeat of what it was asked with. */
const secretsOf = ({ pushover, telegram, sms }: Channels): string[] => [
  pushover?.token ?? '',
  telegram?.token ?? '',
  ...Object.values(sms?.headers ?? {}),
  ...secretsIn(sms?.headers.authorization),
];

/** `Basic dXNlcjpwYXNz`: the whole, and what it is made of. */
function secretsIn(authorization: string | undefined): string[] {
  const [scheme, value = ''] = (authorization ?? '').split(' ');
  if (scheme !== 'Basic') return [value];
  const [, ...password] = Buffer.from(value, 'base64').toString('utf8').split(':');
  return [value, password.join(':')];
}

/** Telegram says in its answer how long to wait, not in a header. */
function readTelegramPause(text: string, now: Date): number | null {
  const [, seconds] = /"retry_after"\s*:\s*(\d{1,5})/.exec(text) ?? [];
  return seconds === undefined ? null : readRetryAfter(seconds, now);
}
