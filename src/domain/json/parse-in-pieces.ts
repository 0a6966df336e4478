// JSON of many megabytes, a piece at a time, so that others are answered in between. What it makes is what `JSON.parse` makes.

import { message } from '../language/message.ts';
import { fault, type Refused as Why } from '../readings/refused.ts';
import { ok, type Result, refuse } from '../result.ts';
import { DEEPEST_JSON, findExcess, NOT_JSON, TOO_DEEP, tooManyParts } from './find-excess.ts';

/** So much is parsed in one go. */
const PIECE_BYTES = 32 * 1024;
/** A single text or number. */
const MOST_VALUE_BYTES = 256 * 1024;
const MOST_PARTS = 4_000_000;

export type JsonRefusal = 'no_json' | 'too_deep' | 'too_many_parts' | 'value_too_large';

/** For whoever sent it. */
export const JSON_REFUSALS: Record<JsonRefusal, Why> = {
  no_json: NOT_JSON,
  too_deep: TOO_DEEP,
  too_many_parts: tooManyParts(MOST_PARTS),
  value_too_large: fault(message('a value within the JSON takes more than {most} kB'), {
    most: MOST_VALUE_BYTES / 1024,
  }),
};

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [SPACE, TAB, LINE_END, RETURN] = [0x20, 0x09, 0x0a, 0x0d];
const UTF8 = new TextDecoder('utf-8');

/** An array or object that is longer than a piece. */
interface Open {
  value: unknown[] | Record<string, unknown>;
  /** Under which it stands in the one around it. */
  key: string;
  /** Something of it was parsed, so that nothing more has to follow a comma. */
  isBegun: boolean;
}

class Refused extends Error {
  readonly refusal: JsonRefusal;
  constructor(refusal: JsonRefusal) {
    super();
    this.refusal = refusal;
  }
}

/** Stops after each piece. */
export function* parseInPieces(text: Uint8Array): Generator<void, Result<unknown, JsonRefusal>> {
  try {
    return ok(yield* parse(text));
  } catch (error) {
    if (error instanceof Refused) return refuse(error.refusal);
    if (error instanceof SyntaxError) return refuse('no_json');
    throw error;
  }
}

function* parse(text: Uint8Array): Generator<void, unknown> {
  const decode = (from: number, to: number) => UTF8.decode(text.subarray(from, to));
  const skipSpaces = (from: number): number => {
    let at = from;
    while (at < text.length && isSpace(text[at] as number)) at += 1;
    return at;
  };
  const expectEnd = (from: number): void => {
    if (skipSpaces(from) < text.length) throw new SyntaxError();
  };
  const opens: Open[] = [];
  let parts = 0;
  /** Where what was not parsed yet begins, and the last of the entries in it. */
  let runAt = 0;
  let entryAt = 0;
  let at = skipSpaces(0);
  let depth = 0;
  let isInText = false;

  const begin = (from: number, key: string): void => {
    const byte = text[from];
    if (byte !== OPEN_ARRAY && byte !== OPEN_OBJECT) throw new Refused('value_too_large');
    opens.push({ value: byte === OPEN_ARRAY ? [] : {}, key, isBegun: false });
    runAt = from + 1;
    entryAt = runAt;
    at = runAt;
    depth = 0;
    isInText = false;
  };
  /** The entries from `runAt` on. */
  const parseRun = (open: Open, end: number): void => {
    if (Array.isArray(open.value)) {
      for (const one of JSON.parse(`[${decode(runAt, end)}]`) as unknown[]) open.value.push(one);
    } else {
      const read = JSON.parse(`{${decode(runAt, end)}}`) as Record<string, unknown>;
      for (const key of Object.keys(read)) put(open.value, key, read[key]);
    }
    open.isBegun = true;
  };
  /** An entry that does not end within a piece is gone into. */
  const enter = (open: Open): void => {
    if (entryAt > runAt) parseRun(open, entryAt - 1);
    let from = skipSpaces(entryAt);
    let key = '';
    if (!Array.isArray(open.value)) {
      const end = endOfText(text, from);
      key = JSON.parse(decode(from, end)) as string;
      from = skipSpaces(end);
      if (typeof key !== 'string' || text[from] !== COLON) throw new SyntaxError();
      from = skipSpaces(from + 1);
    }
    open.isBegun = true;
    begin(from, key);
  };

  if (text.length - at <= PIECE_BYTES) {
    const all = decode(at, text.length);
    // So short a text has never too many parts.
    if (findExcess(all) !== null) throw new Refused('too_deep');
    return JSON.parse(all);
  }
  begin(at, '');
  while (at < text.length) {
    const open = opens.at(-1) as Open;
    const byte = text[at];
    if (at - entryAt > PIECE_BYTES && depth > 0) {
      enter(open);
      yield;
      continue;
    }
    if (at - entryAt > MOST_VALUE_BYTES) throw new Refused('value_too_large');
    if (isInText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (byte === COLON) parts += 1;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1;
      parts += 1;
      if (opens.length + depth > DEEPEST_JSON) throw new Refused('too_deep');
    } else if (byte === COMMA) {
      parts += 1;
      if (depth === 0) {
        entryAt = at + 1;
        if (at - runAt >= PIECE_BYTES) {
          parseRun(open, at);
          runAt = entryAt;
          yield;
        }
      }
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      if (depth > 0) depth -= 1;
      else if (close(open, byte)) {
        expectEnd(at + 1);
        return open.value;
      }
    }
    if (parts > MOST_PARTS) throw new Refused('too_many_parts');
    at += 1;
  }
  throw new SyntaxError();

  /** true: it was the outermost. */
  function close(open: Open, byte: number): boolean {
    if ((byte === CLOSE_ARRAY) !== Array.isArray(open.value)) throw new SyntaxError();
    const isEmpty = skipSpaces(runAt) === at;
    if (!isEmpty) parseRun(open, at);
    else if (open.isBegun) throw new SyntaxError();
    opens.pop();
    const around = opens.at(-1);
    if (!around) return true;
    if (Array.isArray(around.value)) around.value.push(open.value);
    else put(around.value, open.key, open.value);
    const next = skipSpaces(at + 1);
    const follows = text[next];
    if (follows === COMMA) {
      at = next;
      runAt = next + 1;
      entryAt = runAt;
    } else if (follows === CLOSE_ARRAY || follows === CLOSE_OBJECT) {
      // Nothing more comes, and nothing has to.
      around.isBegun = false;
      at = next - 1;
      runAt = next;
      entryAt = next;
    } else throw new SyntaxError();
    return false;
  }
}

const isSpace = (byte: number): boolean =>
  byte === SPACE || byte === LINE_END || byte === RETURN || byte === TAB;

/** Where the text that begins there has ended. */
function endOfText(text: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** As an own property, whatever it is called. */
function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
