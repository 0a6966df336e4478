// When something is, as a person says it. Written for browsers too.
import type { Language } from './language/speak.ts';
import { offsetAt, readWall, type Wall, writeOffset } from './wall-clock.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY_MS = 86_400_000;
/** No clock is ever put back by more. */
const LONGEST_FOLD_MS = 3 * 3_600_000;

/** True in the hour that comes twice when the clock is put back. */
function isTwice(at: Date, timeZone: string, own: number): boolean {
  const ms = at.getTime();
  return [ms - LONGEST_FOLD_MS, ms + LONGEST_FOLD_MS].some((near) => {
    const other = offsetAt(near, timeZone);
    return other !== own && offsetAt(ms + own - other, timeZone) === other;
  });
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** In English the day comes first and each month has three letters, as in none of the Englishes of Intl. */
function nameDate({ day, month, year, ms }: Wall, today: Wall, { tag }: Language): string {
  const withYear = year !== today.year;
  if (tag === 'en') return `${day} ${MONTHS[month - 1]}${withYear ? ` ${year}` : ''}`;
  const key = `${tag} ${withYear}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(tag, {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'short',
      ...(withYear && { year: 'numeric' }),
    });
    formats.set(key, format);
  }
  return format.format(ms);
}

const countDays = (wall: Wall): number => Math.floor(wall.ms / DAY_MS);

/** `today 05:45`, `yesterday 21:35`, `12 Nov 08:00`, `12 Nov 2025 08:00`. What comes twice says which one it is. */
export function sayMoment(
  at: Date,
  timeZone: string,
  now: Date,
  language: Language,
  { withSeconds = false } = {},
): string {
  const [wall, today] = [readWall(at, timeZone), readWall(now, timeZone)];
  const clock = sayClock(at, timeZone, wall, withSeconds);
  switch (countDays(wall) - countDays(today)) {
    case -1:
      return language.say('yesterday {clock}', { clock });
    case 0:
      return language.say('today {clock}', { clock });
    case 1:
      return language.say('tomorrow {clock}', { clock });
    default:
      return language.say('{date} {clock}', { date: nameDate(wall, today, language), clock });
  }
}

/** The same for what is read later than it is written: `12 Nov 08:00`. */
export function sayDate(at: Date, timeZone: string, now: Date, language: Language): string {
  const wall = readWall(at, timeZone);
  const date = nameDate(wall, readWall(now, timeZone), language);
  return language.say('{date} {clock}', { date, clock: sayClock(at, timeZone, wall) });
}

function sayClock(at: Date, timeZone: string, wall: Wall, withSeconds = false): string {
  const which = isTwice(at, timeZone, wall.offsetMs) ? ` (UTC${writeOffset(wall.offsetMs)})` : '';
  return `${wall.clock}${withSeconds ? `:${wall.seconds}` : ''}${which}`;
}
