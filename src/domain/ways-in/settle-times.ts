// When readings were taken whose own times do not count: the clock that said them is off, ours is to count, or none was said.
// The same post gets the same times, as long as it is said to have come at the same moment.
import type { Instant } from '../instant.ts';
import type { TelemetryEntry } from '../readings/telemetry.ts';
import type { Unsettled, WayPost } from './gather-readings.ts';

export interface Settled {
  /** Something in the post tells one moment from another. */
  saysTimes: boolean;
  /** So many milliseconds readings were moved back, for a channel has one at a time. */
  spanMs: number;
}

/** Devices whose newest times are no further apart go by one clock, and move together. */
const ONE_CLOCK_MS = 10 * 60_000;
/** What is older than this beside the newest of its device was said before the clock was set. */
const LONGEST_MS = 31 * 86_400_000;
const HOUR_MS = 3_600_000;
/** So much is done in one go, in readings. */
const PIECE = 1_000;

/** Readings of one device, in the order they came. */
interface Row {
  device: string;
  unsettled: Unsettled[];
  /** null: when the post came. */
  heardAt: Instant | null;
  /** By the clock that does not count; null: it tells nothing. */
  newestSaidAt: Instant | null;
}

/** The newest reading of each clock is at `newestAt`, and others keep their distance. Stops after each piece. */
export function* settleTimes(
  { entries, unsettled = [] }: Pick<WayPost, 'entries' | 'unsettled'>,
  newestAt: Instant,
): Generator<void, Settled> {
  const pause = openPauses();
  const rows = yield* gatherRows(unsettled, pause);
  const taken = yield* findTaken(rows, entries, unsettled, pause);
  const clocks = yield* findClocks(rows);
  let spanMs = 0;
  for (const row of rows) {
    const { device, heardAt, newestSaidAt } = row;
    const clockAt = newestSaidAt === null || heardAt !== null ? newestSaidAt : clockOf(newestSaidAt, clocks);
    const wanted = wantTimes(row, heardAt ?? newestAt, clockAt);
    const span = yield* placeApart(wanted, taken.get(device), pause);
    if (heardAt === null) spanMs = Math.max(spanMs, span);
  }
  return { saysTimes: clocks.length > 0, spanMs };
}

type Pause = (readings: number) => Generator<void, void>;

function openPauses(): Pause {
  let done = 0;
  return function* (readings) {
    done += readings;
    if (done < PIECE) return;
    done = 0;
    yield;
  };
}

const keyOf = ({ target }: TelemetryEntry): string =>
  'device' in target ? target.device.toLowerCase() : String(target.serviceId);

function* gatherRows(unsettled: readonly Unsettled[], pause: Pause): Generator<void, Row[]> {
  const rows = new Map<string, Row>();
  for (const one of unsettled) {
    const { entry, heardAt = null } = one;
    const device = keyOf(entry);
    const name = `${heardAt ?? ''} ${device}`;
    const row = rows.get(name);
    if (row) row.unsettled.push(one);
    else rows.set(name, { device, unsettled: [one], heardAt, newestSaidAt: null });
    yield* pause(1);
  }
  for (const row of rows.values()) {
    row.newestSaidAt = readClock(row.unsettled);
    yield* pause(row.unsettled.length);
  }
  return [...rows.values()];
}

/** What each of them said at `newestAt`, the earliest first. */
function* findClocks(rows: readonly Row[]): Generator<void, Instant[]> {
  const newest = rows.flatMap(({ heardAt, newestSaidAt }) => (heardAt === null ? (newestSaidAt ?? []) : []));
  yield;
  // Numbers are sorted much faster than by a function that compares them.
  const clocks: Instant[] = [];
  for (const at of Float64Array.from(newest).sort().reverse())
    if (clocks.length === 0 || (clocks.at(-1) as Instant) - at > ONE_CLOCK_MS) clocks.push(at);
  yield;
  return clocks.reverse();
}

/** The first that is not before it. */
function clockOf(newestSaidAt: Instant, clocks: readonly Instant[]): Instant {
  let [low, high] = [0, clocks.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((clocks[middle] as Instant) < newestSaidAt) low = middle + 1;
    else high = middle;
  }
  return clocks[low] as Instant;
}

/** null: it says no times, or always the same beginning of a calendar, for it was never set. */
function readClock(unsettled: readonly Unsettled[]): Instant | null {
  let newest = Number.NEGATIVE_INFINITY;
  let oldest = Number.POSITIVE_INFINITY;
  for (const { saidAt } of unsettled) {
    if (saidAt === null) continue;
    newest = Math.max(newest, saidAt);
    oldest = Math.min(oldest, saidAt);
  }
  if (newest < oldest) return null;
  return newest === oldest && newest % HOUR_MS === 0 ? null : newest;
}

interface Wanted {
  entry: TelemetryEntry;
  at: Instant;
}

/** `clockAt`: what the clock said at `endsAt`. */
function wantTimes({ unsettled, newestSaidAt }: Row, endsAt: Instant, clockAt: Instant | null): Wanted[] {
  return unsettled.map(({ entry, saidAt }) => {
    const isTold = saidAt !== null && newestSaidAt !== null && newestSaidAt - saidAt <= LONGEST_MS;
    return { entry, at: isTold ? endsAt - ((clockAt ?? newestSaidAt) - saidAt) : endsAt };
  });
}

type Taken = ReadonlyMap<string, ReadonlySet<Instant>>;

/** From the newest back: a channel has one reading at a time, and of two at the same time the last came last. */
function* placeApart(
  wanted: readonly Wanted[],
  taken: Taken | undefined,
  pause: Pause,
): Generator<void, number> {
  const earliest = new Map<string, Instant>();
  let spanMs = 0;
  for (const { entry, at: wantedAt } of wanted.toReversed().sort((one, other) => other.at - one.at)) {
    const channels = channelsOf(entry);
    let at = wantedAt;
    for (const channel of channels)
      at = Math.min(at, (earliest.get(channel) ?? Number.POSITIVE_INFINITY) - 1);
    while (channels.some((channel) => taken?.get(channel)?.has(at))) at -= 1;
    for (const channel of channels) earliest.set(channel, at);
    entry.at = at;
    spanMs = Math.max(spanMs, wantedAt - at);
    yield* pause(1 + channels.length);
  }
  return spanMs;
}

/** By device and channel: when readings were taken whose own time counts, of devices that have others too. */
function* findTaken(
  rows: readonly Row[],
  entries: readonly TelemetryEntry[],
  unsettled: readonly Unsettled[],
  pause: Pause,
): Generator<void, ReadonlyMap<string, Taken>> {
  const taken = new Map<string, Map<string, Set<Instant>>>();
  if (unsettled.length === entries.length) return taken;
  const left = new Set<TelemetryEntry>();
  for (const { entry } of unsettled) {
    left.add(entry);
    yield* pause(1);
  }
  for (const { device } of rows) {
    taken.set(device, new Map());
    yield* pause(1);
  }
  for (const entry of entries) {
    const own = left.has(entry) ? undefined : taken.get(keyOf(entry));
    const channels = own ? channelsOf(entry) : [];
    for (const channel of channels) {
      const times = own?.get(channel) ?? new Set();
      own?.set(channel, times.add(entry.at));
    }
    yield* pause(1 + channels.length);
  }
  return taken;
}

const channelsOf = ({ values, faults = [] }: TelemetryEntry): string[] => [
  ...values.map(([channel]) => channel),
  ...faults,
];
