// What came of a request, in words for an administrator. Paths and queries of webhooks are secrets: only the host is named.

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
  const error = `${url.host} ${explainStatus(status)}${said}`;
  return { isSent: false, error, retryAfterMs, isGone, isRefused };
}

/** Of what a receiver says against a request, that it may take it later. */
const FOR_NOW = new Set([408, 409, 423, 425, 429]);

function explainStatus(status: number): string {
  if (status === 410) return 'answered 410: this webhook is gone for good';
  if (status === 429) return 'takes no more messages for now (429)';
  if (status === 401 || status === 403) return `did not let the message in (${status})`;
  if (status >= 500) return `failed (${status})`;
  if (status >= 300 && status < 400)
    return `sends messages on to another address (${status}), and redirects are not followed`;
  if (status >= 200 && status < 300) return `answered ${status}, but not as a webhook of this kind does`;
  return `answered ${status}`;
}

export function explainFailure({ url }: Pick<OutboundRequest, 'url'>, cause: PublishFailure): SendFailure {
  switch (cause.kind) {
    case 'stopped':
      return failure(`Tocsin was stopped before ${url.host} had answered`);
    case 'timeout':
      return failure(`${url.host} gave no answer within ${Math.ceil(cause.afterMs / 1000)} s`);
    case 'not_let_in':
      return refusal(`${url.host} did not let the message in`);
    case 'unreachable':
      return failure(`${url.host} ${CAUSES[cause.code] ?? 'could not be reached'} (${cause.code})`);
    default:
      return failure(explainForbidden(cause, url.hostname));
  }
}

const CAUSES: Record<string, string> = {
  ENOTFOUND: 'is a name that is not known',
  EAI_AGAIN: 'is a name that could not be looked up',
  ECONNREFUSED: 'takes no connections',
  ECONNRESET: 'broke the connection off',
  CERT_HAS_EXPIRED: 'has a certificate that is out of date',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that it signed itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has a certificate of an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
};

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
