// When something is, as a person says it. Written for browsers too: it goes without a calendar of its own.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY_MS = 86_400_000;
/** No clock is ever put back by more. */
const LONGEST_FOLD_MS = 3 * 3_600_000;

// Making one takes longer than writing a whole page of times.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  // The Swedish way is that of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return format;
}

interface Wall {
  year: number;
  month: number;
  day: number;
  /** `05:45` and `12`. */
  clock: string;
  seconds: string;
  /** As if the wall's clock were that of UTC. */
  ms: number;
}

/** What calendar and clock on a wall in the zone show. */
function readWall(at: Date, timeZone: string): Wall {
  const text = formatOf(timeZone).format(at);
  const [year = 0, month = 1, day = 1, hours, minutes, seconds] = text.split(/\D/).map(Number);
  const clock = text.slice(text.indexOf(' ') + 1);
  const ms = Date.UTC(year, month - 1, day, hours, minutes, seconds);
  return { year, month, day, clock: clock.slice(0, 5), seconds: clock.slice(6), ms };
}

const offsetOf = (at: Date, { ms }: Wall): number => ms - Math.floor(at.getTime() / 1000) * 1000;

/** True in the hour that comes twice when the clock is put back. */
function isTwice(at: Date, timeZone: string, own: number): boolean {
  const offsetAt = (ms: number) => offsetOf(new Date(ms), readWall(new Date(ms), timeZone));
  const ms = at.getTime();
  return [ms - LONGEST_FOLD_MS, ms + LONGEST_FOLD_MS].some((near) => {
    const other = offsetAt(near);
    return other !== own && offsetAt(ms + own - other) === other;
  });
}

function sayOffset(offsetMs: number): string {
  const minutes = Math.round(offsetMs / 60_000);
  const two = (count: number) => String(Math.floor(count)).padStart(2, '0');
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

const NEAR_DAYS: Record<number, string> = { [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' };

const nameDate = ({ day, month, year }: Wall, today: Wall): string =>
  `${day} ${MONTHS[month - 1]}${year === today.year ? '' : ` ${year}`}`;

const countDays = (wall: Wall): number => Math.floor(wall.ms / DAY_MS);

/** `today 05:45`, `yesterday 21:35`, `12 Nov 08:00`, `12 Nov 2025 08:00`. What comes twice says which one it is. */
export function sayMoment(at: Date, timeZone: string, now: Date, { withSeconds = false } = {}): string {
  const [wall, today] = [readWall(at, timeZone), readWall(now, timeZone)];
  const day = NEAR_DAYS[countDays(wall) - countDays(today)] ?? nameDate(wall, today);
  return `${day} ${sayClock(at, timeZone, wall, withSeconds)}`;
}

/** The same for what is read later than it is written: `12 Nov 08:00`. */
export function sayDate(at: Date, timeZone: string, now: Date): string {
  const wall = readWall(at, timeZone);
  return `${nameDate(wall, readWall(now, timeZone))} ${sayClock(at, timeZone, wall)}`;
}

function sayClock(at: Date, timeZone: string, wall: Wall, withSeconds = false): string {
  const offset = offsetOf(at, wall);
  const which = isTwice(at, timeZone, offset) ? ` (${sayOffset(offset)})` : '';
  return `${wall.clock}${withSeconds ? `:${wall.seconds}` : ''}${which}`;
}
