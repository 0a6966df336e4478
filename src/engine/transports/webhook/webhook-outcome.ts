// What came of a request, in words for an administrator. Paths and queries of webhooks are secrets: only the host is named.

import { writeFailure } from '../../../domain/words/failure-words.ts';
import type { PublishFailure } from '../../../platform/outbound/publish-outbound.ts';
import type { OutboundAnswer, OutboundRequest } from '../../../platform/outbound/request-outbound.ts';
import { readRetryAfter } from '../../../platform/outbound/retry-after.ts';
import { failure, refusal, type SendFailure } from '../../letters/letter.ts';
import { kindNamed, type WebhookKind } from './kinds.ts';
import type { WebhookRecipient } from './recipient.ts';
import { explainForbidden } from './webhook-check.ts';

export const isTaken = (kind: WebhookKind, { status, text }: OutboundAnswer): boolean =>
  status >= 200 && status <= 299 && (kindNamed(kind).isThanks?.(text) ?? true);

export function explainRefusal(
  { url, headers }: OutboundRequest,
  answer: OutboundAnswer,
  { secret, others = [] }: Pick<WebhookRecipient, 'secret'> & { others?: readonly string[] },
  now: Date,
): SendFailure {
  const { status } = answer;
  const isGone = status === 410;
  const said = quote(answer, [secret ?? '', ...others, headers.authorization ?? '', ...secretsOf(url)]);
  const retryAfterMs = readRetryAfter(answer.headers['retry-after'], now);
  const isRefused = status >= 400 && status <= 499 && !FOR_NOW.has(status);
  const error = explainStatus(url.host, status) + said;
  return { isSent: false, error, retryAfterMs, isGone, isRefused };
}

/** Of what a receiver says against a request, that it may take it later. */
const FOR_NOW = new Set([408, 409, 423, 425, 429]);

function explainStatus(host: string, status: number): string {
  if (status === 410) return writeFailure('gone', { host });
  if (status === 429) return writeFailure('takes_no_more', { host });
  if (status === 401 || status === 403) return writeFailure('refused', { host, status });
  if (status >= 500) return writeFailure('failed', { host, status });
  if (status >= 300 && status < 400) return writeFailure('sends_on', { host, status });
  if (status >= 200 && status < 300) return writeFailure('no_such_webhook', { host, status });
  return writeFailure('answered', { host, status });
}

export function explainFailure({ url }: Pick<OutboundRequest, 'url'>, cause: PublishFailure): SendFailure {
  const { host } = url;
  switch (cause.kind) {
    case 'stopped':
      return failure(writeFailure('stopped', { host }));
    case 'timeout':
      return failure(writeFailure('no_answer', { host, seconds: Math.ceil(cause.afterMs / 1000) }));
    case 'not_let_in':
      return refusal(writeFailure('not_let_in', { host }));
    case 'unreachable':
      return failure(writeFailure(nameCause(cause.code), { host, code: cause.code }));
    default:
      return failure(explainForbidden(cause, url.hostname));
  }
}

const CAUSES = {
  ENOTFOUND: 'not_known',
  EAI_AGAIN: 'not_looked_up',
  ECONNREFUSED: 'takes_no_connections',
  ECONNRESET: 'broke_off',
  CERT_HAS_EXPIRED: 'certificate_too_old',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_of_its_own',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_of_unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_of_unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_of_unknown',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_of_another',
} as const;

const nameCause = (code: string): (typeof CAUSES)[keyof typeof CAUSES] | 'not_reached' =>
  Object.hasOwn(CAUSES, code) ? CAUSES[code as keyof typeof CAUSES] : 'not_reached';

const LONGEST_ANSWER = 300;

/** Status and beginning of an answer, for whoever set up what was asked. */
export function quoteAnswer(
  { url, headers }: OutboundRequest,
  { status, text }: OutboundAnswer,
  secrets: readonly string[],
): string {
  const clean = cleanse(text, [...secrets, headers.authorization ?? '', ...secretsOf(url)]);
  return `${status} ${clean.slice(0, LONGEST_ANSWER)}`.trim();
}

/** What a receiver says of a message helps, if it is short and no page; what it repeats of the address does not go further. */
function quote({ text, headers }: OutboundAnswer, secrets: string[]): string {
  if (/^\s*</.test(text) || headers['content-type']?.startsWith('text/html')) return '';
  const clean = cleanse(text, secrets);
  return clean === '' || clean.length > 200 ? '' : `: ${clean}`;
}

const cleanse = (text: string, secrets: string[]): string =>
  secrets
    .filter((secret) => secret.length > 3)
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();

function secretsOf({ pathname, search, username, password, searchParams }: URL): string[] {
  const raw = [
    pathname + search,
    pathname,
    search,
    username,
    password,
    ...searchParams.values(),
    ...pathname.split('/'),
  ];
  return [...raw, ...raw.map(decode)].sort((one, other) => other.length - one.length);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
