// Sentences that are stored in English because nothing else is kept of them, and said again in the language of whoever reads them.
import type { WithFacts } from '../language/message.ts';
import type { Language } from '../language/speak.ts';
import { withNumbers } from './alarm-message.ts';
import { readFacts } from './read-facts.ts';

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
    const facts = readFacts(text, message, lengthOf);
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

/** A day has a space in it. */
const lengthOf = (name: string, rest: string): number | null =>
  isDay(name) ? (DAY.exec(rest.slice(0, 10))?.[0].length ?? 0) : null;

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
