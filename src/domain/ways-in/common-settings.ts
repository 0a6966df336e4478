// What an administrator may say of every source, whatever it speaks.
import { message } from '../language/message.ts';
import { LONGEST_NAME } from '../names.ts';
import { isStorable } from '../storable-text.ts';
import {
  byChannel,
  names,
  numbers,
  oneOf,
  type ReadSetting,
  readNumber,
  readObject,
  type SettingReaders,
} from './read-settings.ts';
import { UNITS, type Unit } from './units.ts';

/** Whose clock says when a reading was taken: the device's, the network's that carried it, or ours when it came in. */
export const CLOCKS = ['device', 'network', 'receipt'] as const;
export type SourceClock = (typeof CLOCKS)[number];

export interface CommonSettings {
  clock?: SourceClock;
  /** By channel; what comes in °F or K is kept in °C. */
  units?: Record<string, Unit>;
  /** States that mean the opposite, such as a contact that opens in case of an alarm. */
  invert?: string[];
  /** By channel: the device of its own that it becomes (`#1`), and its name there (`#1 humidity`). */
  split?: Record<string, string>;
  /** Channels that nobody needs. */
  ignore?: string[];
  /** By channel: what its probe says in the place of a value, as it is sent. */
  faults?: Record<string, FaultRule>;
}

export interface FaultRule {
  below?: number;
  above?: number;
  exactly?: number[];
}

export const isFaultBy = (rule: FaultRule, value: number): boolean =>
  value < (rule.below ?? Number.NEGATIVE_INFINITY) ||
  value > (rule.above ?? Number.POSITIVE_INFINITY) ||
  rule.exactly?.includes(value) === true;

const SPLIT = /^#\S{1,40}( \S.*)?$/;
const split: ReadSetting = (value, path, faults) => {
  if (typeof value !== 'string' || !SPLIT.test(value) || value.length > LONGEST_NAME || !isStorable(value))
    faults.push({ path, message: message('must be such as "#1", or "#1 humidity"') });
};
const faultRule: ReadSetting = (value, path, faults) =>
  readObject({ below: readNumber, above: readNumber, exactly: numbers }, [], value, path, faults);

export const COMMON_SETTINGS: SettingReaders<CommonSettings> = {
  clock: oneOf(CLOCKS),
  units: byChannel(oneOf(UNITS)),
  invert: names,
  split: byChannel(split),
  ignore: names,
  faults: byChannel(faultRule),
};
