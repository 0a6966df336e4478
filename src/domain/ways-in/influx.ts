// InfluxDB line protocol: `measurement[,tag=value…] field=value[,field=value…] [timestamp]`, one line after the other.
import type { Instant } from '../instant.ts';
import { message } from '../language/message.ts';
import { fault, type Refused } from '../readings/refused.ts';
import type { PostFault } from '../readings/telemetry.ts';
import { type Gathering, openGathering, type WayPost } from './gather-readings.ts';
import { flag, text } from './read-settings.ts';
import { textOf, type WayOfOthers, type WayRules } from './way-in.ts';

/** How many digits of a timestamp are finer than milliseconds, or how many milliseconds one is. */
type Precision = { finer: number } | { milliseconds: number };

const NANOSECONDS: Precision = { finer: 6 };
const MICROSECONDS: Precision = { finer: 3 };
const MILLISECONDS: Precision = { milliseconds: 1 };
const SECONDS: Precision = { milliseconds: 1_000 };

/** In the words of versions 1, 2 and 3. */
const PRECISIONS = new Map<string, Precision>([
  ['', NANOSECONDS],
  ['n', NANOSECONDS],
  ['ns', NANOSECONDS],
  ['nanosecond', NANOSECONDS],
  ['u', MICROSECONDS],
  ['us', MICROSECONDS],
  ['µ', MICROSECONDS],
  ['microsecond', MICROSECONDS],
  ['ms', MILLISECONDS],
  ['millisecond', MILLISECONDS],
  ['s', SECONDS],
  ['second', SECONDS],
  ['m', { milliseconds: 60_000 }],
  ['h', { milliseconds: 3_600_000 }],
]);

interface InfluxSettings {
  /** The tag that names the device. */
  device_tag?: string;
  /** Channels are called measurement.field. */
  prefix_measurement?: boolean;
}

interface InfluxAddress {
  precision: Precision;
}

export const influx: WayOfOthers<InfluxSettings, InfluxAddress> = {
  settings: { device_tag: text, prefix_measurement: flag },
  isRadio: false,
  read: (body, address, rules) => readInflux(textOf(body), { ...address, ...rules }),
  tryOut: null,
};

/** null: there is no such precision. */
export const readPrecision = (word: string): Precision | null => PRECISIONS.get(word) ?? null;

const DEVICE_TAGS = ['device', 'dev_eui', 'name', 'host'];
/** So much is read in one go. */
const PIECE_CHARACTERS = 64 * 1024;
const PIECE_LINES = 500;
const LONGEST_LINE = 64 * 1024;
const LONGEST_NUMBER = 100;

const [TAB, LINE_END, RETURN, SPACE, QUOTE, HASH] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x23];
const [COMMA, EQUALS, BACKSLASH, NONE] = [0x2c, 0x3d, 0x5c, -1];
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const NO_NUMBER = /^[+-]?(nan|inf|infinity)$/i;
const WHOLE = /^[+-]?\d+[iu]$/;
const TIMESTAMP = /^-?\d{1,19}$/;
const TRUTHS: Record<string, boolean> = {
  ...Object.fromEntries(['t', 'T', 'true', 'True', 'TRUE'].map((word) => [word, true])),
  ...Object.fromEntries(['f', 'F', 'false', 'False', 'FALSE'].map((word) => [word, false])),
};

/** What is wrong with a line. No error, for the stack of one costs more than a line. */
class LineFault {
  readonly why: Refused;
  constructor(why: Refused) {
    this.why = why;
  }
}

const NO_TAG_NAME = fault(message('has a tag without a name'));
const NO_TAG_VALUE = fault(message('has a tag without a value'));
const NO_VALUE = fault(message('has a field without a value'));

/** Stops after each piece, so that others can be answered. The index of an entry is that of its line. */
export function* readInflux(
  text: string,
  { settings, precision, receivedAt }: InfluxAddress & WayRules<InfluxSettings>,
): Generator<void, WayPost | PostFault> {
  const gathering = openGathering(settings, receivedAt, 'device');
  const tags = settings.device_tag === undefined ? DEVICE_TAGS : [settings.device_tag];
  const lines = openLines(text, gathering, {
    tags,
    precision,
    isPrefixed: settings.prefix_measurement === true,
  });
  let pieceEnd = PIECE_CHARACTERS;
  for (let line = 0, at = 0; at < text.length; line += 1) {
    at = lines.read(at, line);
    const surplus = gathering.findSurplus();
    if (surplus) return surplus;
    if (at < pieceEnd && (line + 1) % PIECE_LINES > 0) continue;
    pieceEnd = at + PIECE_CHARACTERS;
    yield;
  }
  return gathering.post;
}

interface LineRules {
  tags: readonly string[];
  precision: Precision;
  isPrefixed: boolean;
}

