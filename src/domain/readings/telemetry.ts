// Reads a telemetry post; Contract, Telemetry: one object or an array of them. One bad entry never costs a good one.

import type { Instant } from '../instant.ts';
import { english } from '../language/english.ts';
import { LONGEST_NAME } from '../names.ts';
import { isStorable } from '../storable-text.ts';
import { type Refused, sayRefused } from './refused.ts';
import { readWord } from './value-words.ts';

export const MOST_ENTRIES = 10_000;
export const MOST_READINGS = 100_000;
export const MOST_VALUES = 500;
export const FUTURE_MS = 10 * 60_000;

export type Target = { device: string } | { serviceId: number };

export interface TelemetryEntry {
  index: number;
  target: Target;
  at: Instant;
  values: [channel: string, value: number, isBoolean: boolean][];
  /** Channels of which the device said that it cannot measure them. An entry may hold nothing else. */
  faults?: string[];
  /** By channel, in which unit it came; only what senders declare. */
  units?: ReadonlyMap<string, string>;
  /** Kept and never judged: something later of the same channel is. */
  isPast?: boolean;
  /** What the device is, where its network says so. */
  model?: string;
}

export interface Rejection {
  index: number;
  why: Refused;
}

/** As programs are answered. */
export const sayRejected = (rejected: readonly Rejection[]): { index: number; reason: string }[] =>
  rejected.map(({ index, why }) => ({ index, reason: sayRefused(why, english) }));

export interface TelemetryPost {
  entries: TelemetryEntry[];
  rejected: Rejection[];
}

/** A post that is read some entries at a time. */
export interface PostReader {
  post: TelemetryPost;
  /** What the post has too many of, once it has. */
  add(sent: readonly unknown[]): PostFault | null;
}

export type PostFault = 'too_many' | 'too_many_readings';

export function openPost(now: Instant): PostReader {
  const post: TelemetryPost = { entries: [], rejected: [] };
  let entries = 0;
  let readings = 0;
  return {
    post,
    add(sent) {
      if (entries + sent.length > MOST_ENTRIES) return 'too_many';
      for (const one of sent) {
        const index = entries;
        entries += 1;
        const rejectedBefore = post.rejected.length;
        const read = readEntry(one, index, now, post.rejected);
        if ('code' in read) post.rejected.push({ index, why: read });
        else if (holdsAnything(read)) post.entries.push(read);
        // Those that are rejected cost as much.
        readings += post.rejected.length - rejectedBefore + ('code' in read ? 0 : read.values.length);
        if (readings > MOST_READINGS) return 'too_many_readings';
      }
      return null;
    },
  };
}

export function readTelemetry(body: unknown, now: Instant): TelemetryPost | PostFault | 'not_a_post' {
  if (!Array.isArray(body) && !isObject(body)) return 'not_a_post';
  const { post, add } = openPost(now);
  return add(Array.isArray(body) ? body : [body]) ?? post;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The entry with its good values, or why there is none; each bad value is rejected on its own. */
function readEntry(
  sent: unknown,
  index: number,
  now: Instant,
  rejected: Rejection[],
): TelemetryEntry | Refused {
  if (!isObject(sent)) return { code: 'no_entry' };
  const target = readTarget(sent);
  if ('code' in target) return target;
  const at = sent.time === undefined || sent.time === null ? now : readTime(sent.time);
  if (at === null) return { code: 'bad_time' };
  if (at > now + FUTURE_MS) return { code: 'future_time' };
  if (!isObject(sent.values)) return { code: 'bad_values' };
  const names = Object.keys(sent.values);
  if (names.length > MOST_VALUES) return { code: 'too_many_values', most: MOST_VALUES };

  let values: TelemetryEntry['values'] = NONE;
  let faults: string[] | null = null;
  for (const name of names) {
    const value = sent.values[name];
    const fault = findValueFault(name, value);
    if (!fault) values = add(values, [name, Number(value), typeof value === 'boolean']);
    else {
      rejected.push({ index, why: { code: fault, channel: name } });
      if (!isProbeFault(value) || !isName(name)) continue;
      faults ??= [];
      faults.push(name);
    }
  }
  return faults ? { index, target, at, values, faults } : { index, target, at, values };
}

/** What is refused as a value says all the same that there should have been one. */
const isProbeFault = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'number' && !Number.isFinite(value)) ||
  (typeof value === 'string' && readWord(value) === 'fault');

export const holdsAnything = ({ values, faults }: TelemetryEntry): boolean =>
  values.length > 0 || faults !== undefined;

const NONE: TelemetryEntry['values'] = [];

/** Most entries hold one value, and a list that is made with it takes no more room than that. */
function add(
  values: TelemetryEntry['values'],
  value: TelemetryEntry['values'][number],
): TelemetryEntry['values'] {
  if (values.length === 0) return [value];
  values.push(value);
  return values;
}

function readTarget({ device, service_id: serviceId }: Record<string, unknown>): Target | Refused {
  if (device !== undefined && serviceId !== undefined) return { code: 'two_targets' };
  if (typeof device === 'string' && isName(device)) return { device: device.trim() };
  if (device !== undefined) return { code: 'bad_device' };
  if (typeof serviceId === 'number' && Number.isInteger(serviceId)) return { serviceId };
  return { code: serviceId === undefined ? 'no_target' : 'bad_service' };
}

/** Of a device or a channel. */
export const isName = (text: string): boolean =>
  text.length <= LONGEST_NAME && text.trim() !== '' && isStorable(text);

type ValueFault = 'bad_name' | 'reserved_name' | 'not_a_number' | 'not_finite';

function findValueFault(name: string, value: unknown): ValueFault | null {
  if (!isName(name)) return 'bad_name';
  // It stands for the limits of the whole service.
  if (name === 'default') return 'reserved_name';
  if (typeof value === 'boolean') return null;
  if (typeof value !== 'number') return 'not_a_number';
  return Number.isFinite(value) ? null : 'not_finite';
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i;
const EARLIEST: Instant = Date.UTC(1970, 0, 1);
const LATEST: Instant = Date.UTC(9999, 0, 1);

/** Without an offset it is UTC. */
export function readTime(time: unknown): Instant | null {
  const at =
    typeof time === 'number' ? Math.trunc(time) : typeof time === 'string' ? readIsoTime(time) : Number.NaN;
  return at >= EARLIEST && at < LATEST ? at : null;
}

function readIsoTime(text: string): Instant {
  const parts = ISO.exec(text);
  if (!parts) return Number.NaN;
  const hasOffset = parts[3] !== undefined;
  return Date.parse(
    hasOffset ? text.replace(',', '.').replace(/([+-]\d{2})(\d{2})$/, '$1:$2') : `${text.replace(',', '.')}Z`,
  );
}
