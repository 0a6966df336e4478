// Says in plain sentences what the advisor saw and why it proposes what it proposes.

import { type BandName, isHigh } from '../judging/band.ts';
import { message } from '../language/message.ts';
import { MINUTE_MS } from '../readings/span.ts';
import { write, writeDay } from '../words/written.ts';
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
const showDay = (at: number) => writeDay(new Date(at));
const showRate = (request: Named, perDay: number) =>
  withUnit(request, String(Number(Math.abs(perDay).toPrecision(2))));

const SPANS = {
  short: message('less than a minute'),
  minutes: message('{minutes} min'),
  hours: message('{hours} h'),
  days: message('{days} days'),
};

function showMinutes(minutes: number): string {
  if (minutes < 1) return write(SPANS.short);
  if (minutes < 120) return write(SPANS.minutes, { minutes: Math.round(minutes) });
  if (minutes < 2880) return write(SPANS.hours, { hours: showNumber(minutes / 60, 0.1) });
  return write(SPANS.days, { days: showNumber(minutes / 1440, 0.1) });
}

const SHORTCOMINGS = {
  // For translators: {name} is what is measured, such as Temperature
  fewReadings: message('{name} has only {readings} usable readings; at least {least} are needed.'),
  fewDays: message('The usable readings of {name} cover only {days} days; at least {least} are needed.'),
  state: message(
    '{name} is only ever 0 or 1: that is a state, not a measurement that could drift towards a limit.',
  ),
  constant: message('{name} is always {value}: the sensor may be dead, and nothing can be learned from it.'),
  gaps: message(
    '{name} has too many gaps: readings cover only {share} % of the time, at least half is needed.',
  ),
  rising: message(
    '{name} rises by about {rate} a day and was never steady for {days} days: limits learned from it would hide the drift.',
  ),
  falling: message(
    '{name} falls by about {rate} a day and was never steady for {days} days: limits learned from it would hide the drift.',
  ),
  unsteady: message('{name} was never at one level for {days} days; ask again when it has settled.'),
  other: message('The readings of {name} do not tell where a limit would make sense.'),
};

/** null: something that cannot be put better. */
export function explainShortcoming(request: Named, shortcoming: Shortcoming | null): string {
  const name = nameOf(request);
  const days = LEAST_DAYS;
  switch (shortcoming?.kind) {
    case 'few readings':
      return write(SHORTCOMINGS.fewReadings, {
        name,
        readings: shortcoming.readings,
        least: LEAST_READINGS,
      });
    case 'few days':
      return write(SHORTCOMINGS.fewDays, {
        name,
        days: showNumber(shortcoming.days, 0.1),
        least: LEAST_DAYS,
      });
    case 'a state':
      return write(SHORTCOMINGS.state, { name });
    case 'never changes':
      return write(SHORTCOMINGS.constant, { name, value: withUnit(request, String(shortcoming.value)) });
    case 'gaps':
      return write(SHORTCOMINGS.gaps, { name, share: Math.floor(100 * shortcoming.covered) });
    case 'only drift': {
      const { rising, falling } = SHORTCOMINGS;
      const { perDay } = shortcoming;
      return write(perDay > 0 ? rising : falling, { name, rate: showRate(request, perDay), days });
    }
    case 'never steady':
      return write(SHORTCOMINGS.unsteady, { name, days });
    default:
      return write(SHORTCOMINGS.other, { name });
  }
}

const HISTORY = {
  // For translators: what readings of the last weeks have shown; {name} is what is measured, {low} and {high} are values
  range: message(
    'Between {fromDay} and {toDay} {name} stayed between {low} and {high} for 99 % of the time ({readings} readings).',
  ),
  newLevel: message('On {day} its level changed from {from} to {to}; only the newer level counts.'),
  tooNewLevel: message(
    'On {day} its level changed from {from} to {to}; that is too recent, so the time before counts. If the change was on purpose, ask again after {days} days.',
  ),
  rising: message(
    'Since {day} it rises by about {rate} a day: this looks like a slow failure. Only the time before counts, so that the limits do not make room for it.',
  ),
  falling: message(
    'Since {day} it falls by about {rate} a day: this looks like a slow failure. Only the time before counts, so that the limits do not make room for it.',
  ),
  broughtDown: message(
    'It rises by about {rate} a day and is brought down again: only that direction needs limits.',
  ),
  filledUp: message(
    'It falls by about {rate} a day and is filled up again: only that direction needs limits.',
  ),
  stuck: message('Since {day} the value has not changed at all: check the sensor. That time was left out.'),
  excursion: message(
    'On {day} it went to {peak} for {span}; that happened too rarely to be normal and was left out.',
  ),
  excursions: message('{count} more such excursions were left out.'),
  glitchesAbove: message(
    '{count} single readings stood out above the rest, as far as {peak}: glitches, or something too short to see.',
  ),
  glitchesBelow: message(
    '{count} single readings stood out below the rest, as far as {peak}: glitches, or something too short to see.',
  ),
  // For translators: {often} is one of the two that follow
  spikesAbove: message(
    'It spikes above the rest {often}: typically for {typical}, at most for {longest}, as far as {peak}.',
  ),
  spikesBelow: message(
    'It spikes below the rest {often}: typically for {typical}, at most for {longest}, as far as {peak}.',
  ),
  regular: message('every {span}, as regular as a defrost'),
  irregular: message('{count} times in {days} days, at no fixed time, as when a door is opened'),
};

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
  return write(HISTORY.range, {
    fromDay: showDay(at[0] as number),
    toDay: showDay(at.at(-1) as number),
    name: nameOf(request),
    low: showNumber(quantile(ascending, 0.005), step, 1),
    high: show(quantile(ascending, 0.995)),
    readings: at.length,
  });
}

