// Sentences that are stored in English because nothing else is kept of them, and said again in the language of whoever reads them.
import type { WithFacts } from '../language/message.ts';
import type { Language } from '../language/speak.ts';
import { withNumbers } from './alarm-message.ts';

/** A message without forms, in English and with plain signs: facts stand in it as they are given. */
export const write = <const Message extends string>(message: Message, ...given: WithFacts<Message>): string =>
  fill(message, given[0] ?? {});

const fill = (message: string, facts: Record<string, unknown>): string =>
  message.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name]));

/** What none of the messages wrote stays as it is. */
export function sayAgain(text: string, messages: readonly string[], language: Language): string {
  return language.tag === 'en' ? text : sayPart(text, messages, language);
}

type Say = (message: string, facts: Record<string, string | number>) => string;

function sayPart(text: string, messages: readonly string[], language: Language): string {
  for (const message of messages) {
    const facts = readFacts(text, message);
    if (facts === null) continue;
    const said = Object.entries(facts).map(([name, fact]) => [name, sayFact(name, fact, messages, language)]);
    return (language.say as Say)(message, Object.fromEntries(said));
  }
  return text;
}

/** Names, and what others said, stay; days, numbers and sentences within the sentence are said. */
function sayFact(name: string, fact: string, messages: readonly string[], language: Language) {
  if (name === 'name' || name === 'said') return fact;
  if (isDay(name)) return sayDay(fact, language);
  if (/^\d{1,15}(\.\d{1,15})?$/.test(fact)) return Number(fact);
  const said = sayPart(fact, messages, language);
  return said === fact ? withNumbers(fact, language) : said;
}

/** null: the message did not write it. */
function readFacts(text: string, message: string): Record<string, string> | null {
  const [begin = '', ...rest] = message.split(/\{(\w+)\}/);
  if (!text.startsWith(begin)) return null;
  const facts: Record<string, string> = {};
  let at = begin.length;
  for (let index = 0; index < rest.length; index += 2) {
    const [name = '', literal = ''] = [rest[index], rest[index + 1]];
    const end = findEnd(text, at, { name, literal, isLast: index + 2 === rest.length });
    if (end <= at || !text.startsWith(literal, end)) return null;
    facts[name] = text.slice(at, end);
    at = end + literal.length;
  }
  return at === text.length ? facts : null;
}

function findEnd(
  text: string,
  at: number,
  { name, literal, isLast }: { name: string; literal: string; isLast: boolean },
): number {
  if (isLast) return text.length - literal.length;
  if (isDay(name)) return at + (DAY.exec(text.slice(at, at + 10))?.[0].length ?? 0);
  return text.indexOf(literal, at);
}

const isDay = (name: string): boolean => name.toLowerCase().endsWith('day');

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY = /^(\d{1,2}) ([A-Z][a-z]{2})|^day \?/;

/** `3 Nov`, of whichever year. */
export const writeDay = (date: Date): string =>
  Number.isNaN(date.getTime()) ? 'day ?' : `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;

function sayDay(written: string, { tag }: Language): string {
  const [, day, month = ''] = DAY.exec(written) ?? [];
  if (day === undefined) return written;
  return new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    // A leap year.
    Date.UTC(2024, MONTHS.indexOf(month), Number(day)),
  );
}
