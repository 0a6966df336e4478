// What the operator says of the services by which persons are told, beside mail: a YAML file that TOCSIN_CHANNELS names.
import { atOnce } from '../domain/at-once.ts';
import { findTwin, openDocuments } from './yaml/open-documents.ts';

export interface Channels {
  sms: SmsGateway | null;
  pushover: { url: string; token: string } | null;
  telegram: { url: string; token: string } | null;
  signal: { url: string; number: string } | null;
  /** Not of the file: made by the program where browsers allow it. */
  push: { publicKey: string; privateKey: string; subject: string } | null;
}

export const NO_CHANNELS: Channels = { sms: null, pushover: null, telegram: null, signal: null, push: null };

/** A request of which `{to}`, `{digits}`, `{from}`, `{text}` and `{id}` are filled in. */
export interface SmsGateway {
  gateway: string;
  method: 'POST' | 'PUT' | 'GET';
  url: string;
  /** Ready to be sent. */
  headers: Record<string, string>;
  encode: 'json' | 'form';
  body: Record<string, unknown>;
  from: string;
  /** What proves who calls back: the token of Twilio, the signing key of others, a part of the address. null: nobody is heard. */
  hookSecret: string | null;
  /** Answers come in: an SMS says by what code it is acknowledged. */
  takesReplies: boolean;
  /** The field of the body by which it learns where to report. */
  statusField: string | null;
}

/** Names with values, as somebody wrote them. */
export type Given = Record<string, unknown>;
type Preset = Pick<SmsGateway, 'url' | 'encode' | 'body'> & {
  asks: 'basic' | 'bearer' | 'access_key';
  statusField: string | null;
};

/** As each of them documents it. */
const PRESETS: Record<string, Preset> = {
  '46elks': {
    url: 'https://api.46elks.com/a1/sms',
    asks: 'basic',
    encode: 'form',
    body: { from: '{from}', to: '{to}', message: '{text}' },
    statusField: 'whendelivered',
  },
  sipgate: {
    url: 'https://api.sipgate.com/v2/sessions/sms',
    asks: 'basic',
    encode: 'json',
    body: { smsId: '{from}', recipient: '{to}', message: '{text}' },
    statusField: null,
  },
  messagebird: {
    url: 'https://rest.messagebird.com/messages',
    asks: 'access_key',
    encode: 'json',
    body: { originator: '{from}', recipients: ['{digits}'], body: '{text}', reference: '{id}' },
    statusField: 'reportUrl',
  },
  vonage: {
    url: 'https://api.nexmo.com/v1/messages',
    asks: 'basic',
    encode: 'json',
    body: {
      message_type: 'text',
      channel: 'sms',
      to: '{digits}',
      from: '{from}',
      text: '{text}',
      client_ref: '{id}',
    },
    statusField: 'webhook_url',
  },
  twilio: {
    url: 'https://api.twilio.com/2010-04-01/Accounts/{user}/Messages.json',
    asks: 'basic',
    encode: 'form',
    body: { To: '{to}', From: '{from}', Body: '{text}' },
    statusField: 'StatusCallback',
  },
};

const BOUNDS = { mostCharacters: 100_000, mostPieces: 30_000 };
const NO_YAML = 'is no YAML that can be read';

/** A sentence: what is wrong with it, without repeating a secret. */
export function readChannels(text: string): Channels | string {
  const documents = atOnce(openDocuments(text, BOUNDS));
  if (!documents.ok) return `cannot be read: ${documents.refusal.message}`;
  const [document, further] = documents.value;
  try {
    if (!document || further || document.errors.length > 0 || findTwin(document) !== null) return NO_YAML;
    return toChannels(document.toJS());
  } catch (error) {
    return error instanceof Fault ? error.message : NO_YAML;
  }
}

