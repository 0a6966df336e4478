// Any JSON, read by the places an administrator names: JSON Pointers, `*` for each, `^` for what counts from the top.
// `topic:2` is a level of the topic that a message of MQTT came under, counted from 0.

import type { Instant } from '../instant.ts';
import { JSON_REFUSALS, parseInPieces } from '../json/parse-in-pieces.ts';
import { message } from '../language/message.ts';
import { fault } from '../readings/refused.ts';
import { MOST_ENTRIES, type PostFault } from '../readings/telemetry.ts';
import { CODEC_SETTINGS, type CodecSettings, readBase64, readHex } from './codec.ts';
import { type Gathering, openGathering, type WayPost } from './gather-readings.ts';
import { readMappedTime } from './mapped-time.ts';
import { readMappedValue } from './mapped-value.ts';
import {
  MAPPING_SETTINGS,
  type MappedValue,
  type Mapping,
  type MappingSettings,
} from './mapping-settings.ts';
import type { WayOfOthers, WayRules } from './way-in.ts';
import { addAll, addInPieces, timeAt } from './webhook-body.ts';

export type JsonSettings = MappingSettings & CodecSettings;

export const JSON_SETTINGS = { ...MAPPING_SETTINGS, ...CODEC_SETTINGS };

export const json: WayOfOthers<JsonSettings, object> = {
  settings: JSON_SETTINGS,
  isRadio: false,
  read: (body, _, rules) => readMapped(body, rules),
  tryOut: (body, _, rules) => readMapped(body, rules),
};

/** One of those that `each` names, with the key it was found under. */
interface Item {
  value: unknown;
  key: string;
}

/** Looked at in one post, all items and all lines of the mapping together. */
export const MOST_PLACES = 1_000_000;
/** So many are looked at in one go. */
const PIECE_PLACES = 5_000;

const UTF8 = new TextDecoder('utf-8');

/** Stops after each piece, so that others can be answered. */
export function* readMapped(
  body: Uint8Array,
  { settings, receivedAt, topic }: WayRules<JsonSettings> & { topic?: string },
): Generator<void, WayPost | PostFault> {
  const gathering = openGathering(settings, receivedAt, 'device');
  const { mapping } = settings;
  const parsed = yield* parseInPieces(body);
  // A message of MQTT may be a bare word.
  const isWord = !parsed.ok && parsed.refusal === 'no_json' && topic !== undefined;
  if (!parsed.ok && !isWord) gathering.refuse(0, JSON_REFUSALS[parsed.refusal]);
  else if (!mapping) gathering.refuse(0, fault(message('the source has no mapping yet')));
  if ((!parsed.ok && !isWord) || !mapping) return gathering.post;
  const root = parsed.ok ? parsed.value : UTF8.decode(body);
  const items = yield* findEach(root, mapping.each ?? '');
  if (items.length > MOST_ENTRIES) return 'too_many';
  if (items.length === 0)
    gathering.refuse(0, fault(message('there is nothing at {path}'), { path: mapping.each ?? '' }));
  const take = openTaking(gathering, {
    settings,
    mapping,
    root,
    levels: topic?.split('/') ?? [],
    receivedAt,
  });
  let pieceEnd = PIECE_PLACES;
  for (const [index, item] of items.entries()) {
    const places = yield* take(item, index);
    const surplus = gathering.findSurplus();
    if (surplus) return surplus;
    if (places > MOST_PLACES) {
      gathering.refuse(
        index,
        fault(message('nothing was read after it: {most} places are looked at in one post'), {
          most: MOST_PLACES,
        }),
      );
      return gathering.post;
    }
    if (places < pieceEnd) continue;
    pieceEnd = places + PIECE_PLACES;
    yield;
  }
  return gathering.post;
}

interface Taking {
  settings: WayRules<JsonSettings>['settings'];
  mapping: Mapping;
  root: unknown;
  levels: readonly string[];
  receivedAt: Instant;
}

/** Takes one item after the other, and answers with how many places it has looked at. */
function openTaking(gathering: Gathering, { settings, mapping, root, levels, receivedAt }: Taking) {
  let places = 0;
  const find = (path: string): ((item: Item) => unknown) => {
    const level = findLevel(levels, path);
    if (level !== undefined) return () => level;
    if (path === 'key:*') return ({ key }) => key;
    if (path.startsWith(TOPIC)) return () => undefined;
    const steps = readPointer(path);
    const follow = (from: unknown): unknown => {
      let value = from;
      for (const step of steps) {
        places += 1;
        value = stepInto(value, step);
        if (value === undefined) break;
      }
      return value;
    };
    if (!path.startsWith('^')) return ({ value }) => follow(value);
    const found = follow(root);
    return () => found;
  };
  const values = Object.entries(mapping.values ?? {}).map(([name, rule]) => ({
    channel: findLevel(levels, name) ?? name,
    read: openValue(rule, find, (text) => {
      places += text.length / CHARACTERS_A_PLACE;
    }),
  }));
  const deviceOf = find(mapping.device);
  const timeOf = mapping.time && find(mapping.time.path);
  const isNamed = openRest(mapping);
  const takePayload = openPayload(gathering, { settings, mapping, receivedAt, find });
  return function* (item: Item, index: number): Generator<void, number> {
    places += 1 + values.length;
    const device = deviceOf(item);
    if (typeof device !== 'string' && typeof device !== 'number') {
      gathering.refuse(index, fault(message('there is no device at {path}'), { path: mapping.device }));
      return places;
    }
    const deviceAt = timeOf ? readMappedTime(timeOf(item), mapping.time?.format ?? 'iso') : null;
    if (mapping.time && deviceAt === null && settings.clock !== 'receipt')
      gathering.refuse(
        index,
        fault(message('the time at {path} cannot be read; that of receipt was taken'), {
          path: mapping.time.path,
        }),
      );
    if (!gathering.begin({ index, device: String(device), deviceAt, networkAt: null })) return places;
    for (const { channel, read } of values) {
      const value = read(item);
      if (value !== undefined) gathering.add(channel, value);
    }
    if (mapping.rest === 'take') {
      const add = (channel: string, inner: unknown) => {
        places += 1;
        const isReading = typeof inner === 'number' || typeof inner === 'boolean';
        if (isReading && !isNamed(channel)) gathering.add(channel, inner);
      };
      yield* addInPieces({ ...gathering, add }, item.value);
    }
    takePayload?.({ item, index, device: String(device), deviceAt });
    return places;
  };
}

