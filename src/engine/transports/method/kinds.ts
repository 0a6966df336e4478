// How each kind of contact method is told, as its maker documents it.

import { canAnswer } from '../../../domain/accounts/phone-pin.ts';
import { parseJson } from '../../../domain/json/parse-json.ts';
import type { MethodKind } from '../../../domain/on-call/contact-method.ts';
import type { OutboundPost } from '../../../platform/outbound/post-outbound.ts';
import { underAddress } from '../../../platform/outbound/under-address.ts';
import type { Channels, SmsGateway } from '../../../platform/read-channels.ts';
import { countJsonBytes, shorten } from '../webhook/kinds/fit-text.ts';
import { bearer, postJson } from '../webhook/kinds/kind.ts';
import type { Message } from './message.ts';
import type { PersonKind } from './person-kind.ts';
import { push } from './push.ts';
import { writeButtonData } from './telegram-buttons.ts';
import { writeCall } from './write-call.ts';

const readNumber = (typed: string): string | null => {
  const number = typed.replaceAll(/[\s()/.-]/g, '').replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : null;
};

const readUrl = (typed: string): string | null => {
  const text = typed.trim();
  if (!URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && href.length <= 500 ? href : null;
};

const PRIORITIES = { critical: 10, warning: 8, none: 4 };

const sms: PersonKind = {
  label: 'SMS',
  addressLabel: 'Mobile number',
  hint: 'With the country, such as +49 151 23456789.',
  secretLabel: null,
  isOffered: ({ sms: gateway }) => gateway !== null,
  readAddress: readNumber,
  isPersonsAddress: false,
  post: ({ id, sms: text }, { address: to }, { sms: gateway }, hooks) =>
    writeSms(gateway as SmsGateway, { id, to, text }, hooks),
  most: 5,
  findId: (text) => {
    const { sid, id, message_uuid: uuid } = readJson(text);
    return asId(sid) ?? asId(uuid) ?? asId(id);
  },
};

export function writeSms(
  gateway: SmsGateway,
  given: { id: string; to: string; text: string },
  hooks: string | null = null,
): OutboundPost {
  const { method, headers, encode, from } = gateway;
  const values: Record<string, string> = { ...given, from, digits: given.to.replace('+', '') };
  const fill = (text: string, write = (value: string) => value) =>
    text.replaceAll(/\{(to|digits|from|text|id)\}/g, (_, name: string) => write(values[name] ?? ''));
  const fillAll = (part: unknown): unknown => {
    if (typeof part === 'string') return fill(part);
    if (Array.isArray(part)) return part.map(fillAll);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, fillAll(value)]));
  };
  const status = hooks !== null && gateway.statusField !== null && findHook(gateway, hooks, 'status');
  const body = {
    ...(fillAll(gateway.body) as Record<string, unknown>),
    ...(status && { [gateway.statusField as string]: status }),
  };
  const isForm = encode === 'form';
  const text = isForm
    ? new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString()
    : JSON.stringify(body);
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    method,
    url: new URL(fill(gateway.url, encodeURIComponent)),
    headers: { 'user-agent': 'Tocsin', 'content-type': type, accept: 'application/json', ...headers },
    body: method === 'GET' ? '' : text,
  };
}

/** Where its maker calls back; null: it could not prove who it is. */
function findHook({ gateway, hookSecret }: SmsGateway, hooks: string, what: string): string | null {
  if (hookSecret === null) return null;
  return gateway === '46elks'
    ? `${hooks}/hooks/46elks/${encodeURIComponent(hookSecret)}/${what}`
    : `${hooks}/hooks/${gateway}/${what}`;
}

