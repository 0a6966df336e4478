// What fits into an SMS, by its alphabet.
import type { Language } from '../language/speak.ts';
import { countSeptets, losesLetters, toGsm7 } from './gsm7.ts';

interface Alphabet {
  write(text: string): string;
  count(text: string): number;
  /** In an SMS of one part, and in each part of more. */
  most: number;
  mostOfPart: number;
  /** By so many either says about the same. */
  usualParts: number;
}

const GSM7: Alphabet = { write: toGsm7, count: countSeptets, most: 160, mostOfPart: 153, usualParts: 1 };
const UCS2: Alphabet = {
  write: (text) => text,
  count: ({ length }) => length,
  most: 70,
  mostOfPart: 67,
  usualParts: 3,
};

/** Names are never lost; of the rest, English can be read without letters that it has not. */
function findAlphabet(name: string, text: string, { tag }: Language): Alphabet {
  const isEnglish = tag === 'en';
  return losesLetters(isEnglish ? name : text, { mayLoseAccents: isEnglish }) ? UCS2 : GSM7;
}

function findRoom({ most, mostOfPart, usualParts }: Alphabet, least: number): number {
  if (usualParts === 1 && least <= most) return most;
  return Math.max(usualParts, Math.ceil(least / mostOfPart)) * mostOfPart;
}

type Write = (text: string) => string;

const AS_IT_IS: Write = (kept) => kept;

/**
 * The end is kept whole: a link or a code that is cut is of no use. So is what `write` puts around the text, such as the name of
 * a unit, or `writeShorter` where that is too much for an SMS: there are as many parts as it takes.
 */
export function fitSms(
  text: string,
  end: string,
  language: Language,
  write: Write = AS_IT_IS,
  writeShorter: Write = write,
): string {
  const alphabet = findAlphabet(write(''), `${write(text)} ${end}`, language);
  const writeAll = (kept: string) => alphabet.write(end === '' ? write(kept) : `${write(kept)} ${end}`);
  const least = alphabet.count(writeAll('…'));
  const room = findRoom(alphabet, least);
  if (least > findRoom(alphabet, 0) && write !== writeShorter)
    return fitSms(text, end, language, writeShorter);
  const whole = writeAll(text);
  if (alphabet.count(whole) <= room) return whole;
  const characters = [...text];
  const cut = (length: number) => characters.slice(0, length).join('');
  let [fits, mayFit] = [0, characters.length];
  while (fits < mayFit) {
    const middle = Math.ceil((fits + mayFit) / 2);
    if (alphabet.count(writeAll(`${cut(middle)}…`)) <= room) fits = middle;
    else mayFit = middle - 1;
  }
  return writeAll(`${cut(fits).trimEnd()}…`);
}