/** A text that is taken apart costs as much as a place for so many of its characters. */
const CHARACTERS_A_PLACE = 16;

type Find = (path: string) => (item: Item) => unknown;

/** What counts from the top is the same for all items, and read once. */
function openValue(rule: MappedValue, find: Find, cost: (text: string) => void): (item: Item) => unknown {
  const { path, ...how } = typeof rule === 'string' ? { path: rule } : rule;
  const at = find(path);
  const read = (item: Item) => {
    const value = at(item);
    if (typeof value === 'string') cost(value);
    return value === undefined ? undefined : readMappedValue(value, how);
  };
  if (!path.startsWith('^')) return read;
  const found = read({ value: undefined, key: '' });
  return () => found;
}

/** Whether another line of the mapping names it. */
function openRest(mapping: Mapping): (channel: string) => boolean {
  const named = new Set(
    [
      mapping.device,
      mapping.time?.path ?? '',
      ...Object.values(mapping.values ?? {}).map((rule) => (typeof rule === 'string' ? rule : rule.path)),
    ].map((path) => readPointer(path).join('.')),
  );
  return (channel) => named.has(channel);
}

interface Payload {
  item: Item;
  index: number;
  device: string;
  deviceAt: Instant | null;
}

/** Bytes are left to the codec of the source. */
function openPayload(
  gathering: Gathering,
  {
    settings,
    mapping,
    receivedAt,
    find,
  }: Pick<Taking, 'settings' | 'mapping' | 'receivedAt'> & { find: Find },
): ((payload: Payload) => void) | null {
  if (!mapping.payload || settings.codec === undefined) return null;
  const { path, encoding = 'base64', port } = mapping.payload;
  const bytesOf = find(path);
  const portOf = port === undefined ? () => 0 : find(port);
  return ({ item, index, device, deviceAt }) => {
    const bytes = encoding === 'hex' ? readHex(bytesOf(item)) : readBase64(bytesOf(item));
    if (!bytes)
      return gathering.refuse(index, fault(message('there is no {encoding} at {path}'), { encoding, path }));
    gathering.post.undecoded ??= [];
    gathering.post.undecoded.push({
      index,
      uplink: {
        bytes,
        fPort: Number(portOf(item) ?? 0) || 0,
        recvTime: deviceAt ?? receivedAt,
        variables: {},
      },
      take(payloads) {
        for (const { time, ...values } of payloads) {
          const measuredAt = timeAt(time);
          const sent = { index, device, deviceAt: measuredAt ?? deviceAt, networkAt: null };
          if (gathering.begin(payloads.length > 1 ? { ...sent, measuredAt } : sent))
            addAll(gathering, values);
        }
      },
    });
  };
}

/** `/a/b~1c`; the empty one is the whole. */
const readPointer = (path: string): string[] =>
  path
    .replace(/^\^/, '')
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

function* findEach(root: unknown, path: string): Generator<void, Item[]> {
  let items: Item[] = [{ value: root, key: '' }];
  for (const step of readPointer(path)) {
    const found: Item[] = [];
    for (const { value, key } of items) {
      if (step !== '*') {
        const inner = stepInto(value, step);
        if (inner !== undefined) found.push({ value: inner, key });
      } else if (Array.isArray(value))
        for (const [place, inner] of value.slice(0, MOST_ENTRIES + 1).entries())
          found.push({ value: inner, key: String(place) });
      else if (isNested(value)) for (const name of Object.keys(value)) found.push(toItem(value, name));
      if (found.length > MOST_ENTRIES) return found;
    }
    items = found;
    yield;
  }
  return items;
}

const toItem = (value: object, key: string): Item => ({
  value: (value as Record<string, unknown>)[key],
  key,
});

/** undefined: it names none, or there are fewer. */
function findLevel(levels: readonly string[], path: string): string | undefined {
  return path.startsWith(TOPIC) ? levels[Number(path.slice(TOPIC.length))] : undefined;
}

const TOPIC = 'topic:';

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const stepInto = (value: unknown, step: string): unknown =>
  isNested(value) && Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined;
