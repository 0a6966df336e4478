// A language: what people read comes from here, in English or translated. Also for browsers; knows no catalogue.
import type { WithFacts, WithParts } from './message.ts';

/** A message as it was compiled: its text, or the pieces between its facts. */
export type Compiled = string | readonly MessagePart[];

export type MessagePart =
  | string
  | { fact: string }
  | { plural: string; offset: number; ordinal: boolean; forms: Record<string, readonly MessagePart[]> }
  | { select: string; forms: Record<string, readonly MessagePart[]> }
  | { tag: string; inside: readonly MessagePart[] };

/** By the English message, behind its context where it has one. */
export type Translations = Readonly<Record<string, Compiled>>;

export interface Language {
  /** BCP 47, as in `<html lang>`. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  /** The message, which is English, in this language. */
  say<const Message extends string>(message: Message, ...given: WithFacts<Message>): string;
  /** One English text that means two things is two messages: `sayAs('of a door', 'open')`. */
  sayAs<const Message extends string>(
    context: string,
    message: Message,
    ...given: WithFacts<Message>
  ): string;
  /** With parts that are drawn in it. */
  sayParts<const Message extends string, Part>(
    message: Message,
    ...given: WithParts<Message, Part>
  ): (string | Part)[];
  /** `−79.8`: at most so many decimals, only those that say something. */
  number(value: number, decimals?: number): string;
}

/** `7,5` instead of `7.5`. */
export const hasDecimalComma = ({ number }: Language): boolean => number(0.5).includes(',');

type Facts = Record<string, unknown>;

const MINUS = '−';
/** A name in Latin letters would run together with numbers beside it: the whole would be read in the wrong order. */
const [ISOLATE, END_OF_ISOLATE] = ['\u2068', '\u2069'];
const MANY_DIGITS = 1e15;
const MANY_COUNTS = 1000;

/** Between a context and its message; nobody types it. */
export const CONTEXT_END = '\u0004';

/** What is not translated is said in the other language, and reported. */
export function speak(
  tag: string,
  catalogue: Translations,
  fallback: { language: Language; report: (message: string) => void } | null = null,
): Language {
  const locale = new Intl.Locale(tag);
  const plurals = {
    cardinal: new Intl.PluralRules(tag),
    ordinal: new Intl.PluralRules(tag, { type: 'ordinal' }),
  };
  const numbers = new Map<number, Intl.NumberFormat>();
  const counts = new Map<number, { text: string; cardinal: string }>();

  function number(value: number, decimals = 3): string {
    let format = numbers.get(decimals);
    if (!format) {
      format = new Intl.NumberFormat(tag, { maximumFractionDigits: decimals, useGrouping: false });
      numbers.set(decimals, format);
    }
    // No signed zero; what nobody reads as digits stays short.
    const rounded = Number(value.toFixed(decimals)) + 0;
    const text = Math.abs(rounded) < MANY_DIGITS ? format.format(rounded) : String(rounded);
    return text.replace('-', MINUS);
  }

  /** What is counted is mostly a small number, and asking Intl for it takes a microsecond. */
  function countOf(count: number): { text: string; cardinal: string } {
    let known = counts.get(count);
    if (!known) {
      known = { text: number(count), cardinal: plurals.cardinal.select(count) };
      if (Number.isInteger(count) && Math.abs(count) < MANY_COUNTS) counts.set(count, known);
    }
    return known;
  }

  const direction = directionOf(locale);
  const sayFact = (fact: unknown): unknown => {
    if (typeof fact === 'string' && direction === 'rtl') return ISOLATE + fact + END_OF_ISOLATE;
    if (typeof fact !== 'number') return fact;
    return Number.isInteger(fact) ? countOf(fact).text : number(fact);
  };

  const chosen = (piece: Extract<MessagePart, { forms: unknown }>, facts: Facts): readonly MessagePart[] => {
    if ('select' in piece) return piece.forms[String(facts[piece.select])] ?? piece.forms.other ?? [];
    const count = Number(facts[piece.plural]);
    const rest = count - piece.offset;
    const form = piece.ordinal ? plurals.ordinal.select(rest) : countOf(rest).cardinal;
    return piece.forms[`=${count}`] ?? piece.forms[form] ?? piece.forms.other ?? [];
  };

  function write(pieces: readonly MessagePart[], facts: Facts): string {
    let text = '';
    for (const piece of pieces) {
      if (typeof piece === 'string') text += piece;
      else if ('fact' in piece) text += sayFact(facts[piece.fact]);
      else if ('forms' in piece) text += write(chosen(piece, facts), facts);
      else text += write(piece.inside, facts);
    }
    return text;
  }

  function draw<Part>(pieces: readonly MessagePart[], facts: Facts): (string | Part)[] {
    const drawn: (string | Part)[] = [];
    for (const piece of pieces) {
      if (typeof piece === 'string') drawn.push(piece);
      else if ('fact' in piece) drawn.push(sayFact(facts[piece.fact]) as string | Part);
      else if ('forms' in piece) drawn.push(...draw<Part>(chosen(piece, facts), facts));
      else
        drawn.push(
          (facts[piece.tag] as (inside: (string | Part)[]) => Part)(draw<Part>(piece.inside, facts)),
        );
    }
    return drawn;
  }

  const find = (key: string): Compiled | undefined =>
    Object.hasOwn(catalogue, key) ? catalogue[key] : undefined;

  const writeAll = (compiled: Compiled, facts: unknown): string =>
    typeof compiled === 'string' ? compiled : write(compiled, (facts ?? {}) as Facts);

  function askFallback(message: string): Language | undefined {
    fallback?.report(message);
    return fallback?.language;
  }

  return {
    tag,
    direction,
    number,
    say(message, ...given) {
      const compiled = find(message);
      if (compiled !== undefined) return writeAll(compiled, given[0]);
      return askFallback(message)?.say(message, ...given) ?? sayRaw(message, given[0]);
    },
    sayAs(context, message, ...given) {
      const compiled = find(context + CONTEXT_END + message);
      if (compiled !== undefined) return writeAll(compiled, given[0]);
      return askFallback(message)?.sayAs(context, message, ...given) ?? sayRaw(message, given[0]);
    },
    sayParts<Message extends string, Part>(message: Message, ...given: WithParts<Message, Part>) {
      const compiled = find(message);
      if (compiled !== undefined)
        return typeof compiled === 'string' ? [compiled] : draw<Part>(compiled, given[0] as Facts);
      return askFallback(message)?.sayParts<Message, Part>(message, ...given) ?? [sayRaw(message, given[0])];
    },
  };
}

/** English needs no catalogue for what has neither facts nor forms; of anything else that it lacks, the facts are put in. */
const sayRaw = (message: string, facts: unknown): string =>
  message.includes('{')
    ? message.replace(/\{(\w+)\}/g, (whole, name: string) => String((facts as Facts)?.[name] ?? whole))
    : message;

/** Not every engine that runs this knows it of a locale. */
const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur', 'yi', 'ps', 'ckb', 'sd']);
const directionOf = ({ language, script }: Intl.Locale): Language['direction'] =>
  RIGHT_TO_LEFT.has(language) || script === 'Arab' || script === 'Hebr' ? 'rtl' : 'ltr';
