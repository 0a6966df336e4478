// What makes a provider: a service that the operator sets up so that persons are told by it.
import { message } from '../../../domain/language/message.ts';
import type { Language } from '../../../domain/language/speak.ts';
import type { OutboundRequest } from '../../../platform/outbound/request-outbound.ts';
import type { Given } from './read-given.ts';
import type { Receipts } from './receipts.ts';
import type { Updates } from './updates.ts';

export interface Provider<Name extends string = string, Settings = unknown> {
  /** In TOCSIN_CHANNELS, in the database and on the page Delivery. */
  name: Name;
  /** On pages. */
  label: string;
  /** What it may repeat of what it was asked with. */
  secretsOf(settings: Settings): string[];
  /** The question that costs nothing. Left out: it is not asked. */
  ask?(settings: Settings): Question;
  /** Messages of which more is learned by asking. */
  receipts?: readonly Receipts<Settings>[];
  /** What people write to it. */
  updates?: Updates<Settings>;
}

/** One with settings: the file of TOCSIN_CHANNELS has them, or a keeper typed them in on the page Delivery. */
export interface SetProvider<Name extends string = string, Settings = unknown>
  extends Provider<Name, Settings> {
  /** @throws GivenFault where something is wrong with them. */
  read(given: Given): Settings;
  /** In a few words, for keepers. */
  describe(settings: Settings, language: Language): string;
  /** null: it has a card of its own there. */
  form: SetUpForm | null;
}

export type SettingsOf<Of> = Of extends Provider<string, infer Settings> ? Settings : null;

/** What the page Delivery asks for, in messages. */
interface SetUpForm {
  about: string;
  fields: readonly SetUpField[];
}

export interface SetUpField {
  name: string;
  label: string;
  hint: string;
  isUrl?: true;
  isRequired?: boolean;
  /** Never shown again. It goes nowhere but where it was given for. */
  secret?: { pattern: RegExp; fault: string };
}

export const OTHER_ADDRESS: SetUpField = {
  name: 'url',
  label: message('Address of its interface'),
  hint: message('Only where it is not the usual one.'),
  isUrl: true,
};

/** A token of which a maker says no more than that it is one. */
export const TOKEN = {
  pattern: /^[A-Za-z0-9:_-]{1,200}$/,
  fault: message('Write the token as its maker shows it: letters, digits, : _ and -.'),
};

/** Whether it would take a message: it tells nobody anything. */
export interface Question extends Pick<Partial<OutboundRequest>, 'headers'> {
  name: string;
  /** null: every question to it is a message. */
  url: URL | null;
  /** Whether an answer with a status of success says so too. */
  isThanks?(text: string): boolean;
}
