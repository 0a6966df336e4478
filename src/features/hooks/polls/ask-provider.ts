// One question to a provider, and what its answer means for the next.
import { parseJson } from '../../../domain/json/parse-json.ts';
import { type OutboundPost, postOutbound } from '../../../platform/outbound/post-outbound.ts';
import { readRetryAfter } from '../../../platform/outbound/retry-after.ts';

export type ProviderAnswer =
  | { kind: 'said'; fields: Record<string, unknown>; text: string }
  /** It will not answer this otherwise: the message is not known any more. */
  | { kind: 'refused'; status: number }
  | { kind: 'pause'; ms: number }
  | { kind: 'away' };

const TIMEOUT_MS = 10_000;
const USUAL_PAUSE_MS = 60_000;

export async function askProvider(
  post: OutboundPost,
  now: Date,
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<ProviderAnswer> {
  // What the operator has set up may well be beside it.
  const answer = await postOutbound(post, { allowPrivate: true, timeoutMs }, signal);
  if (!answer.ok) return { kind: 'away' };
  const { status, text, headers } = answer.value;
  const fields = readFields(text);
  if (status === 429) return { kind: 'pause', ms: readPause(headers['retry-after'], fields, now) };
  if (status >= 500) return { kind: 'away' };
  return status >= 200 && status <= 299 ? { kind: 'said', fields, text } : { kind: 'refused', status };
}

/** Telegram says in its answer how long to wait, not in a header. */
function readPause(header: string | undefined, fields: Record<string, unknown>, now: Date): number {
  const { retry_after: seconds } = (fields.parameters ?? {}) as { retry_after?: unknown };
  if (typeof seconds === 'number' && seconds > 0) return Math.min(seconds, 3_600) * 1000;
  return readRetryAfter(header, now) ?? USUAL_PAUSE_MS;
}

function readFields(text: string): Record<string, unknown> {
  const read = parseJson(text);
  return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
}
