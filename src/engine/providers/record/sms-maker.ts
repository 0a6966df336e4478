// What makes a maker of SMS, all in one record: how it is asked to send, and what it says back.
import type { AnswerNeed } from '../../../domain/accounts/phone-pin.ts';
import type { Language } from '../../../domain/language/speak.ts';
import type { OutboundRequest } from '../../../platform/outbound/request-outbound.ts';
import type { Message } from './message.ts';
import type { Receipts } from './receipts.ts';

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

export interface SmsMaker {
  /** In TOCSIN_CHANNELS, in the database and in the addresses at which it calls back. */
  name: string;
  /** On pages. */
  label: string;
  /** What it calls a sender is the id of a line. */
  sendsByLine?: true;
  /** As it documents it. */
  preset: Pick<SmsGateway, 'url' | 'encode' | 'body' | 'statusField'> & {
    asks: 'basic' | 'access_key';
  };
  /** What it answers to whoever may send; null: it has no such address, or not beside this one. */
  findAccount(url: string): URL | null;
  /** null: it does not call back. */
  hooks: SmsHooks | null;
  /** What it is asked, where it cannot call back. */
  receipts?: Receipts<SmsGateway>;
  /** Left out: it calls nobody. */
  calls?: Calls;
}

export interface SmsHooks {
  /** What it proves itself by. */
  secret: 'password' | 'hook_secret';
  /** It signs nothing: whoever knows the address is believed. */
  isSecretInAddress?: true;
  isProved(secret: string, call: HookCall, now: Date): boolean | Promise<boolean>;
  readReport(fields: HookFields): { id: string | undefined; status: string | undefined };
  /** null: it does not hand on what people answer. */
  replies: Replies | null;
}

export type HookFields = Readonly<Record<string, string>>;

/** What called, before it is believed. */
interface HookCall {
  /** The whole address, as it was given to the maker. */
  address: string;
  /** The part of the address that is the secret. */
  secret: string | undefined;
  header(name: string): string | undefined;
  body: Buffer;
  fields: HookFields;
}

interface Replies {
  /** `id`: what it calls it; left out where it has no name. */
  read(fields: HookFields): { id: string | undefined; from: string | undefined; text: string | undefined };
  /** null: it takes no answer along. */
  answer: ((said: string) => Spoken) | null;
}

export interface Calls {
  /** `action`: where the key goes; null: there is nothing to press. */
  post(message: Message, to: string, gateway: SmsGateway, action: string | null): OutboundRequest;
  readKeys(fields: HookFields): { callId: string; keys: string | undefined };
  /** In the words that it is told by. */
  sayAlarm(text: string, action: string | null, answer: AnswerNeed, language: Language): string;
  /** `action`: where the digits go. */
  askPin(text: string, action: string, language: Language): string;
  sayLast(text: string, language: Language): string;
  /** Whether it has a voice for that. */
  speaks(language: Language): boolean;
  type: string;
}

interface Spoken {
  type: string;
  body: string;
}

/** Where a maker calls back, below the public address. */
export const hookPathOf = ({ name, hooks }: SmsMaker, secret: string): string =>
  hooks?.isSecretInAddress ? `/hooks/${name}/${secret}` : `/hooks/${name}`;

/** The same address with another ending; null: it does not end like that. */
export const findBeside = (address: string, ending: RegExp, other: string): URL | null =>
  ending.test(address) ? new URL(address.replace(ending, other)) : null;
