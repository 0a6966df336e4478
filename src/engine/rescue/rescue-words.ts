// What is said of a rescue plan, on pages and in mails alike.
import type { Language } from '../../domain/language/speak.ts';
import { CALM_DAYS } from '../../domain/rescue/rank-refuges.ts';
import type { RescueTurn } from '../../domain/rescue/turns.ts';
import { describeSpan } from '../../domain/span.ts';
import { sayValue } from '../../domain/words/say-value.ts';
import type { RescuePlan } from './read-plan.ts';
import type { FoundRefuge } from './rescue-rows.ts';

const ROUND_MS = 5 * 60_000;

/** No sharper than it is known. */
export function sayDanger(danger: RescuePlan['danger'], language: Language): string | null {
  if (!danger) return null;
  const span = describeSpan(Math.max(1, Math.round(danger.inMs / ROUND_MS)) * ROUND_MS, language);
  const value = sayValue(danger.value, { unit: danger.unit, words: null }, language);
  return language.say('About {span} to {value} at its own rate.', { span, value });
}

export function sayNearest(
  {
    refuges,
    reservations,
    leftToOthers,
    isEmptied,
  }: Pick<RescuePlan, 'refuges' | 'reservations' | 'leftToOthers' | 'isEmptied'>,
  language: Language,
): string {
  const { say } = language;
  const [reserved] = reservations;
  if (reserved) return say('Room is reserved in {name}.', { name: reserved.refugeName });
  if (isEmptied) return say('All that was inside is moved.');
  const [best] = refuges ?? [];
  if (best) return say('Nearest free: {place}.', { place: sayRefuge(best, language) });
  return leftToOthers.length > 0
    ? say('What has room for it is needed by those whose turn comes before.')
    : say('No other unit has room for it that is known to be well.');
}

/** `Number 2 of 3 to be emptied here, after Freezer 1.` */
export function sayTurn(turn: RescueTurn | null, { say }: Language): string | null {
  if (!turn) return null;
  const { place, count, after } = turn;
  return after === null
    ? say('Number 1 of {count} to be emptied here: it goes first.', { count })
    : say('Number {place} of {count} to be emptied here, after {name}.', { place, count, name: after });
}

/** A sentence each. */
export const sayRescue = (plan: RescuePlan, language: Language): string[] =>
  [
    sayTurn(plan.turn, language),
    sayDanger(plan.danger, language),
    plan.refuges && sayNearest(plan, language),
  ].filter((one) => one !== null);

/** `Freezer 12, Room 104, 6 racks free, −81 °C, no alarm for 30 days` */
export function sayRefuge(
  { name, locationName, freeRacks, value, unit, calmDays }: FoundRefuge,
  language: Language,
) {
  const { say } = language;
  return [
    name,
    locationName,
    say('{count, plural, one {# rack free} other {# racks free}}', { count: freeRacks }),
    value === null ? null : sayValue(value, { unit, words: null }, language),
    calmDays === null
      ? say('never an alarm')
      : say('{days, plural, one {no alarm for # day} other {no alarm for # days}}', {
          days: Math.min(calmDays, CALM_DAYS),
        }),
  ]
    .filter((part) => part !== null)
    .join(', ');
}
