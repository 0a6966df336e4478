// What an administrator says about a source, in pages and in the lab file alike.
import { LONGEST_NAME } from '../names.ts';
import { ok, type Result, refuse } from '../result.ts';
import { isStorable } from '../storable-text.ts';
import { type MetricRules, readMetric } from './metric-rules.ts';
import { UNITS, type Unit } from './units.ts';

/** How a source speaks. `tocsin` is our own JSON. */
export const SOURCE_KINDS = [
  'tocsin',
  'influx',
  'chirpstack',
  'tts',
  'json',
  'prometheus',
  'otlp',
  'mqtt',
] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** Whose clock says when a reading was taken: the device's, the network's that carried it, or ours when it came in. */
export const CLOCKS = ['device', 'network', 'receipt'] as const;
export type SourceClock = (typeof CLOCKS)[number];

/** In the words of the lab file. All of it may be left out. */
export interface SourceSettings {
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
  /** InfluxDB: the tag that names the device. */
  device_tag?: string;
  /** InfluxDB: channels are called measurement.field. */
  prefix_measurement?: boolean;
  /** Prometheus and OpenTelemetry: which metrics are channels. */
  metrics?: MetricRules;
  /** Prometheus and OpenTelemetry: the label or attribute that names the device. */
  device_label?: string;
  /** Decodes payloads that came as they are. */
  codec?: string;
  /** The Things Stack: where it stores messages, for those that were missed. */
  storage?: StorageSettings;
  /** Any JSON: where in it devices, times and values stand. */
  mapping?: Mapping;
}