function openLines(text: string, gathering: Gathering, { tags, precision, isPrefixed }: LineRules) {
  let at = 0;
  /** Further than this a line may not go. */
  let end = 0;
  /** Fields of the line that is being read: names and values in turn. */
  const fields: unknown[] = [];

  /** A line is taken whole or refused. Answers with where the next one begins. */
  return {
    read(from: number, line: number): number {
      at = from;
      end = Math.min(from + LONGEST_LINE, text.length);
      try {
        readLine(line);
        return at + 1;
      } catch (error) {
        if (!(error instanceof LineFault)) throw error;
        gathering.refuse(line, error.why);
        // A text that nobody closed may have run through lines that are good.
        const next = text.indexOf('\n', from);
        return next < 0 ? text.length : next + 1;
      }
    },
  };

  function readLine(line: number): void {
    skipSpaces();
    if (isAtEnd()) return;
    if (text.charCodeAt(at) === HASH) {
      const next = text.indexOf('\n', at);
      at = next < 0 ? text.length : next;
      return;
    }
    const measurement = readWord(COMMA, SPACE);
    if (measurement === '') throw new LineFault(fault(message('has no measurement')));
    const device = readTags();
    skipSpaces();
    readFields();
    skipSpaces();
    const deviceAt = isAtEnd() ? null : readTimestamp();
    if (device === null)
      throw new LineFault(
        fault(message('has no tag {tags} that names the device'), { tags: tags.join(', ') }),
      );
    if (!gathering.begin({ index: line, device, deviceAt, networkAt: null })) return;
    for (let field = 0; field < fields.length; field += 2) {
      const name = fields[field] as string;
      gathering.add(isPrefixed ? `${measurement}.${name}` : name, fields[field + 1]);
    }
  }

  /** The value of the tag that comes first in the list. */
  function readTags(): string | null {
    let device: string | null = null;
    let rank = tags.length;
    while (text.charCodeAt(at) === COMMA) {
      at += 1;
      const key = readWord(EQUALS, NONE);
      expect(EQUALS, key === '' ? NO_TAG_NAME : NO_TAG_VALUE);
      const value = readWord(COMMA, SPACE);
      if (value === '') throw new LineFault(NO_TAG_VALUE);
      const place = tags.indexOf(key);
      if (place < 0 || place >= rank) continue;
      device = value;
      rank = place;
    }
    return device;
  }

  function readFields(): void {
    fields.length = 0;
    if (isAtEnd()) throw new LineFault(fault(message('has no field')));
    for (;;) {
      const key = readWord(EQUALS, NONE);
      if (key === '') throw new LineFault(fault(message('has a field without a name')));
      expect(EQUALS, NO_VALUE);
      fields.push(key, text.charCodeAt(at) === QUOTE ? readText() : readValue(key));
      if (text.charCodeAt(at) !== COMMA) break;
      at += 1;
    }
    if (!isAtEnd() && !isSpace(text.charCodeAt(at)))
      throw new LineFault(fault(message('does not end after a field')));
  }

  function readValue(key: string): unknown {
    const word = readWord(COMMA, SPACE);
    const isShort = word.length <= LONGEST_NUMBER;
    if (isShort && NUMBER.test(word)) return Number(word);
    if (isShort && WHOLE.test(word)) return Number(word.slice(0, -1));
    if (Object.hasOwn(TRUTHS, word)) return TRUTHS[word];
    if (NO_NUMBER.test(word)) return Number.NaN;
    throw new LineFault(
      fault(message('field {field}: {text} is no value'), {
        field: key.slice(0, 60),
        text: JSON.stringify(word.slice(0, 60)),
      }),
    );
  }

  /** May hold line ends. */
  function readText(): string {
    const from = at + 1;
    let isEscaped = false;
    for (at = from; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) {
        isEscaped = true;
        at += 1;
      } else if (code === QUOTE) {
        at += 1;
        const inside = text.slice(from, at - 1);
        return isEscaped ? inside.replaceAll(/\\(["\\])/g, '$1') : inside;
      }
    }
    expectRoom();
    throw new LineFault(fault(message('has a text without an end')));
  }

  /** Up to one of these, or the end of the line. */
  function readWord(stop: number, other: number): string {
    const from = at;
    let isEscaped = false;
    for (; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (code === stop || code === other || code === LINE_END || code === RETURN) break;
      if (code !== BACKSLASH) continue;
      const next = text.charCodeAt(at + 1);
      if (next !== COMMA && next !== EQUALS && next !== SPACE && next !== BACKSLASH) continue;
      isEscaped = true;
      at += 1;
    }
    expectRoom();
    const word = text.slice(from, at);
    return isEscaped ? word.replaceAll(/\\([,= \\])/g, '$1') : word;
  }

  function readTimestamp(): Instant {
    const word = readWord(SPACE, NONE);
    skipSpaces();
    if (!TIMESTAMP.test(word) || !isAtEnd())
      throw new LineFault(
        fault(message('{text} is no timestamp'), { text: JSON.stringify(word.slice(0, 60)) }),
      );
    // Nanoseconds are more than a number can hold.
    if ('finer' in precision) return Number(word.slice(0, -precision.finer) || '0');
    return Number(word) * precision.milliseconds;
  }

  function expect(code: number, missing: Refused): void {
    if (text.charCodeAt(at) !== code) throw new LineFault(missing);
    at += 1;
  }

  function skipSpaces(): void {
    while (at < end && isSpace(text.charCodeAt(at))) at += 1;
    expectRoom();
  }

  function expectRoom(): void {
    if (at >= end && end < text.length)
      throw new LineFault(fault(message('is longer than {most} kB'), { most: LONGEST_LINE / 1024 }));
  }

  function isAtEnd(): boolean {
    return at >= text.length || text.charCodeAt(at) === LINE_END;
  }
}

const isSpace = (code: number): boolean => code === SPACE || code === TAB || code === RETURN;
