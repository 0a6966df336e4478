// Texts of people in messages that have limits.
import type { Language } from '../../domain/language/speak.ts';

type SizeOf = (text: string) => number;

/** Never less than a receiver counts, whatever it takes for a character. */
const countUnits: SizeOf = (text) => text.length;

/** As they stand in a JSON body, escapes included. */
export const countJsonBytes: SizeOf = (text) => Buffer.byteLength(JSON.stringify(text)) - 2;

/** Longer ones are accents upon accents. */
const LONGEST_CHARACTER = 64;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Never cuts through what people see as one character. */
export function shorten(text: string, most: number, sizeOf: SizeOf = countUnits): string {
  if (sizeOf(text) <= most) return text;
  const room = Math.max(most - sizeOf('…'), 0);
  let [fits, mayFit] = [0, Math.min(room, text.length)];
  while (fits < mayFit) {
    const middle = Math.ceil((fits + mayFit) / 2);
    if (sizeOf(text.slice(0, middle)) <= room) fits = middle;
    else mayFit = middle - 1;
  }
  const end = graphemes.segment(text.slice(0, fits + LONGEST_CHARACTER)).containing(fits)?.index ?? fits;
  return `${text.slice(0, end).trimEnd()}…`;
}

const MOST_LINES = 20;

/** A line each for the first that have room together, and how many are left out: `and 480 more`. */
export function fitLines<Item>(
  items: readonly Item[],
  writeLine: (item: Item) => string,
  most: number,
  { say }: Language,
  sizeOf: SizeOf = countUnits,
): string[] {
  const countLeft = (count: number) => say('{count, plural, one {and # more} other {and # more}}', { count });
  const kept: string[] = [];
  let size = 0;
  for (const item of items.slice(0, MOST_LINES)) {
    const line = writeLine(item);
    const left = items.length - kept.length - 1;
    size += sizeOf(`${line}\n`);
    if (size + (left > 0 ? sizeOf(countLeft(left)) : 0) > most) break;
    kept.push(line);
  }
  const left = items.length - kept.length;
  return left > 0 ? [...kept, countLeft(left)] : kept;
}

/** The first items that have room together in a JSON body. */
export function fitItems<Item>(items: readonly Item[], mostItems: number, mostBytes: number): Item[] {
  let bytes = 0;
  const fitting = items.slice(0, mostItems);
  const end = fitting.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return bytes > mostBytes;
  });
  return end < 0 ? fitting : fitting.slice(0, end);
}