const voice: PersonKind = {
  label: 'Call',
  addressLabel: 'Telephone number',
  hint: 'With the country, such as +49 30 1234567. A voice reads the alarm; 1 acknowledges, 2 passes it on, 9 repeats.',
  secretLabel: null,
  isOffered: ({ sms: gateway }) => gateway?.gateway === 'twilio',
  readAddress: readNumber,
  isPersonsAddress: false,
  post: ({ id, spoken, urgency, answer }, { address: to }, { sms: gateway }, hooks) => {
    const { url, headers, from } = gateway as SmsGateway;
    const form = new URLSearchParams({
      To: to,
      From: from,
      Timeout: '30',
      Twiml: writeCall(
        spoken,
        urgency === 'none' || hooks === null ? null : `${hooks}/hooks/twilio/voice/${id}`,
        answer,
      ),
    });
    return {
      url: new URL(url.replace(/Messages\.json$/, 'Calls.json')),
      headers: { 'user-agent': 'Tocsin', 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: form.toString(),
    };
  },
  most: 3,
  findId: (text) => asId(readJson(text).sid),
};

const pushover: PersonKind = {
  label: 'Pushover',
  addressLabel: 'User key',
  hint: 'The key of 30 characters that Pushover shows when you sign in there.',
  secretLabel: null,
  isOffered: (channels) => channels.pushover !== null,
  readAddress: (typed) => (/^[A-Za-z0-9]{30}$/.test(typed.trim()) ? typed.trim() : null),
  isPersonsAddress: false,
  post: ({ title, text, link, urgency }, { address: user }, channels) => {
    const { url, token } = channels.pushover as NonNullable<Channels['pushover']>;
    return postJson(underAddress(url, '/1/messages.json'), {
      token,
      user,
      title: shorten(title, 250),
      message: shorten(text, 1024),
      ...(link && { url: link.url, url_title: link.label }),
      ...(urgency === 'critical'
        ? { priority: 2, retry: 60, expire: 3600 }
        : { priority: urgency === 'warning' ? 1 : 0 }),
    });
  },
  isThanks: (text) => readJson(text).status === 1,
  findId: (text) => asId(readJson(text).receipt) ?? asId(readJson(text).request),
};

const telegram: PersonKind = {
  label: 'Telegram',
  addressLabel: 'Chat id',
  hint: 'Write to the bot of your lab first; bots such as @userinfobot show your id.',
  secretLabel: null,
  isOffered: (channels) => channels.telegram !== null,
  readAddress: (typed) => (/^-?\d{1,20}$/.test(typed.trim()) ? typed.trim() : null),
  isPersonsAddress: false,
  post: ({ id, title, text, link, answer }, { address }, channels) => {
    const { url, token } = channels.telegram as NonNullable<Channels['telegram']>;
    // In a group anybody could press it in the name of whoever added the chat.
    const isOwnChat = !address.startsWith('-');
    const buttons = [
      ...(answer !== 'nothing' && isOwnChat
        ? [
            ...(canAnswer(answer)
              ? [{ text: 'Acknowledge', callback_data: writeButtonData('ack', id) }]
              : []),
            { text: 'I cannot go', callback_data: writeButtonData('pass', id) },
          ]
        : []),
      ...(link ? [{ text: 'Open Tocsin', url: link.url }] : []),
    ];
    return postJson(underAddress(url, `/bot${token}/sendMessage`), {
      chat_id: address,
      text: shorten(`${title}\n${text}`, 4096),
      link_preview_options: { is_disabled: true },
      ...(buttons.length > 0 && { reply_markup: { inline_keyboard: [buttons] } }),
    });
  },
  isThanks: (text) => readJson(text).ok === true,
  findId: (text) => {
    const { message_id: id, chat } = (readJson(text).result ?? {}) as Record<string, { id?: unknown }>;
    return asId(chat?.id) && asId(id) && `${asId(chat?.id)}:${asId(id)}`;
  },
  // The person blocked the bot, or deleted the chat.
  isGone: ({ status, text }) => status === 403 && /blocked by the user|user is deactivated/.test(text),
};

const ntfy: PersonKind = {
  label: 'ntfy',
  addressLabel: 'Address of the topic',
  hint: 'Such as https://ntfy.sh/a-name-that-nobody-guesses. Whoever knows it can read along.',
  secretLabel: 'Access token, if the topic needs one',
  isOffered: () => true,
  readAddress: (typed) => {
    const url = readUrl(typed);
    return url !== null && /\/[-_A-Za-z0-9]{1,64}$/.test(new URL(url).pathname) ? url : null;
  },
  isPersonsAddress: true,
  post: ({ title, text, link, urgency }, { address, secret }) => {
    const url = new URL(address);
    const topic = url.pathname.split('/').at(-1) ?? '';
    url.pathname = url.pathname.slice(0, -topic.length);
    const message = {
      topic,
      title: shorten(title, 500, countJsonBytes),
      message: shorten(text, 3000, countJsonBytes),
      priority: { critical: 5, warning: 4, none: 3 }[urgency],
      ...(link && {
        click: link.url,
        actions: [{ action: 'view', label: link.label, url: link.url }],
      }),
    };
    return postJson(url, message, bearer(secret));
  },
};

const gotify: PersonKind = {
  label: 'Gotify',
  addressLabel: 'Address of the server',
  hint: 'Such as https://gotify.lab.example.',
  secretLabel: 'Application token',
  isOffered: () => true,
  readAddress: readUrl,
  isPersonsAddress: true,
  post: ({ title, text, link, urgency }, { address, secret }) =>
    writeGotify({ title, text, link, urgency }, address, secret),
};

function writeGotify(
  { title, text, link, urgency }: Pick<Message, 'title' | 'text' | 'link' | 'urgency'>,
  address: string,
  secret: string | null,
) {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/message`;
  const extras = link && { 'client::notification': { click: { url: link.url } } };
  return postJson(
    url,
    { title, message: text, priority: PRIORITIES[urgency], ...(extras && { extras }) },
    { 'x-gotify-key': secret ?? '' },
  );
}

const signal: PersonKind = {
  label: 'Signal',
  addressLabel: 'Number',
  hint: 'The number you use Signal with, such as +49 151 23456789.',
  secretLabel: null,
  isOffered: (channels) => channels.signal !== null,
  readAddress: readNumber,
  isPersonsAddress: false,
  post: ({ title, text, link }, { address }, channels) => {
    const { url, number } = channels.signal as NonNullable<Channels['signal']>;
    const message = [title, text, ...(link ? [`${link.label}: ${link.url}`] : [])].join('\n');
    return postJson(underAddress(url, '/v2/send'), { number, recipients: [address], message });
  },
};

export const PERSON_KINDS: Record<Exclude<MethodKind, 'email'>, PersonKind> = {
  sms,
  voice,
  push,
  pushover,
  telegram,
  ntfy,
  gotify,
  signal,
};

export const nameMethod = (kind: MethodKind): string =>
  kind === 'email' ? 'Mail' : PERSON_KINDS[kind].label;

/** `Mail` of who has chosen nothing. */
export const nameMethods = (kinds: readonly MethodKind[]): string =>
  kinds.length === 0 ? 'Mail' : kinds.map(nameMethod).join(', ');

function readJson(text: string): Record<string, unknown> {
  const read = parseJson(text);
  return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
}

const asId = (value: unknown): string | null =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'
    ? String(value).slice(0, 200)
    : null;
