// Whom to call, as people type it: one on each line, a name and a number in any order.
import { ok, type Result, refuse } from '../result.ts';

export interface PhoneNumber {
  /** Blank: only the number is known. */
  name: string;
  number: string;
}

export const MOST_PHONES = 8;
const LONGEST_LINE = 120;
const FEWEST_DIGITS = 3;
const MOST_DIGITS = 20;

export type PhonesFault = 'not_a_phone' | 'too_many_phones';

const countDigits = (text: string): number => text.replaceAll(/\D/g, '').length;

export function readPhones(text: string): Result<PhoneNumber[], PhonesFault> {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length > MOST_PHONES) return refuse('too_many_phones');
  const phones = lines.map(readLine);
  return phones.includes(null) ? refuse('not_a_phone') : ok(phones.filter((phone) => phone !== null));
}

/** A room has a number too: the one with the most digits is that of the telephone, of equal ones the last. */
function readLine(line: string): PhoneNumber | null {
  if (line.length > LONGEST_LINE) return null;
  const numbers = [...line.matchAll(/\+?\d[\d /().-]*\d/g)].filter(
    ([number]) => countDigits(number) >= FEWEST_DIGITS && countDigits(number) <= MOST_DIGITS,
  );
  const most = Math.max(...numbers.map(([number]) => countDigits(number)));
  const found = numbers.findLast(([number]) => countDigits(number) === most);
  if (!found) return null;
  const [number] = found;
  const [before, after] = [line.slice(0, found.index), line.slice(found.index + number.length)].map(
    trimMarks,
  );
  return { name: [before, after].filter((part) => part).join(' '), number };
}

const isMark = (sign: string | undefined): boolean => sign !== undefined && ' \t:,;–—-'.includes(sign);

function trimMarks(text: string): string {
  let [from, end] = [0, text.length];
  while (from < end && isMark(text[from])) from += 1;
  while (end > from && isMark(text[end - 1])) end -= 1;
  return text.slice(from, end);
}

export const writePhones = (phones: readonly PhoneNumber[]): string =>
  phones.map(({ name, number }) => (name === '' ? number : `${name}: ${number}`)).join('\n');

export const dialOf = ({ number }: PhoneNumber): string =>
  `tel:${number.startsWith('+') ? '+' : ''}${number.replaceAll(/\D/g, '')}`;
