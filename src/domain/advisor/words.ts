// Says in plain sentences what the advisor saw and why it proposes what it proposes.

import { isHigh, severityOfBand } from '../judging/band.ts';
import { MINUTE_MS } from '../readings/span.ts';
import type { Normal } from './choose-bands.ts';
import { DAY_MS } from './days.ts';
import { quantile, sorted } from './quantiles.ts';
import type { ProposedBand } from './recommendation.ts';
import { showNumber } from './round-numbers.ts';
import type { Spikes } from './spikes.ts';
import { LEAST_DAYS, LEAST_READINGS, type Shortcoming, type Study } from './study.ts';

interface Named {
  channel: string;
  label: string | null;
  unit: string | null;
}

const nameOf = ({ label, channel }: Named) => label ?? channel;
const withUnit = ({ unit }: Named, shown: string) => (unit === null ? shown : `${shown} ${unit}`);

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function showDay(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? 'day ?' : `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

function showMinutes(minutes: number): string {
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return `${Math.round(minutes)} min`;
  if (minutes < 2880) return `${showNumber(minutes / 60, 0.1)} h`;
  return `${showNumber(minutes / 1440, 0.1)} days`;
}

/** null: something that cannot be put better. */
export function explainShortcoming(request: Named, shortcoming: Shortcoming | null): string {
  const name = nameOf(request);
  switch (shortcoming?.kind) {
    case 'few readings':
      return `${name} has only ${shortcoming.readings} usable readings; at least ${LEAST_READINGS} are needed.`;
    case 'few days': {
      const days = showNumber(shortcoming.days, 0.1);
      return `The usable readings of ${name} cover only ${days} days; at least ${LEAST_DAYS} are needed.`;
    }
    case 'a state':
      return `${name} is only ever 0 or 1: that is a state, not a measurement that could drift towards a limit.`;
    case 'never changes':
      return `${name} is always ${withUnit(request, String(shortcoming.value))}: the sensor may be dead, and nothing can be learned from it.`;
    case 'gaps':
      return `${name} has too many gaps: readings cover only ${Math.floor(100 * shortcoming.covered)} % of the time, at least half is needed.`;
    case 'only drift': {
      const perDay = String(Number(Math.abs(shortcoming.perDay).toPrecision(2)));
      const verb = shortcoming.perDay > 0 ? 'rises' : 'falls';
      return `${name} ${verb} by about ${withUnit(request, perDay)} a day and was never steady for ${LEAST_DAYS} days: limits learned from it would hide the drift.`;
    }
    case 'never steady':
      return `${name} was never at one level for ${LEAST_DAYS} days; ask again when it has settled.`;
    default:
      return `The readings of ${name} do not tell where a limit would make sense.`;
  }
}

type SideSpikes = { high: Spikes | null; low: Spikes | null };

export function explainHistory(request: Named, found: Study, normal: Normal, spikes: SideSpikes): string[] {
  const show = (value: number) => withUnit(request, showNumber(value, normal.step, 1));
  return [
    explainRange(request, normal, show),
    ...explainChanges(request, found, show),
    ...explainExcursions(found, show),
    ...explainSpikes(spikes.high, 'above', found, show),
    ...explainSpikes(spikes.low, 'below', found, show),
  ];
}

type Show = (value: number) => string;

function explainRange(request: Named, { history: { at, value }, step }: Normal, show: Show): string {
  const ascending = sorted(value);
  const [low, high] = [quantile(ascending, 0.005), quantile(ascending, 0.995)];
  const days = `Between ${showDay(at[0] as number)} and ${showDay(at.at(-1) as number)}`;
  return `${days} ${nameOf(request)} stayed between ${showNumber(low, step, 1)} and ${show(high)} for 99 % of the time (${at.length} readings).`;
}

function explainChanges(
  request: Named,
  { levelChange, drift, refillSlope, stuckSince }: Study,
  show: Show,
): string[] {
  const sentences: string[] = [];
  if (levelChange) {
    const { at, from, to, isTooNew } = levelChange;
    sentences.push(
      `On ${showDay(at)} its level changed from ${show(from)} to ${show(to)}; ${isTooNew ? `that is too recent, so the time before counts. If the change was on purpose, ask again after ${LEAST_DAYS} days` : 'only the newer level counts'}.`,
    );
  }
  if (drift) {
    const perDay = String(Number(Math.abs(drift.perDay).toPrecision(2)));
    sentences.push(
      `Since ${showDay(drift.from)} it ${drift.perDay > 0 ? 'rises' : 'falls'} by about ${withUnit(request, perDay)} a day: this looks like a slow failure. Only the time before counts, so that the limits do not make room for it.`,
    );
  }
  if (refillSlope !== null) {
    const perDay = String(Number(Math.abs(refillSlope).toPrecision(2)));
    const [moves, back] = refillSlope > 0 ? ['rises', 'brought down'] : ['falls', 'filled up'];
    sentences.push(
      `It ${moves} by about ${withUnit(request, perDay)} a day and is ${back} again: only that direction needs limits.`,
    );
  }
  if (stuckSince !== null)
    sentences.push(
      `Since ${showDay(stuckSince)} the value has not changed at all: check the sensor. That time was left out.`,
    );
  return sentences;
}

const MOST_NAMED = 3;

function explainExcursions({ excursions }: Study, show: Show): string[] {
  const named = excursions.slice(0, MOST_NAMED).map(({ run: { from, to, peak } }) => {
    return `On ${showDay(from)} it went to ${show(peak)} for ${showMinutes((to - from) / MINUTE_MS)}; that happened too rarely to be normal and was left out.`;
  });
  const more = excursions.length - named.length;
  return more > 0 ? [...named, `${more} more such excursions were left out.`] : named;
}

function explainSpikes(
  spikes: Spikes | null,
  side: 'above' | 'below',
  { history }: Study,
  show: Show,
): string[] {
  if (!spikes) return [];
  const { count, typicalMinutes, longestMinutes, peak, spacingMinutes, isRegular, areSingleReadings } =
    spikes;
  const days = ((history.at.at(-1) as number) - (history.at[0] as number)) / DAY_MS;
  if (areSingleReadings) {
    return [
      `${count} single readings stood out ${side} the rest, as far as ${show(peak)}: glitches, or something too short to see.`,
    ];
  }
  const often = isRegular
    ? `every ${showMinutes(spacingMinutes)}, as regular as a defrost`
    : `${count} times in ${Math.ceil(days)} days, at no fixed time, as when a door is opened`;
  return [
    `It spikes ${side} the rest ${often}: typically for ${showMinutes(typicalMinutes)}, at most for ${showMinutes(longestMinutes)}, as far as ${show(peak)}.`,
  ];
}

export function explainBands(
  request: Named,
  normal: Normal,
  spikes: SideSpikes,
  bands: readonly ProposedBand[],
): string[] {
  const ascending = sorted(normal.history.value);
  const [lowest, highest] = [ascending[0] as number, ascending.at(-1) as number];
  const sentences = bands.map(({ band, limit, sustained }) => {
    const severity = severityOfBand(band) === 'critical' ? 'Critical' : 'Warning';
    const place = `${severity} ${isHigh(band) ? 'above' : 'below'} ${withUnit(request, String(limit))}`;
    const isBeyondAll = isHigh(band) ? limit > highest : limit < lowest;
    if (isBeyondAll && sustained <= 1) return `${place}: nothing normal goes there.`;
    const what = (isHigh(band) ? spikes.high : spikes.low) ? 'spikes' : 'swings';
    return `${place} once it lasts ${showMinutes(sustained)}: normal ${what} beyond it are over sooner.`;
  });
  const missing = (['high', 'low'] as const).filter(
    (side) => !bands.some(({ band }) => isHigh(band) === (side === 'high')),
  );
  return [
    ...sentences,
    ...missing.map((side) => `No ${side} limits: the value cannot get there, or need not be watched there.`),
  ];
}
