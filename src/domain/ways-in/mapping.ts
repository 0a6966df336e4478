// Any JSON, read by the places an administrator names: JSON Pointers, `*` for each, `^` for what counts from the top.
// `topic:2` is a level of the topic that a message of MQTT came under, counted from 0.
import type { Instant } from '../judging/judge.ts';
import { MOST_ENTRIES, type PostFault, readTime } from '../readings/telemetry.ts';
import { readBase64, readHex } from './codec.ts';
import { openGathering, type WayPost } from './gather-readings.ts';
import type { MappedValue, Mapping, SourceSettings } from './source-settings.ts';
import { readByFormat } from './time-format.ts';
import { toCelsius } from './units.ts';
import { addAll, parseJson, parseWord, sayNoJson, timeAt } from './webhook-body.ts';

/** One of those that `each` names, with the key it was found under. */
interface Item {
  value: unknown;
  key: string;
}

export function readMapped(
  text: string,
  { settings, receivedAt, topic }: { settings: SourceSettings; receivedAt: Instant; topic?: string },
): WayPost | PostFault {
  const gathering = openGathering(settings, receivedAt, 'device');
  const root = topic === undefined ? parseJson(text) : parseWord(text);
  const levels = topic?.split('/') ?? [];
  const { mapping } = settings;
  if (root === undefined) gathering.refuse(0, sayNoJson(text));
  else if (!mapping) gathering.refuse(0, 'the source has no mapping yet');
  if (root === undefined || !mapping) return gathering.post;
  const items = findEach(root, mapping.each ?? '');
  if (items.length > MOST_ENTRIES) return 'too_many';
  if (items.length === 0) gathering.refuse(0, `there is nothing at ${mapping.each}`);
  for (const [index, item] of items.entries()) {
    const at = (path: string) => findLevel(levels, path) ?? findAt(root, item, path);
    const device = at(mapping.device);
    if (typeof device !== 'string' && typeof device !== 'number') {
      gathering.refuse(index, `there is no device at ${mapping.device}`);
      continue;
    }
    const deviceAt = mapping.time
      ? readMappedTime(at(mapping.time.path), mapping.time.format ?? 'iso')
      : null;
    if (mapping.time && deviceAt === null && settings.clock !== 'receipt')
      gathering.refuse(index, `the time at ${mapping.time.path} cannot be read; that of receipt was taken`);
    if (!gathering.begin({ index, device: String(device), deviceAt, networkAt: null })) continue;
    for (const [channel, rule] of Object.entries(mapping.values ?? {})) {
      const { path, ...how } = typeof rule === 'string' ? { path: rule } : rule;
      const value = at(path);
      if (value !== undefined) gathering.add(findLevel(levels, channel) ?? channel, readValue(value, how));
    }
    if (mapping.rest === 'take') addRest(gathering, item.value, mapping);
    if (mapping.payload && settings.codec !== undefined) {
      const { path, encoding = 'base64', port } = mapping.payload;
      const bytes = encoding === 'hex' ? readHex(at(path)) : readBase64(at(path));
      if (!bytes) {
        gathering.refuse(index, `there is no ${encoding} at ${path}`);
        continue;
      }
      gathering.post.undecoded ??= [];
      gathering.post.undecoded.push({
        index,
        uplink: {
          bytes,
          fPort: port === undefined ? 0 : Number(at(port) ?? 0) || 0,
          recvTime: deviceAt ?? receivedAt,
          variables: {},
        },
        take(payloads) {
          for (const { time, ...values } of payloads) {
            const measuredAt = timeAt(time);
            const sent = {
              index,
              device: String(device),
              deviceAt: measuredAt ?? deviceAt,
              networkAt: null,
            };
            if (gathering.begin(payloads.length > 1 ? { ...sent, measuredAt } : sent))
              addAll(gathering, values);
          }
        },
      });
    }
    const surplus = gathering.findSurplus();
    if (surplus) return surplus;
  }
  return gathering.post;
}

/** Whatever no other line of the mapping names. */
function addRest(gathering: Parameters<typeof addAll>[0], value: unknown, mapping: Mapping): void {
  const named = [
    mapping.device,
    mapping.time?.path ?? '',
    ...Object.values(mapping.values ?? {}).map((rule) => (typeof rule === 'string' ? rule : rule.path)),
  ].map((path) => readPointer(path).join('.'));
  const known = new Set(named);
  addAll(
    {
      ...gathering,
      add(channel, inner) {
        const isReading = typeof inner === 'number' || typeof inner === 'boolean';
        if (isReading && !known.has(channel)) gathering.add(channel, inner);
      },
    },
    value,
  );
}

function readValue(
  value: unknown,
  { part, number, from }: Omit<Exclude<MappedValue, string>, 'path'>,
): unknown {
  const [divider, place] = part ?? [];
  const piece =
    divider !== undefined && typeof value === 'string' ? (value.split(divider)[place ?? 0] ?? null) : value;
  const read = number && typeof piece === 'string' ? readNumber(piece) : piece;
  return from && typeof read === 'number' ? toCelsius(read, from) : read;
}

/** A text that is no number is left as it is: it may be a word for a state, or for a fault. */
const readNumber = (text: string): unknown =>
  /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : text;

const UNITS_PER_MS: Record<string, number> = { s: 1 / 1_000, ms: 1, us: 1_000, ns: 1_000_000 };

/** null: it cannot be read. */
export function readMappedTime(value: unknown, format: string): Instant | null {
  const unit = UNITS_PER_MS[format];
  if (unit !== undefined) {
    const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof count === 'number' ? readTime(Math.floor(count / unit)) : null;
  }
  if (typeof value !== 'string') return null;
  return readTime(format === 'iso' ? value.trim().replace(' ', 'T') : (readByFormat(value, format) ?? ''));
}

/** `/a/b~1c`; the empty one is the whole. */
const readPointer = (path: string): string[] =>
  path
    .replace(/^\^/, '')
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

function findEach(root: unknown, path: string): Item[] {
  let items: Item[] = [{ value: root, key: '' }];
  for (const step of readPointer(path)) {
    items =
      step === '*'
        ? items.flatMap(({ value }) => (isNested(value) ? Object.entries(value).map(toItem) : []))
        : items.flatMap(({ value, key }) => {
            const inner = stepInto(value, step);
            return inner === undefined ? [] : [{ value: inner, key }];
          });
    if (items.length > MOST_ENTRIES) return items;
  }
  return items;
}

const toItem = ([key, value]: [string, unknown]): Item => ({ key, value });

/** undefined: it names none, or there are fewer. */
function findLevel(levels: readonly string[], path: string): string | undefined {
  return path.startsWith(TOPIC) ? levels[Number(path.slice(TOPIC.length))] : undefined;
}

const TOPIC = 'topic:';

function findAt(root: unknown, item: Item, path: string): unknown {
  if (path === 'key:*') return item.key;
  if (path.startsWith(TOPIC)) return undefined;
  return readPointer(path).reduce(stepInto, path.startsWith('^') ? root : item.value);
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const stepInto = (value: unknown, step: string): unknown =>
  isNested(value) && Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined;
