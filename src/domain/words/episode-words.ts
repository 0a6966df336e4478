// What a value did from the beginning of an alarm to its end, in one or two sentences.
import { type BandName, isHigh } from '../judging/band.ts';
import type { Language } from '../language/speak.ts';

export interface EpisodeCourse {
  /** What is measured, as people call it. */
  name: string;
  band: BandName | null;
  /** As it is said; null: it is a state, or not known. */
  limit: string | null;
  /** The limit is a deviation from the setpoint. */
  isPercentage: boolean;
  /** How long it was an alarm, in words. */
  lasted: string;
  isOver: boolean;
  /** null: not known. `after`: how long after the value had gone beyond the limit; null: at once, or not known. */
  worst: { value: string; after: string | null } | null;
}

export function sayEpisodeCourse(course: EpisodeCourse, language: Language): string {
  const worst = sayWorstOfCourse(course, language);
  return worst === null ? sayLasting(course, language) : `${sayLasting(course, language)} ${worst}`;
}

function sayLasting(
  { name, band, limit, isPercentage, lasted, isOver }: EpisodeCourse,
  { say }: Language,
): string {
  if (band === null || limit === null)
    return isOver
      ? say('{name} was in alarm for {lasted}.', { name, lasted })
      : say('{name} has been in alarm for {lasted}.', { name, lasted });
  const side = isPercentage ? 'off' : isHigh(band) ? 'high' : 'low';
  const facts = { name, limit, side, lasted };
  return isOver
    ? say(
        '{name} went {side, select, off {more than} high {above} other {below}} {limit} and was in alarm for {lasted}.',
        facts,
      )
    : say(
        '{name} went {side, select, off {more than} high {above} other {below}} {limit} and has been in alarm for {lasted}.',
        facts,
      );
}

function sayWorstOfCourse({ worst, isOver }: EpisodeCourse, { say }: Language): string | null {
  if (worst === null) return null;
  const { value, after } = worst;
  if (!isOver) return say('The worst so far is {value}.', { value });
  return after === null
    ? say('The worst was {value}.', { value })
    : say('The worst was {value}, {after} after it went over.', { value, after });
}
