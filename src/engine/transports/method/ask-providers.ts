// Whether the services by which persons are told would take a message: each is asked its cheapest question, which tells
// nobody anything.
import { type OutboundPost, postOutbound } from '../../../platform/outbound/post-outbound.ts';
import type { Channels, SmsGateway } from '../../../platform/read-channels.ts';
import { explainFailure, explainRefusal } from '../webhook/webhook-outcome.ts';

export interface ProviderAnswer {
  name: string;
  /** null: it was not asked. */
  isWell: boolean | null;
  words: string;
}

interface Question {
  name: string;
  /** null: it has none that costs nothing. */
  url: URL | null;
  headers?: Record<string, string>;
  isThanks?: (text: string) => boolean;
  /** The operator chose it, and it may be beside Tocsin. */
  isOperators: boolean;
}

const TIMEOUT_MS = 5_000;

/** All at once, each within seconds. Never throws. */
export const askProviders = (
  channels: Channels,
  ownServers: readonly OwnServer[],
  settings: { allowPrivate: boolean },
  now: Date,
): Promise<ProviderAnswer[]> =>
  Promise.all(
    [...questionsOf(channels), ...ownServers.map(askOwnServer)].map((question) =>
      ask(question, settings, now),
    ),
  );

async function ask(
  { name, url, headers = {}, isThanks, isOperators }: Question,
  { allowPrivate }: { allowPrivate: boolean },
  now: Date,
): Promise<ProviderAnswer> {
  if (!url) return { name, isWell: null, words: 'set up, and not asked: every question to it is a message' };
  const post: OutboundPost = {
    method: 'GET',
    url,
    headers: { 'user-agent': 'Tocsin', accept: 'application/json', ...headers },
    body: '',
  };
  const outbound = { allowPrivate: allowPrivate || isOperators, timeoutMs: TIMEOUT_MS };
  const answer = await postOutbound(post, outbound, new AbortController().signal);
  if (!answer.ok) return { name, isWell: false, words: explainFailure(post, answer.refusal).error };
  const { status, text } = answer.value;
  if (status >= 200 && status <= 299 && (isThanks?.(text) ?? true))
    return { name, isWell: true, words: `${url.host} answers, and knows us` };
  return { name, isWell: false, words: explainRefusal(post, answer.value, { secret: null }, now).error };
}

function questionsOf({ sms, pushover, telegram, signal }: Channels): Question[] {
  const own = { isOperators: true };
  return [
    ...(sms ? [{ ...own, name: `SMS by ${sms.gateway}`, url: findAccount(sms), headers: sms.headers }] : []),
    ...(pushover
      ? [
          {
            ...own,
            name: 'Pushover',
            url: below(pushover.url, `1/apps/limits.json?token=${encodeURIComponent(pushover.token)}`),
          },
        ]
      : []),
    ...(telegram
      ? [
          {
            ...own,
            name: 'Telegram',
            url: below(telegram.url, `bot${telegram.token}/getMe`),
            isThanks: (text: string) => /"ok"\s*:\s*true/.test(text),
          },
        ]
      : []),
    ...(signal ? [{ ...own, name: 'Signal', url: below(signal.url, 'v1/about') }] : []),
  ];
}

/** What each of them answers to whoever may send. */
const ACCOUNTS: Record<string, [sending: RegExp, account: string]> = {
  twilio: [/\/Messages\.json$/, '.json'],
  '46elks': [/\/sms$/, '/me'],
  sipgate: [/\/sessions\/sms$/, '/account'],
  messagebird: [/\/messages$/, '/balance'],
};

function findAccount({ gateway, url }: SmsGateway): URL | null {
  const [sending, account] = ACCOUNTS[gateway] ?? [];
  return sending?.test(url) ? new URL(url.replace(sending, account ?? '')) : null;
}

export interface OwnServer {
  kind: 'ntfy' | 'gotify';
  /** Of the topic, or of the server. */
  address: string;
}

const askOwnServer = ({ kind, address }: OwnServer): Question => ({
  name: kind === 'ntfy' ? 'ntfy' : 'Gotify',
  url: kind === 'ntfy' ? new URL('v1/health', address.replace(/\/$/, '')) : below(address, 'health'),
  isThanks: (text) => /"healthy"\s*:\s*true|"health"\s*:\s*"green"/.test(text),
  isOperators: false,
});

const below = (address: string, path: string): URL => {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/`;
  return new URL(`./${path}`, url);
};
