// A form in which lab hours are described: a zone, and lines of weekdays with a beginning and an end.
import { type HoursWindow, MOST_WINDOWS, WEEKDAYS } from '../../domain/on-call/lab-hours.ts';
import { isClock, plainClock } from '../../domain/on-call/local-instant.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { StoredHours } from '../../engine/on-call/lab-hours.ts';
import { readZone } from '../../engine/pages/zone-field.tsx';
import type { FormFields } from '../../platform/http/form-body.ts';

export type HoursRefusal = 'not_a_clock' | 'no_day' | 'not_a_zone' | 'too_many_lines';

/** The first line has plain names, the others have theirs with a number. */
export const nameAt = (name: string, line: number): string => (line === 0 ? name : `${name}_${line}`);

const readLine = (form: FormFields, line: number): HoursWindow => ({
  days: WEEKDAYS.flatMap((day, index) => (form[nameAt(day, line)] === 'yes' ? [index + 1] : [])),
  from: plainClock(form[nameAt('from', line)] ?? ''),
  to: plainClock(form[nameAt('to', line)] ?? ''),
});

export const readLines = (form: FormFields): HoursWindow[] =>
  // One more than there may be, which is refused.
  Array.from({ length: MOST_WINDOWS + 1 }, (_, line) => line)
    .filter((line) => form[nameAt('from', line)] !== undefined)
    .map((line) => readLine(form, line));

/** Somebody wants a line more or less, and nothing saved yet; null: the form is meant as it is. */
export function redrawLines(form: FormFields): HoursWindow[] | null {
  const lines = readLines(form);
  if (form.add !== undefined)
    return [...lines, { days: [], from: '08:00', to: '18:00' }].slice(0, MOST_WINDOWS);
  if (form.remove !== undefined) return lines.filter((_, line) => String(line) !== form.remove);
  return null;
}

export const isTimed = ({ from, to }: HoursWindow): boolean => isClock(from) && isClock(to);

/** `zone` counts where none is said. */
export function readHours(form: FormFields, zone: string): Result<StoredHours, HoursRefusal> {
  const weekly = readLines(form);
  if (weekly.length === 0 || !weekly.every(isTimed)) return refuse('not_a_clock');
  if (weekly.some(({ days }) => days.length === 0)) return refuse('no_day');
  if (weekly.length > MOST_WINDOWS) return refuse('too_many_lines');
  const timeZone = readZone(form.timezone, zone);
  return timeZone === null ? refuse('not_a_zone') : ok({ timeZone, weekly });
}
