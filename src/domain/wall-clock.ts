// What calendar and clock on a wall in a zone show. Written for browsers too: it goes without a calendar of its own.

export interface Wall {
  year: number;
  month: number;
  day: number;
  /** `05:45` and `12`. */
  clock: string;
  seconds: string;
  /** As if the wall's clock were that of UTC. */
  ms: number;
  /** How far it is ahead of UTC. */
  offsetMs: number;
}

const DAY_MS = 86_400_000;

interface Zone {
  format: Intl.DateTimeFormat;
  /** At the beginnings of days of UTC, by their number. */
  offsets: Map<number, number>;
}

// To ask for the time takes a hundred times as long as to add an offset: pages show hundreds of times.
const zones = new Map<string, Zone>();
const MOST_DAYS = 1_000;
const MOST_ZONES = 600;

function openZone(timeZone: string): Zone {
  const known = zones.get(timeZone);
  if (known) return known;
  // The Swedish way is that of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  if (zones.size >= MOST_ZONES) zones.clear();
  const zone = { format, offsets: new Map() };
  zones.set(timeZone, zone);
  return zone;
}

function askOffset({ format }: Zone, ms: number): number {
  const [year = 0, month = 1, day = 1, ...clock] = format.format(ms).split(/\D/).map(Number);
  // Years before 100 are years before 100.
  const date = new Date(Date.UTC(2000, month - 1, day, ...clock)).setUTCFullYear(year, month - 1, day);
  return date - Math.floor(ms / 1_000) * 1_000;
}

function offsetOfDay(zone: Zone, day: number): number {
  const known = zone.offsets.get(day);
  if (known !== undefined) return known;
  const offset = askOffset(zone, day * DAY_MS);
  if (zone.offsets.size >= MOST_DAYS) zone.offsets.clear();
  zone.offsets.set(day, offset);
  return offset;
}

/** Where a day of UTC ends as it began, no clock is set in between: none is set twice a day. */
export function offsetAt(ms: number, timeZone: string): number {
  const zone = openZone(timeZone);
  const day = Math.floor(ms / DAY_MS);
  const offset = offsetOfDay(zone, day);
  return offset === offsetOfDay(zone, day + 1) ? offset : askOffset(zone, ms);
}

export function readWall(at: Date, timeZone: string): Wall {
  const offsetMs = offsetAt(at.getTime(), timeZone);
  const ms = Math.floor(at.getTime() / 1_000) * 1_000 + offsetMs;
  const wall = new Date(ms);
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    clock: `${two(wall.getUTCHours())}:${two(wall.getUTCMinutes())}`,
    seconds: two(wall.getUTCSeconds()),
    ms,
    offsetMs,
  };
}

/** `+01:00`, with seconds where a town once had its own time. */
export function writeOffset(offsetMs: number): string {
  const seconds = Math.abs(offsetMs) / 1_000;
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = seconds % 60 === 0 ? parts.slice(0, 2) : parts;
  return `${offsetMs < 0 ? '−' : '+'}${shown.map(two).join(':')}`;
}

const two = (count: number): string => String(count).padStart(2, '0');
