// Where in a body of any JSON devices, times and values stand.
import { message } from '../language/message.ts';
import { LONGEST_NAME } from '../names.ts';
import {
  byChannel,
  flag,
  oneOf,
  type ReadSetting,
  readObject,
  type SettingReaders,
  text,
} from './read-settings.ts';
import { UNITS, type Unit } from './units.ts';

export interface MappingSettings {
  mapping?: Mapping;
}

/** Paths are JSON Pointers into the item; `^` in front counts from the top of the body. */
export interface Mapping {
  /** The items, with `*` for each; the whole body when left out. */
  each?: string;
  /** `key:*` is the key that the item was found under, `topic:2` a level of the topic it came under. */
  device: string;
  time?: { path: string; format?: string };
  values?: Record<string, MappedValue>;
  /** Bytes for the codec of the source, and the port that they came by. */
  payload?: { path: string; encoding?: 'hex' | 'base64'; port?: string };
  /** `take`: every other number and truth of the item is a channel too. */
  rest?: 'take' | 'ignore';
}

export type MappedValue =
  | string
  | {
      path: string;
      /** A piece of a text: by what it is divided, and which one. */
      part?: [divider: string, place: number];
      /** A number that comes as text. */
      number?: boolean;
      from?: Unit;
    };

const POINTER = /^\^?(\/[^/]*)*$/;
const pointer: ReadSetting = (value, path, faults) => {
  if (typeof value !== 'string' || !POINTER.test(value) || value.length > LONGEST_NAME)
    faults.push({ path, message: message('must be a place such as /data/temperature') });
};
const place: ReadSetting = (value, path, faults) => {
  if (value !== 'key:*' && !/^topic:\d{1,2}$/.test(String(value))) pointer(value, path, faults);
};
const part: ReadSetting = (value, path, faults) => {
  const [divider, which] = Array.isArray(value) ? value : [];
  const isPart = typeof divider === 'string' && divider !== '' && Number.isInteger(which) && which >= 0;
  if (!isPart) faults.push({ path, message: message('must be such as ["|", 0]') });
};
const mapped: ReadSetting = (value, path, faults) => {
  if (typeof value === 'string') return place(value, path, faults);
  readObject({ path: place, part, number: flag, from: oneOf(UNITS) }, ['path'], value, path, faults);
};
const time: ReadSetting = (value, path, faults) =>
  readObject({ path: pointer, format: text }, ['path'], value, path, faults);
const payload: ReadSetting = (value, path, faults) =>
  readObject(
    { path: pointer, encoding: oneOf(['hex', 'base64']), port: pointer },
    ['path'],
    value,
    path,
    faults,
  );
const mapping: ReadSetting = (value, path, faults) =>
  readObject(
    {
      each: pointer,
      device: place,
      time,
      values: byChannel(mapped),
      payload,
      rest: oneOf(['take', 'ignore']),
    },
    ['device'],
    value,
    path,
    faults,
  );

export const MAPPING_SETTINGS: SettingReaders<MappingSettings> = { mapping };
