// Values as people read them. Programs get plain numbers: the interface, CSV files, forms, data for charts.
import { type BandName, isHigh } from '../judging/band.ts';
import type { Language } from '../language/speak.ts';
import { findStateWords, type StateChannel, type StateWords } from './state-words.ts';

const MINUS = '−';

/** A text with numbers in it: a hyphen before a digit becomes a minus, one within a word or a date stays. */
export const withTrueMinus = (text: string): string => text.replace(/(^|[\s(“])-(?=\d)/g, `$1${MINUS}`);

/** At most three decimals unless told, only those that say something, and no signed zero. */
export const sayNumber = (value: number, language: Language, decimals = 3): string =>
  language.number(value, decimals);

export interface Measured {
  unit: string | null;
  /** null: it is no state, so its values are numbers. */
  words: StateWords | null;
}

export const measuredOf = (
  channel: StateChannel & { unit: string | null },
  language: Language,
): Measured => ({
  unit: channel.unit,
  words: findStateWords(channel, language),
});

/** `−71.2 °C`, or `open`. */
export function sayValue(value: number, { unit, words }: Measured, language: Language): string {
  if (words && value === 0) return words.off;
  if (words && value === 1) return words.on;
  return unit === null ? sayNumber(value, language) : `${sayNumber(value, language)} ${unit}`;
}

/** Everything between two values: `−80 to −71.2 °C`, `closed`, `closed and open`. */
export function saySpread(low: number, high: number, measured: Measured, language: Language): string {
  if (low === high) return sayValue(low, measured, language);
  if (measured.words && low >= 0 && high <= 1) return language.say('{off} and {on}', { ...measured.words });
  return language.say('{low} to {high}', {
    low: sayNumber(low, language),
    high: sayValue(high, measured, language),
  });
}

/** Which of its two states a limit is about; null: its limits are numbers. */
export function findLimitWord(band: BandName, limit: number, words: StateWords | null): string | null {
  if (!words) return null;
  if (isHigh(band)) return limit >= 0 && limit < 1 ? words.on : null;
  return limit > 0 && limit <= 1 ? words.off : null;
}

/** `−60 °C`, or `when open`. With more decimals than a value: people compare it with what they typed. */
export function sayLimit(
  band: BandName,
  limit: number,
  { unit, words }: Measured,
  language: Language,
): string {
  const word = findLimitWord(band, limit, words);
  if (word !== null) return language.say('when {state}', { state: word });
  const said = sayNumber(limit, language, 6);
  return unit === null ? said : `${said} ${unit}`;
}
