// Why a reading was not taken: a code with its facts. It is stored as it is, compared by its code, and said by `sayRefused`
// alone. Programs read the same words as people do.

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
  /** What is wrong by the grammar of a format, for whoever writes the sender; and sentences from before there were codes. */
  | { code: 'said'; text: string };

type Code = Refused['code'];
type Of<One extends Code> = Extract<Refused, { code: One }>;

const LONGEST_SHOWN = 60;

/** A name that is no name may be as long as it likes. */
const nameValue = (name: string): string =>
  `values.${(name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name).toWellFormed()}`;

const UNKNOWN_DEVICE = 'Unknown device';

const WORDS: { [One in Code]: string | ((refused: Of<One>) => string) } = {
  unknown_device: UNKNOWN_DEVICE,
  not_remembered: ({ most }) =>
    `${UNKNOWN_DEVICE}, and not remembered yet: ${most} new ones came within a minute`,
  unknown_service: 'Unknown service',
  archived: 'The service is archived',
  too_old: ({ limit }) => `Older than ${limit}`,
  no_entry: 'An entry must be an object',
  two_targets: 'An entry names either device or service_id, not both',
  no_target: 'An entry names a device or a service_id',
  bad_device: 'device must be a key in text',
  bad_service: 'service_id must be a whole number',
  bad_time: 'time must be ISO 8601 or epoch milliseconds',
  future_time: 'time is more than 10 minutes in the future',
  bad_values: 'values must be an object of channel names and numbers',
  too_many_values: ({ most }) => `values may hold at most ${most} channels`,
  bad_name: ({ channel }) => `${nameValue(channel)}: not a channel name`,
  reserved_name: ({ channel }) => `${nameValue(channel)}: this name is reserved`,
  not_a_number: ({ channel }) => `${nameValue(channel)}: not a number`,
  not_finite: ({ channel }) => `${nameValue(channel)}: not a finite number`,
  other_unit: ({ channel, unit, before }) =>
    `${nameValue(channel)}: comes in ${unit}, and came in ${before} so far: an administrator has to agree, under Settings, Channels`,
  too_many_channels: ({ channel, most }) => `${nameValue(channel)}: the service has ${most} channels already`,
  device_no_text: 'the device must be a key in text',
  codec_off: 'the codec is switched off, for it failed three times in a row',
  codec_makes_nothing: 'the codec makes nothing of it',
  codec_failed: ({ text }) => `the codec failed: ${text}`,
  codec_says: ({ text }) => `the codec says: ${text}`,
  said: ({ text }) => text,
};

export function sayRefused(refused: Refused): string {
  const words = WORDS[refused.code] as string | ((given: Refused) => string);
  return typeof words === 'string' ? words : words(refused);
}

export const said = (text: string): Refused => ({ code: 'said', text });

/** It waits to be adopted, or for the next minute: whoever sends it did nothing wrong. */
export const isWaiting = ({ code }: Refused): boolean =>
  code === 'unknown_device' || code === 'not_remembered';
