// Why a reading was not taken: a code with its facts. It is stored as it is, compared by its code, and said by `sayRefused`
// alone. Programs read the same words as people do, always in English.

import { english } from '../language/english.ts';
import { message, type WithFacts } from '../language/message.ts';
import { type Sayable, sayOne } from '../language/sayable.ts';
import type { Language } from '../language/speak.ts';

export type Refused =
  | { code: 'unknown_device' | 'unknown_service' | 'archived' }
  | { code: 'not_remembered'; most: number }
  | { code: 'too_old'; limit: string }
  | { code: 'no_entry' | 'two_targets' | 'no_target' | 'bad_device' | 'bad_service' }
  | { code: 'bad_time' | 'future_time' | 'bad_values' }
  | { code: 'too_many_values'; most: number }
  | { code: 'bad_name' | 'reserved_name' | 'not_a_number' | 'not_finite'; channel: string }
  | { code: 'other_unit'; channel: string; unit: string; before: string }
  | { code: 'too_many_channels'; channel: string; most: number }
  | { code: 'device_no_text' }
  | { code: 'codec_off' | 'codec_makes_nothing' }
  | { code: 'codec_failed' | 'codec_says'; text: string }
  /**
   * What is wrong by the grammar of a format, for whoever writes the sender; and sentences from before there were codes. With its
   * message it is what else is wrong with what a sender says or how it is set, for whoever looks after it.
   */
  | { code: 'said'; text: string; message?: string; facts?: Record<string, string | number> };

type Code = Refused['code'];
type Of<One extends Code> = Extract<Refused, { code: One }>;

const LONGEST_SHOWN = 60;

/** A name that is no name may be as long as it likes. */
const nameValue = (name: string): string =>
  `values.${(name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name).toWellFormed()}`;

const WORDS: { [One in Code]: Sayable | ((language: Language, refused: Of<One>) => string) } = {
  // For translators: why a reading was not taken. The words device, service_id, time and values are those of the interface.
  unknown_device: message('Unknown device'),
  not_remembered: ({ say }, { most }) =>
    say('Unknown device, and not remembered yet: {most} new ones came within a minute', { most }),
  unknown_service: message('Unknown service'),
  archived: message('The service is archived'),
  too_old: ({ say }, { limit }) => say('Older than {limit}', { limit }),
  no_entry: message('An entry must be an object'),
  two_targets: message('An entry names either device or service_id, not both'),
  no_target: message('An entry names a device or a service_id'),
  bad_device: message('device must be a key in text'),
  bad_service: message('service_id must be a whole number'),
  bad_time: message('time must be ISO 8601 or epoch milliseconds'),
  future_time: message('time is more than 10 minutes in the future'),
  bad_values: message('values must be an object of channel names and numbers'),
  too_many_values: ({ say }, { most }) => say('values may hold at most {most} channels', { most }),
  bad_name: ({ say }, { channel }) => say('{value}: not a channel name', { value: nameValue(channel) }),
  reserved_name: ({ say }, { channel }) =>
    say('{value}: this name is reserved', { value: nameValue(channel) }),
  not_a_number: ({ say }, { channel }) => say('{value}: not a number', { value: nameValue(channel) }),
  not_finite: ({ say }, { channel }) => say('{value}: not a finite number', { value: nameValue(channel) }),
  other_unit: ({ say }, { channel, unit, before }) =>
    say(
      '{value}: comes in {unit}, and came in {before} so far: an administrator has to agree, under Settings, Channels',
      { value: nameValue(channel), unit, before },
    ),
  too_many_channels: ({ say }, { channel, most }) =>
    say('{value}: the service has {most} channels already', { value: nameValue(channel), most }),
  device_no_text: message('the device must be a key in text'),
  codec_off: message('the codec is switched off, for it failed three times in a row'),
  codec_makes_nothing: message('the codec makes nothing of it'),
  codec_failed: ({ say }, { text }) => say('the codec failed: {text}', { text }),
  codec_says: ({ say }, { text }) => say('the codec says: {text}', { text }),
  // What was stored is no literal; with its message come the facts of it.
  said: ({ say }, { text, message: stored, facts }) =>
    stored === undefined ? text : say(stored as '{fact}', facts as { fact: string }),
};

/** Programs read it in English. */
export function sayRefused(refused: Refused, language: Language): string {
  const words = WORDS[refused.code] as Sayable | ((language: Language, given: Refused) => string);
  return typeof words === 'string' ? sayOne(words, language) : words(language, refused);
}

export function fault<const Message extends string>(message: Message, ...given: WithFacts<Message>): Refused {
  const [facts] = given as [facts?: Record<string, string | number>];
  return { code: 'said', text: english.say(message, ...given), message, ...(facts && { facts }) };
}

export const said = (text: string): Refused => ({ code: 'said', text });

/** It waits to be adopted, or for the next minute: whoever sends it did nothing wrong. */
export const isWaiting = ({ code }: Refused): boolean =>
  code === 'unknown_device' || code === 'not_remembered';
