// What an alarm says, in one sentence for lists, pages and messages alike.

import { formatMinute } from '../instant.ts';
import { type BandName, isHigh, severityOfBand } from '../judging/band.ts';
import type { Language } from '../language/speak.ts';
import { sayBeyond } from './alarm-facts.ts';
import { sayNote, splitUnsteady } from './note-words.ts';
import { withTrueMinus } from './say-value.ts';
import { findStateWords, type StateChannel } from './state-words.ts';

export interface ValueAlarm {
  /** null: the channel goes by its raw name. */
  label: string | null;
  channel: string;
  /** As measured; in percentage mode the signed deviation from the setpoint. */
  value: number;
  unit: string | null;
  band: BandName;
  limit: number;
  isPercentage: boolean;
}

/** As a person would write it: at most three decimals, only those that say something, and no signed zero. */
const formatNumber = (value: number): string => String(Number(value.toFixed(3)) + 0);

/** `Temperature -55.2 °C is above the critical limit of -60 °C` */
export function describeValueAlarm(alarm: ValueAlarm): string {
  const name = alarm.label ?? alarm.channel;
  const severity = severityOfBand(alarm.band);
  if (alarm.isPercentage) {
    const limit = `${formatNumber(alarm.limit)} %`;
    return `${name} is ${describeDeviation(alarm.value)}, beyond the ${severity} limit of ${limit}`;
  }
  const withUnit = (value: number) => formatNumber(value) + (alarm.unit === null ? '' : ` ${alarm.unit}`);
  const [value, limit] = [withUnit(alarm.value), withUnit(alarm.limit)];
  const side = isHigh(alarm.band) ? 'above' : 'below';
  // Closer than the decimals show.
  const distance = value === limit ? `just ${side}` : side;
  return `${name} ${value} is ${distance} the ${severity} limit of ${limit}`;
}

function describeDeviation(percent: number): string {
  const shown = formatNumber(Math.abs(percent));
  if (shown === '0') return 'at its setpoint';
  return `${shown} % ${percent > 0 ? 'above' : 'below'} its setpoint`;
}

interface StaleService {
  /** null: never reported, so it counts from the creation of the service. */
  lastTelemetryAt: Date | null;
  createdAt: Date;
}

/** Before a time, of what has reported, and of what never did. */
const NOT_HEARD = 'No data since ';
export const NEVER_HEARD = 'No data received since ';

/** Of a gateway: how many services are stale because it is. */
export const describeBehind = (services: number): string =>
  services === 0 ? '' : `. ${services === 1 ? '1 service is' : `${services} services are`} behind it`;

/** Contract, Alarms: a time inside a stale message is UTC. */
export const describeStale = ({ lastTelemetryAt, createdAt }: StaleService): string =>
  lastTelemetryAt
    ? `${NOT_HEARD}${formatMinute(lastTelemetryAt)}`
    : `${NEVER_HEARD}${formatMinute(createdAt)}`;

const NORMAL_AGAIN = 'Back to normal';

interface Recovery {
  /** null: unknown, as for a channel that is gone. */
  channel: string | null;
  label: string | null;
  unit: string | null;
  value: number | null;
}

/** `Back to normal: Temperature -71.2 °C`. Not every end of an alarm is a value within its limits. */
export function describeRecovery({ channel, label, unit, value }: Recovery): string {
  const name = label ?? channel;
  if (name === null || value === null) return NORMAL_AGAIN;
  return `${NORMAL_AGAIN}: ${name} ${formatNumber(value)}${unit === null ? '' : ` ${unit}`}`;
}

export const DATA_AGAIN = 'Data comes in again';

/** Whose value a message is about; null: it is about no channel, or the channel is gone. */
export type ToldChannel = (StateChannel & { label: string | null }) | null;

/** What people read where programs read the message, of which nothing else may be kept: in their language, and a state by its word. */
export function sayToPeople(
  stored: string,
  channel: ToldChannel,
  value: number | null,
  language: Language,
): string {
  const words = channel && findStateWords(channel, language);
  const isEnd = stored.startsWith(NORMAL_AGAIN);
  if (words && (value === 0 || value === 1)) {
    const said = `${channel.label ?? channel.name} ${value === 0 ? words.off : words.on}`;
    return isEnd ? language.say('Back to normal: {reading}', { reading: said }) : said;
  }
  const unsteady = splitUnsteady(stored, language);
  if (unsteady) return `${unsteady.note} ${sayToPeople(unsteady.rest, channel, value, language)}`.trim();
  const message = withTrueMinus(stored);
  for (const say of FORMS) {
    const said = say(message, language);
    if (said !== null) return said;
  }
  return message;
}

