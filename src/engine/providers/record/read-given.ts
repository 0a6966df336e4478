// Settings of a provider as somebody wrote them, in the file of TOCSIN_CHANNELS or on the page Delivery.

import { english } from '../../../domain/language/english.ts';
import { message } from '../../../domain/language/message.ts';
import { type Sayable, sayOne } from '../../../domain/language/sayable.ts';

/** Names with values. */
export type Given = Record<string, unknown>;

/** A sentence: what is wrong with them, without repeating a secret. */
export class GivenFault extends Error {
  readonly text: Sayable;
  /** What it is about. */
  readonly field: string;
  constructor(text: Sayable, field = '') {
    // In front of it programs say where it stands.
    super(sayOne(text, english).replace(/^It (.*)\.$/, '$1'));
    this.text = text;
    this.field = field;
  }
}

export function asMap(given: unknown, name: string): Given {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new GivenFault(() => `${name} must be a list of names with values`);
  return given as Given;
}

export function readText(given: Given, name: string): string {
  const value = given[name];
  if (value === undefined || value === null || String(value).trim() === '')
    throw new GivenFault(({ say }) => say('It needs "{name}".', { name }), name);
  return String(value);
}

/** `usual`: where it is, unless something else is given. */
export function readAddress(given: Given, usual?: string): string {
  const value = given.url === undefined && usual ? usual : readText(given, 'url');
  if (!/^https?:\/\//.test(value) || !URL.canParse(fillAddress(value)))
    throw new GivenFault(message('It has a "url" that does not start with http:// or https://.'), 'url');
  return value;
}

export const hostOf = (address: string): string => new URL(fillAddress(address)).host;

/** `{to}` stands for something that may stand in an address. */
const fillAddress = (address: string): string => address.replaceAll(/\{\w+\}/g, 'x');
