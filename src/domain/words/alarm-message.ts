// What an alarm says, in one sentence for lists, pages and messages alike.

import { formatMinute } from '../instant.ts';
import { type BandName, isHigh, severityOfBand } from '../judging/band.ts';
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

/** Contract, Alarms: a time inside a stale message is UTC. */
export const describeStale = ({ lastTelemetryAt, createdAt }: StaleService): string =>
  lastTelemetryAt
    ? `No data since ${formatMinute(lastTelemetryAt)}`
    : `No data received since ${formatMinute(createdAt)}`;

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

/** What people read where programs read the message: a true minus, and a state by its word (`Door open`). */
export function sayToPeople(message: string, channel: ToldChannel, value: number | null): string {
  const words = channel && findStateWords(channel);
  if (!words || (value !== 0 && value !== 1)) return withTrueMinus(message);
  const said = `${channel.label ?? channel.name} ${value === 0 ? words.off : words.on}`;
  return message.startsWith(`${NORMAL_AGAIN}: `) ? `${NORMAL_AGAIN}: ${said}` : said;
}