function explainChanges(
  request: Named,
  { levelChange, drift, refillSlope, stuckSince }: Study,
  show: Show,
): string[] {
  const sentences: string[] = [];
  if (levelChange) {
    const { at, from, to, isTooNew } = levelChange;
    const facts = { day: showDay(at), from: show(from), to: show(to) };
    sentences.push(
      isTooNew ? write(HISTORY.tooNewLevel, { ...facts, days: LEAST_DAYS }) : write(HISTORY.newLevel, facts),
    );
  }
  if (drift)
    sentences.push(
      write(drift.perDay > 0 ? HISTORY.rising : HISTORY.falling, {
        day: showDay(drift.from),
        rate: showRate(request, drift.perDay),
      }),
    );
  if (refillSlope !== null)
    sentences.push(
      write(refillSlope > 0 ? HISTORY.broughtDown : HISTORY.filledUp, {
        rate: showRate(request, refillSlope),
      }),
    );
  if (stuckSince !== null) sentences.push(write(HISTORY.stuck, { day: showDay(stuckSince) }));
  return sentences;
}

const MOST_NAMED = 3;

function explainExcursions({ excursions }: Study, show: Show): string[] {
  const named = excursions.slice(0, MOST_NAMED).map(({ run: { from, to, peak } }) =>
    write(HISTORY.excursion, {
      day: showDay(from),
      peak: show(peak),
      span: showMinutes((to - from) / MINUTE_MS),
    }),
  );
  const count = excursions.length - named.length;
  return count > 0 ? [...named, write(HISTORY.excursions, { count })] : named;
}

function explainSpikes(
  spikes: Spikes | null,
  side: 'above' | 'below',
  { history }: Study,
  show: Show,
): string[] {
  if (!spikes) return [];
  const { count, typicalMinutes, longestMinutes, spacingMinutes, isRegular, areSingleReadings } = spikes;
  const peak = show(spikes.peak);
  if (areSingleReadings) {
    const { glitchesAbove, glitchesBelow } = HISTORY;
    return [write(side === 'above' ? glitchesAbove : glitchesBelow, { count, peak })];
  }
  const days = Math.ceil(((history.at.at(-1) as number) - (history.at[0] as number)) / DAY_MS);
  return [
    write(side === 'above' ? HISTORY.spikesAbove : HISTORY.spikesBelow, {
      often: isRegular
        ? write(HISTORY.regular, { span: showMinutes(spacingMinutes) })
        : write(HISTORY.irregular, { count, days }),
      typical: showMinutes(typicalMinutes),
      longest: showMinutes(longestMinutes),
      peak,
    }),
  ];
}

const PLACES = {
  // For translators: where a limit lies, in a sentence such as “Critical above −60 °C: nothing normal goes there.”
  CRITICAL_HIGH: message('Critical above {limit}'),
  WARNING_HIGH: message('Warning above {limit}'),
  WARNING_LOW: message('Warning below {limit}'),
  CRITICAL_LOW: message('Critical below {limit}'),
} satisfies Record<BandName, string>;

const BANDS = {
  // For translators: {place} is such as “Critical above −60 °C”
  beyondAll: message('{place}: nothing normal goes there.'),
  spikes: message('{place} once it lasts {span}: normal spikes beyond it are over sooner.'),
  swings: message('{place} once it lasts {span}: normal swings beyond it are over sooner.'),
  noHigh: message('No high limits: the value cannot get there, or need not be watched there.'),
  noLow: message('No low limits: the value cannot get there, or need not be watched there.'),
};

export function explainBands(
  request: Named,
  normal: Normal,
  spikes: SideSpikes,
  bands: readonly ProposedBand[],
): string[] {
  const ascending = sorted(normal.history.value);
  const [lowest, highest] = [ascending[0] as number, ascending.at(-1) as number];
  const sentences = bands.map(({ band, limit, sustained }) => {
    const place = write(PLACES[band], { limit: withUnit(request, String(limit)) });
    const isBeyondAll = isHigh(band) ? limit > highest : limit < lowest;
    if (isBeyondAll && sustained <= 1) return write(BANDS.beyondAll, { place });
    const what = (isHigh(band) ? spikes.high : spikes.low) ? BANDS.spikes : BANDS.swings;
    return write(what, { place, span: showMinutes(sustained) });
  });
  const has = (isOfSide: (band: BandName) => boolean) => bands.some(({ band }) => isOfSide(band));
  return [
    ...sentences,
    ...(has(isHigh) ? [] : [write(BANDS.noHigh)]),
    ...(has((band) => !isHigh(band)) ? [] : [write(BANDS.noLow)]),
  ];
}

/** All that the advisor writes, the longer ones first: they are stored, and said again to people. */
export const ADVICE_TEXTS: readonly string[] = [SHORTCOMINGS, HISTORY, BANDS, PLACES, SPANS].flatMap(
  (texts) => Object.values(texts),
);