export interface StorageSettings {
  /** Such as https://eu1.cloud.thethings.network. */
  url: string;
  application: string;
  key: string;
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

export interface SettingsFault {
  /** As in `units.temperature`. */
  path: string;
  message: string;
}

type Read = (value: unknown, path: string, faults: SettingsFault[]) => void;

const MOST_LISTED = 500;
const LONGEST_METRIC = 1_000;
const LONGEST_CODEC = 64 * 1024;
const SPLIT = /^#\S{1,40}( \S.*)?$/;

const text: Read = (value, path, faults) => {
  const isName =
    typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_NAME && isStorable(value);
  if (!isName) faults.push({ path, message: 'must be a name' });
};
const flag: Read = (value, path, faults) => {
  if (typeof value !== 'boolean') faults.push({ path, message: 'must be true or false' });
};
const oneOf =
  (words: readonly string[]): Read =>
  (value, path, faults) => {
    if (!words.includes(value as string))
      faults.push({ path, message: `must be one of ${words.join(', ')}` });
  };
const split: Read = (value, path, faults) => {
  if (typeof value !== 'string' || !SPLIT.test(value) || value.length > LONGEST_NAME || !isStorable(value))
    faults.push({ path, message: 'must be such as "#1", or "#1 humidity"' });
};
const names: Read = (value, path, faults) => {
  if (!Array.isArray(value) || value.length > MOST_LISTED)
    faults.push({ path, message: 'must be a list of channels' });
  else for (const [index, one] of value.entries()) text(one, `${path}[${index}]`, faults);
};
const byChannel =
  (read: Read): Read =>
  (value, path, faults) => {
    if (!isObject(value) || Object.keys(value).length > MOST_LISTED)
      faults.push({ path, message: 'must be a mapping of channels' });
    else for (const [name, one] of Object.entries(value)) read(one, `${path}.${name}`, faults);
  };

const codec: Read = (value, path, faults) => {
  if (typeof value !== 'string' || value.trim() === '' || !isStorable(value))
    faults.push({ path, message: 'must be the text of a codec' });
  else if (new TextEncoder().encode(value).length > LONGEST_CODEC)
    faults.push({ path, message: `may be at most ${LONGEST_CODEC / 1024} KB` });
};
const isMetric = (name: string): boolean => name.length <= LONGEST_METRIC && readMetric(name) !== null;
const metrics: Read = (value, path, faults) => {
  const names = Array.isArray(value) ? value : isObject(value) ? Object.keys(value) : null;
  if (!names || names.length > MOST_LISTED)
    return faults.push({ path, message: 'must be a list of metrics, or a mapping of metrics to channels' });
  for (const name of names)
    if (typeof name !== 'string' || !isMetric(name))
      faults.push({ path, message: `${JSON.stringify(name)} is no metric such as temp or temp{probe="1"}` });
  if (isObject(value)) for (const [name, one] of Object.entries(value)) text(one, `${path}.${name}`, faults);
};
const number: Read = (value, path, faults) => {
  if (typeof value !== 'number' || !Number.isFinite(value))
    faults.push({ path, message: 'must be a number' });
};
const numbers: Read = (value, path, faults) => {
  if (!Array.isArray(value) || value.length > MOST_LISTED)
    faults.push({ path, message: 'must be a list of numbers' });
  else for (const [index, one] of value.entries()) number(one, `${path}[${index}]`, faults);
};
const faultRule: Read = (value, path, faults) =>
  readObject({ below: number, above: number, exactly: numbers }, [], value, path, faults);

const POINTER = /^\^?(\/[^/]*)*$/;
const pointer: Read = (value, path, faults) => {
  if (typeof value !== 'string' || !POINTER.test(value) || value.length > LONGEST_NAME)
    faults.push({ path, message: 'must be a place such as /data/temperature' });
};
const place: Read = (value, path, faults) => {
  if (value !== 'key:*' && !/^topic:\d{1,2}$/.test(String(value))) pointer(value, path, faults);
};
const part: Read = (value, path, faults) => {
  const [divider, which] = Array.isArray(value) ? value : [];
  const isPart = typeof divider === 'string' && divider !== '' && Number.isInteger(which) && which >= 0;
  if (!isPart) faults.push({ path, message: 'must be such as ["|", 0]' });
};
const mapped: Read = (value, path, faults) => {
  if (typeof value === 'string') return place(value, path, faults);
  readObject({ path: place, part, number: flag, from: oneOf(UNITS) }, ['path'], value, path, faults);
};
const time: Read = (value, path, faults) =>
  readObject({ path: pointer, format: text }, ['path'], value, path, faults);
const payload: Read = (value, path, faults) =>
  readObject(
    { path: pointer, encoding: oneOf(['hex', 'base64']), port: pointer },
    ['path'],
    value,
    path,
    faults,
  );
const address: Read = (value, path, faults) => {
  const { protocol } = typeof value === 'string' && URL.canParse(value) ? new URL(value) : { protocol: '' };
  if (protocol !== 'https:' && protocol !== 'http:')
    faults.push({ path, message: 'must be an address such as https://eu1.cloud.thethings.network' });
};
const KEY = /^[\x21-\x7e]{1,300}$/;
const key: Read = (value, path, faults) => {
  if (typeof value !== 'string' || !KEY.test(value)) faults.push({ path, message: 'must be an API key' });
};
const storage: Read = (value, path, faults) =>
  readObject({ url: address, application: text, key }, ['url', 'application', 'key'], value, path, faults);
const mapping: Read = (value, path, faults) =>
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

function readObject(
  readers: Record<string, Read>,
  required: string[],
  value: unknown,
  path: string,
  faults: SettingsFault[],
): void {
  if (!isObject(value)) {
    faults.push({ path, message: 'must be a mapping' });
    return;
  }
  for (const key of required)
    if (!Object.hasOwn(value, key)) faults.push({ path: `${path}.${key}`, message: 'is missing' });
  for (const [key, inner] of Object.entries(value)) {
    const read = Object.hasOwn(readers, key) ? readers[key] : null;
    if (read) read(inner, `${path}.${key}`, faults);
    else
      faults.push({
        path: `${path}.${key}`,
        message: `is no setting: there are ${Object.keys(readers).join(', ')}`,
      });
  }
}

const READERS: Record<keyof SourceSettings, Read> = {
  clock: oneOf(CLOCKS),
  units: byChannel(oneOf(UNITS)),
  invert: names,
  split: byChannel(split),
  ignore: names,
  faults: byChannel(faultRule),
  device_tag: text,
  prefix_measurement: flag,
  metrics,
  device_label: text,
  codec,
  storage,
  mapping,
};

export function readSourceSettings(given: unknown): Result<SourceSettings, SettingsFault[]> {
  if (given === null || given === undefined) return ok({});
  if (!isObject(given)) return refuse([{ path: '', message: 'must be a mapping' }]);
  const faults: SettingsFault[] = [];
  for (const [key, value] of Object.entries(given)) {
    const read = Object.hasOwn(READERS, key) ? READERS[key as keyof SourceSettings] : null;
    if (read) read(value, key, faults);
    else faults.push({ path: key, message: `is no setting: there are ${Object.keys(READERS).join(', ')}` });
  }
  return faults.length > 0 ? refuse(faults) : ok(given as SourceSettings);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
