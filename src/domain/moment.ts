// When something is, as a person says it. Written for browsers too.
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
  const which = isTwice(at, timeZone, wall.offsetMs) ? ` (UTC${writeOffset(wall.offsetMs)})` : '';
  return `${wall.clock}${withSeconds ? `:${wall.seconds}` : ''}${which}`;
}
