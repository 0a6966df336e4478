// One question to a provider, and what its answer means for the next.
import { readJson } from '../../../engine/providers/record/read-answer.ts';
import { type OutboundRequest, requestOutbound } from '../../../platform/outbound/request-outbound.ts';
import { readRetryAfter } from '../../../platform/outbound/retry-after.ts';

type ProviderAnswer =
  | { kind: 'said'; fields: Record<string, unknown>; text: string }
  /** It will not answer this otherwise: the message is not known any more. */
  | { kind: 'refused'; status: number }
  | { kind: 'pause'; ms: number; fields: Record<string, unknown> }
  | { kind: 'away' };

const TIMEOUT_MS = 10_000;
const USUAL_PAUSE_MS = 60_000;

export async function askProvider(
  post: OutboundRequest,
  now: Date,
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<ProviderAnswer> {
  // What the operator has set up may well be beside it.
  const answer = await requestOutbound(post, { allowPrivate: true, timeoutMs }, signal);
  if (!answer.ok) return { kind: 'away' };
  const { status, text, headers } = answer.value;
  const fields = readJson(text);
  if (status === 429)
    return { kind: 'pause', ms: readRetryAfter(headers['retry-after'], now) ?? USUAL_PAUSE_MS, fields };
  if (status >= 500) return { kind: 'away' };
  return status >= 200 && status <= 299 ? { kind: 'said', fields, text } : { kind: 'refused', status };
}
