// What all readers of other formats share: whose clock counts, what a value means, which device and channel it belongs to.
import type { Instant } from '../instant.ts';
import { type Refused, said } from '../readings/refused.ts';
import {
  FUTURE_MS,
  isName,
  MOST_ENTRIES,
  MOST_READINGS,
  MOST_VALUES,
  type PostFault,
  type Rejection,
  type TelemetryEntry,
} from '../readings/telemetry.ts';
import { readWord } from '../readings/value-words.ts';
import { type CommonSettings, isFaultBy, type SourceClock } from './common-settings.ts';
import type { Undecoded } from './undecoded.ts';
import { isTemperature, nameKept, toCelsius } from './units.ts';

/** What a reader makes of a body. */
export interface WayPost {
  /** One that holds faults alone has no values. */
  entries: TelemetryEntry[];
  rejected: Rejection[];
  /** Keys of devices that said a time nobody can believe. */
  suspects: Set<string>;
  /** What those who look after the source should know, though it is no error. */
  notes?: Refused[];
  /** Payloads that need the codec of their source. */
  undecoded?: Undecoded[];
  /** Entries whose own time does not count. `settle-times.ts` gives them one when all of the post is read. */
  unsettled?: Unsettled[];
  /** How many came that were not refused, taken or not; for protocols that ask. */
  counted?: { samples: number; histograms: number; exemplars: number };
}

export interface Unsettled {
  entry: TelemetryEntry;
  /** null: it says none. */
  saidAt: Instant | null;
  /** When its message was heard, by a clock that counts; left out: when the post came. */
  heardAt?: Instant;
}

interface Sent {
  index: number;
  device: string;
  /** When the device says that it measured, and when the network heard it; null: they say nothing. */
  deviceAt: Instant | null;
  networkAt: Instant | null;
  /** One of several measurements in a message: what it says itself. Left out: it is the only one. */
  measuredAt?: Instant | null;
  /** What it is, where the network says so. */
  model?: unknown;
}

export interface Gathering {
  post: WayPost;
  /** What follows was measured by this device; false: it is none, and refused. */
  begin(sent: Sent): boolean;
  /** In the unit that the sender declares; the settings know better. */
  add(channel: string, value: unknown, unit?: string): void;
  /** A text says what is wrong by the grammar of a format. */
  refuse(index: number, why: Refused | string): void;
  /** Whatever else is added to the current one is left out. */
  isFull(): boolean;
  /** What there is too much of, once there is. */
  findSurplus(): PostFault | null;
}

const NO_VALUES = Object.freeze<TelemetryEntry['values']>([]) as TelemetryEntry['values'];
const EARLIEST: Instant = Date.UTC(2020, 0, 1);
/** Of a channel that became a device of its own and got no name. */
const SPLIT_CHANNEL = 'temperature';