/** The same of one channel. */
export function readChannel(name: Exclude<keyof Channels, 'push'>, given: Given): Channels | string {
  try {
    return toChannels({ [name]: given });
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

class Fault extends Error {}

function toChannels(given: unknown): Channels {
  const file = asMap(given ?? {}, 'It');
  const unknown = Object.keys(file).find((name) => name === 'push' || !Object.hasOwn(NO_CHANNELS, name));
  if (unknown !== undefined) throw new Fault(`knows no channel "${unknown}"`);
  const part = (name: string) => (file[name] === undefined ? null : asMap(file[name], name));
  const [pushover, telegram, signal, sms] = ['pushover', 'telegram', 'signal', 'sms'].map(part);
  return {
    sms: sms ? readGateway(sms) : null,
    pushover: pushover
      ? { token: text(pushover, 'token'), url: address(pushover, 'https://api.pushover.net') }
      : null,
    telegram: telegram
      ? { token: text(telegram, 'token'), url: address(telegram, 'https://api.telegram.org') }
      : null,
    signal: signal ? { number: text(signal, 'number'), url: address(signal) } : null,
    push: null,
  };
}

function readGateway(given: Given): SmsGateway {
  const gateway = text(given, 'gateway');
  const from = String(given.from ?? '');
  if (gateway === 'custom') {
    const method = String(given.method ?? 'POST');
    const encode = String(given.encode ?? 'json');
    if (!['POST', 'PUT', 'GET'].includes(method))
      throw new Fault('has a "method" that is not POST, PUT or GET');
    if (!['json', 'form'].includes(encode)) throw new Fault('has an "encode" that is not json or form');
    const headers = Object.entries(asMap(given.headers ?? {}, 'headers')).map(
      ([name, value]) => [name.toLowerCase(), String(value)] as const,
    );
    return {
      gateway,
      method: method as SmsGateway['method'],
      url: address(given),
      headers: { ...Object.fromEntries(headers), ...credentials(given) },
      encode: encode as SmsGateway['encode'],
      body: asMap(given.body ?? {}, 'body'),
      from,
      hookSecret: null,
      takesReplies: false,
      statusField: null,
    };
  }
  const preset = Object.hasOwn(PRESETS, gateway) ? PRESETS[gateway] : undefined;
  if (!preset)
    throw new Fault(`has a "gateway" that is none of ${[...Object.keys(PRESETS), 'custom'].join(', ')}`);
  if (from === '') throw new Fault('needs "from" for SMS');
  const { asks, encode, body } = preset;
  const headers =
    asks === 'access_key' ? { authorization: `AccessKey ${text(given, 'token')}` } : credentials(given);
  if (!headers.authorization) throw new Fault('needs "user" and "password" for SMS');
  const url = address(given, preset.url).replace('{user}', encodeURIComponent(String(given.user ?? '')));
  const hookSecret = gateway === 'twilio' ? String(given.password) : optional(given, 'hook_secret');
  const takesReplies = given.replies === true;
  if (takesReplies && (hookSecret === null || gateway === 'sipgate' || gateway === 'messagebird'))
    throw new Fault('takes "replies" only by twilio, vonage and 46elks, the last two with a "hook_secret"');
  const { statusField } = preset;
  return { gateway, method: 'POST', url, headers, encode, body, from, hookSecret, takesReplies, statusField };
}

function credentials({ user, password, token }: Given): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${String(token)}` };
  if (user === undefined || password === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

function asMap(given: unknown, name: string): Given {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Fault(`${name} must be a list of names with values`);
  return given as Given;
}

function text(given: Given, name: string): string {
  const value = given[name];
  if (value === undefined || value === null || String(value).trim() === '')
    throw new Fault(`needs "${name}"`);
  return String(value);
}

const optional = (given: Given, name: string): string | null =>
  given[name] === undefined ? null : text(given, name);

function address(given: Given, usual?: string): string {
  const value = given.url === undefined && usual ? usual : text(given, 'url');
  if (!/^https?:\/\//.test(value) || !URL.canParse(value.replaceAll(/\{\w+\}/g, 'x')))
    throw new Fault('has a "url" that does not start with http:// or https://');
  return value;
}
