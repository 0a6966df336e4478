// The JSON array of a large post, a piece at a time, so that others can be answered in between.
import { findExcess } from '../../domain/json/find-excess.ts';

/** About as much of the text as is read in one go. */
const PIECE_BYTES = 64 * 1024;
export const MOST_ENTRY_BYTES = 256 * 1024;

/** One entry alone would be read in one go. */
export class EntryTooLarge extends Error {}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const SPACES = [0x20, 0x09, 0x0a, 0x0d];

/** Where it begins. null: the text is no array. */
export function findArray(text: Buffer): number | null {
  let start = 0;
  while (start < MOST_ENTRY_BYTES && SPACES.includes(text[start] ?? 0)) start += 1;
  return text[start] === OPEN_ARRAY ? start : null;
}

/** The elements of the array that begins there, some at a time; throws where `JSON.parse` would. */
export function* readInPieces(text: Buffer, start: number): Generator<unknown[]> {
  let depth = 1;
  let isInText = false;
  /** Where the piece begins, and the entry. */
  let pieceAt = start + 1;
  let entryAt = pieceAt;
  let isFirst = true;
  for (let at = pieceAt; at < text.length; at += 1) {
    const byte = text[at];
    if (at - entryAt > MOST_ENTRY_BYTES) throw new EntryTooLarge();
    if (isInText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth -= 1;
      if (depth > 0) continue;
      const last = parsePiece(text, pieceAt, at);
      const isEmptyAfterComma = last.length === 0 && !isFirst;
      if (byte !== CLOSE_ARRAY || isEmptyAfterComma || hasMore(text, at + 1))
        throw new SyntaxError('The array does not end as it should');
      yield last;
      return;
    } else if (byte === COMMA && depth === 1) {
      entryAt = at + 1;
      if (at - pieceAt < PIECE_BYTES) continue;
      yield parsePiece(text, pieceAt, at);
      pieceAt = entryAt;
      isFirst = false;
    }
  }
  throw new SyntaxError('The array has no end');
}

function parsePiece(body: Buffer, from: number, to: number): unknown[] {
  const text = `[${body.toString('utf8', from, to)}]`;
  if (to - from > 2 * PIECE_BYTES && findExcess(text) !== null) throw new EntryTooLarge();
  return JSON.parse(text);
}

function hasMore(text: Buffer, from: number): boolean {
  if (text.length - from > MOST_ENTRY_BYTES) throw new EntryTooLarge();
  return text.subarray(from).some((byte) => !SPACES.includes(byte));
}