export function openGathering(
  settings: CommonSettings,
  receivedAt: Instant,
  usualClock: SourceClock,
): Gathering {
  const post: WayPost = { entries: [], rejected: [], suspects: new Set() };
  const clock = settings.clock ?? usualClock;
  const ignored = setOf(settings.ignore);
  const inverted = setOf(settings.invert);
  const faultRules = mapOf(settings.faults);
  const units = mapOf(settings.units);
  const splits = settings.split ? readSplits(settings.split) : NONE;
  const good = new Set<string>();
  let current: TelemetryEntry | null = null;
  /** Of the current one: its time, if that does not count; null: it does. */
  let unsettled: Omit<Unsettled, 'entry'> | null = null;
  /** Those that the current one was split into. */
  let parts: Map<string, TelemetryEntry> | null = null;
  /** The last one that was full. */
  let full: TelemetryEntry | null = null;
  let entries = 0;
  let readings = 0;

  const refuse = (index: number, why: Refused | string) => {
    readings += 1;
    post.rejected.push({ index, why: typeof why === 'string' ? said(why) : why });
  };
  /** Once for all that is too much of an entry; the rest costs as much as if it were taken. */
  const refuseSurplus = (entry: TelemetryEntry) => {
    readings += 1;
    if (full === entry) return;
    full = entry;
    refuse(entry.index, { code: 'too_many_values', most: MOST_VALUES });
  };
  const open = (index: number, device: string, at: Instant): TelemetryEntry => {
    const entry: TelemetryEntry = { index, target: { device }, at, values: NO_VALUES };
    post.entries.push(entry);
    if (unsettled) {
      post.unsettled ??= [];
      post.unsettled.push({ entry, ...unsettled });
    }
    return entry;
  };
  /** null: none that counts. */
  const findTime = ({ deviceAt, networkAt, device }: Sent): Instant | null => {
    if (clock === 'receipt') return null;
    const at = clock === 'device' ? (deviceAt ?? networkAt) : networkAt;
    if (at === null || (at >= EARLIEST && at <= receivedAt + FUTURE_MS)) return at;
    post.suspects.add(device);
    return null;
  };
  const chooseTime = (sent: Sent): Instant => {
    const { deviceAt, networkAt, measuredAt } = sent;
    const at = findTime(sent);
    if (at === null) unsettled = { saidAt: measuredAt ?? deviceAt ?? networkAt };
    else if (measuredAt !== undefined && measuredAt !== at) unsettled = { saidAt: measuredAt, heardAt: at };
    else unsettled = null;
    return at ?? receivedAt;
  };
  const partFor = (entry: TelemetryEntry, suffix: string): TelemetryEntry => {
    const device = `${(entry.target as { device: string }).device}${suffix}`;
    parts ??= new Map();
    const part = parts.get(device) ?? open(entry.index, device, entry.at);
    if (entry.model !== undefined) part.model = entry.model;
    parts.set(device, part);
    return part;
  };

  return {
    post,
    refuse,
    isFull: () => full !== null && full === current,
    findSurplus: () => {
      if (entries > MOST_ENTRIES) return 'too_many';
      return readings > MOST_READINGS ? 'too_many_readings' : null;
    },
    begin(sent) {
      entries += 1;
      current = null;
      parts = null;
      if (!isName(sent.device)) {
        refuse(sent.index, { code: 'device_no_text' });
        return false;
      }
      current = open(sent.index, sent.device.trim(), chooseTime(sent));
      if (typeof sent.model === 'string' && isName(sent.model)) current.model = sent.model.trim();
      return true;
    },
    add(sentChannel, sentValue, unit) {
      if (!current || ignored.has(sentChannel)) return;
      let value = sentValue;
      if (typeof value === 'string') value = readWord(value);
      // Text, lists and the like say nothing; an empty place says that there should be a value.
      else if (value === null) value = 'fault';
      if (value === null || value === undefined || typeof value === 'object') return;

      const rule = splits.get(sentChannel);
      const channel = rule?.channel ?? sentChannel;
      const entry = rule ? partFor(current, rule.suffix) : current;
      if (entry.values.length + (entry.faults?.length ?? 0) >= MOST_VALUES) return refuseSurplus(entry);
      if (!good.has(channel)) {
        if (!isName(channel) || channel === 'default')
          return refuse(current.index, { code: 'bad_name', channel });
        good.add(channel);
      }
      readings += 1;
      if (value === 'fault' || (typeof value === 'number' && isFault(sentChannel, value))) {
        entry.faults ??= [];
        entry.faults.push(channel);
        return;
      }
      const isState = typeof value === 'boolean' || typeof sentValue === 'string';
      const said = units.get(sentChannel) ?? unit;
      const reading: TelemetryEntry['values'][number] = [
        channel,
        convert(sentChannel, Number(value), said),
        isState,
      ];
      // Most entries hold one value, and a list that is made with it takes no more room than that.
      if (entry.values.length === 0) entry.values = [reading];
      else entry.values.push(reading);
      const kept = said === undefined || isState ? null : nameKept(said);
      if (kept !== null) entry.units = ((entry.units as Map<string, string>) ?? new Map()).set(channel, kept);
    },
  };

  function isFault(channel: string, value: number): boolean {
    if (!Number.isFinite(value)) return true;
    const rule = faultRules.get(channel);
    return rule !== undefined && isFaultBy(rule, value);
  }

  function convert(channel: string, value: number, unit: string | undefined): number {
    if (unit !== undefined && isTemperature(unit)) return toCelsius(value, unit);
    return inverted.has(channel) && (value === 0 || value === 1) ? 1 - value : value;
  }
}

/** Most sources have no such settings, and a message of MQTT is a gathering of its own. */
const NONE: ReadonlyMap<string, never> = new Map<string, never>();
const NOBODY: ReadonlySet<string> = new Set();

const setOf = (names: readonly string[] | undefined): ReadonlySet<string> =>
  names ? new Set(names) : NOBODY;

const mapOf = <Value>(rules: Record<string, Value> | undefined): ReadonlyMap<string, Value> =>
  rules ? new Map(Object.entries(rules)) : NONE;

interface Split {
  suffix: string;
  channel: string;
}

const readSplits = (rules: Record<string, string>): ReadonlyMap<string, Split> =>
  new Map(Object.entries(rules).map(([name, rule]) => [name, readSplit(rule)]));

/** `#1 humidity` */
function readSplit(rule: string): Split {
  const [suffix = '', ...words] = rule.split(' ');
  return { suffix, channel: words.join(' ').trim() || SPLIT_CHANNEL };
}