type Form = (message: string, language: Language) => string | null;

const BEHIND = /^(No data .*)\. (\d{1,9}) services? (?:is|are) behind it$/s;

/** What the sentences above look like, and how they are said. */
const FORMS: Form[] = [
  (message, language) => {
    const [whole, silent = '', count] = BEHIND.exec(message) ?? [];
    if (whole === undefined) return null;
    return language.say('{silent}. {count, plural, one {# service is} other {# services are}} behind it', {
      silent: sayToPeople(silent, null, null, language),
      count: Number(count),
    });
  },
  (message, { say }) => {
    const time = behind(message, NOT_HEARD);
    return time === null ? null : say('No data since {time}', { time });
  },
  (message, { say }) => {
    const time = behind(message, NEVER_HEARD);
    return time === null ? null : say('No data received since {time}', { time });
  },
  (message, { say }) => (message === DATA_AGAIN ? say('Data comes in again') : null),
  (message, { say }) => (message === NORMAL_AGAIN ? say('Back to normal') : null),
  (message, language) => {
    const reading = behind(message, `${NORMAL_AGAIN}: `);
    return reading === null
      ? null
      : language.say('Back to normal: {reading}', { reading: withNumbers(reading, language) });
  },
  ...(['critical', 'warning'] as const).flatMap((severity): Form[] => [
    (message, language) => sayStoredDeviation(message, severity, language),
    (message, language) => sayStoredValue(message, severity, language),
  ]),
  sayNote,
];

const behind = (message: string, beginning: string): string | null =>
  message.startsWith(beginning) ? message.slice(beginning.length) : null;

/** The last counts: a name may be like anything. */
function splitAtLast(text: string, middle: string): [before: string, after: string] | null {
  const at = text.lastIndexOf(middle);
  return at < 0 ? null : [text.slice(0, at), text.slice(at + middle.length)];
}

const SIDES = ['just above', 'just below', 'above', 'below'];

function sayStoredValue(message: string, severity: string, language: Language): string | null {
  for (const side of SIDES) {
    const found = splitAtLast(message, ` is ${side} the ${severity} limit of `);
    if (!found) continue;
    const [reading, limit] = found.map((part) => withNumbers(part, language)) as [string, string];
    return sayBeyond({ reading, side, severity, limit }, language);
  }
  return null;
}

function sayStoredDeviation(message: string, severity: string, language: Language): string | null {
  const found = splitAtLast(message, `, beyond the ${severity} limit of `);
  if (!found) return null;
  const [deviation, limit] = [found[0], withNumbers(found[1], language)];
  const { say } = language;
  const name = deviation.endsWith(' is at its setpoint') ? splitAtLast(deviation, ' is ')?.[0] : undefined;
  if (name !== undefined)
    return say(
      '{name} is at its setpoint, beyond the {severity, select, critical {critical} other {warning}} limit of {limit}',
      { name, severity, limit },
    );
  for (const side of ['above', 'below']) {
    const parts = splitAtLast(deviation, ` ${side} its setpoint`);
    const of = parts && splitAtLast(parts[0], ' is ');
    if (!of) continue;
    return say(
      '{name} is {distance} {side, select, above {above} other {below}} its setpoint, beyond the {severity, select, critical {critical} other {warning}} limit of {limit}',
      { name: of[0], distance: withNumbers(of[1], language), side, severity, limit },
    );
  }
  return null;
}

/** The last number of it, as its reader writes it: `Probe 2 −71.2 °C` becomes `Probe 2 −71,2 °C`. */
export function withNumbers(text: string, language: Language): string {
  const words = text.split(' ');
  const at = words.findLastIndex((word) => /^[−-]?(0|[1-9]\d{0,19})(\.\d{1,6})?$/.test(word));
  if (at < 0) return text;
  return words.with(at, language.number(Number((words[at] ?? '').replace('−', '-')), 6)).join(' ');
}
