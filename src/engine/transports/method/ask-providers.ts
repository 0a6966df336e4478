// Whether the services by which persons are told would take a message: each is asked its cheapest question, which tells
// nobody anything.
import { type OutboundRequest, requestOutbound } from '../../../platform/outbound/request-outbound.ts';
import {
  kindOf,
  PERSON_KINDS,
  type PersonMethodKind,
  PROVIDERS,
  type ProviderSettings,
} from '../../providers/providers.ts';
import type { Question } from '../../providers/record/provider.ts';
import { ASKS_FOR_JSON } from '../../providers/record/receipts.ts';
import { explainFailure, explainRefusal } from '../webhook/webhook-outcome.ts';

export interface ProviderAnswer {
  name: string;
  /** null: it was not asked. */
  isWell: boolean | null;
  words: string;
}

export interface OwnServer {
  kind: PersonMethodKind;
  /** Of the topic, or of the server. */
  address: string;
}

/** Of which a person or a group chose the server. */
export const OWN_SERVER_KINDS = (Object.keys(PERSON_KINDS) as PersonMethodKind[]).filter(
  (kind) => kindOf(kind).askServer !== undefined,
);

const TIMEOUT_MS = 5_000;

/** All at once, each within seconds. Never throws. */
export const askProviders = (
  providers: ProviderSettings,
  ownServers: readonly OwnServer[],
  settings: { allowPrivate: boolean },
  now: Date,
): Promise<ProviderAnswer[]> =>
  Promise.all([
    // The operator chose them, and they may be beside Tocsin.
    ...questionsOf(providers).map((question) => ask(question, { allowPrivate: true }, now)),
    ...ownServers
      .flatMap(({ kind, address }) => kindOf(kind).askServer?.(address) ?? [])
      .map((question) => ask(question, settings, now)),
  ]);

const questionsOf = (providers: ProviderSettings): Question[] =>
  PROVIDERS.flatMap((provider) => {
    const settings: unknown = providers[provider.name];
    return (settings !== null && provider.ask?.(settings)) || [];
  });

async function ask(
  { name, url, headers = {}, isThanks }: Question,
  { allowPrivate }: { allowPrivate: boolean },
  now: Date,
): Promise<ProviderAnswer> {
  if (!url) return { name, isWell: null, words: 'set up, and not asked: every question to it is a message' };
  const post: OutboundRequest = {
    method: 'GET',
    url,
    headers: { ...ASKS_FOR_JSON, ...headers },
    body: '',
  };
  const answer = await requestOutbound(
    post,
    { allowPrivate, timeoutMs: TIMEOUT_MS },
    new AbortController().signal,
  );
  if (!answer.ok) return { name, isWell: false, words: explainFailure(post, answer.refusal).error };
  const { status, text } = answer.value;
  if (status >= 200 && status <= 299 && (isThanks?.(text) ?? true))
    return { name, isWell: true, words: `${url.host} answers, and knows us` };
  return { name, isWell: false, words: explainRefusal(post, answer.value, { secret: null }, now).error };
}
