import type { MappedValue } from './mapping-settings.ts';
import { toCelsius } from './units.ts';

/** Of a text that is taken apart, and of a number that comes as text. */
const LONGEST_PARTED = 10_000;
const LONGEST_NUMBER = 100;

export function readMappedValue(
  value: unknown,
  { part, number, from }: Omit<Exclude<MappedValue, string>, 'path'>,
): unknown {
  const piece = part !== undefined && typeof value === 'string' ? findPart(value, ...part) : value;
  const read = number && typeof piece === 'string' ? readNumber(piece) : piece;
  return from && typeof read === 'number' ? toCelsius(read, from) : read;
}

/** null: there are fewer. */
function findPart(text: string, divider: string, place: number): string | null {
  if (text.length > LONGEST_PARTED) return null;
  let from = 0;
  for (let passed = 0; passed < place; passed += 1) {
    const end = text.indexOf(divider, from);
    if (end < 0) return null;
    from = end + divider.length;
  }
  const end = text.indexOf(divider, from);
  return text.slice(from, end < 0 ? undefined : end);
}

/** A text that is no number is left as it is: it may be a word for a state, or for a fault. */
const readNumber = (text: string): unknown =>
  text.length <= LONGEST_NUMBER && NUMBER.test(text.trim()) ? Number(text) : text;

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
