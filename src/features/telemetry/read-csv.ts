// Bytes of a CSV file become records, wherever the chunks happen to be cut. Each record knows where it ends, so that
// reading can go on from there another time.
import { isUtf8 } from 'node:buffer';

export type Separator = ',' | ';' | '\t';

interface RecordPosition {
  /** Of the record's first line, counted from 1. */
  line: number;
  nextLine: number;
  /** Bytes from the beginning of the file to the next record. */
  endOffset: number;
}

export type CsvRecord = RecordPosition & ({ fields: string[] } | { fault: string });

export interface CsvStart {
  /** null: found out from the first line. */
  separator: Separator | null;
  line: number;
  offset: number;
}

export interface CsvReader {
  push(chunk: Buffer): CsvRecord[];
  /** The last line may lack its line break. */
  end(): CsvRecord[];
  /** null until the first line has been read. */
  separator(): Separator | null;
}

export const FROM_THE_BEGINNING: CsvStart = { separator: null, line: 1, offset: 0 };

const LONGEST_LINE_BYTES = 1024 * 1024;
// A quote that nobody closes must not swallow the rest of the file.
const MOST_LINES_PER_RECORD = 20;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export function createCsvReader(start: CsvStart): CsvReader {
  let { separator, line, offset } = start;
  let rest: Buffer = Buffer.alloc(0);
  let isSkipping = false;

  /** The record of `lines` lines at the beginning of the rest is over: here is its place. */
  function leave(length: number, lines: number): RecordPosition {
    const place = { line, nextLine: line + lines, endOffset: offset + length };
    rest = rest.subarray(length);
    line += lines;
    offset += length;
    return place;
  }

  /** null: it may go on after the bytes that are there. */
  function readRecord(isEnd: boolean): CsvRecord | null {
    if (isSkipping) return skipLine();
    let firstLength = 0;
    for (let lines = 1, from = 0; lines <= MOST_LINES_PER_RECORD; lines += 1) {
      const newlineAt = rest.indexOf(NEWLINE, from);
      if (newlineAt < 0 && !isEnd) return rest.length > LONGEST_LINE_BYTES ? startSkipping() : null;
      const length = newlineAt < 0 ? rest.length : newlineAt + 1;
      if (lines === 1) firstLength = length;
      const read = readFields(rest.subarray(0, newlineAt < 0 ? length : newlineAt));
      if (read !== 'open quote') return { ...leave(length, lines), ...read };
      if (newlineAt < 0) break;
      from = length;
    }
    return { ...leave(firstLength, 1), fault: 'a quote is opened and never closed' };
  }

  function readFields(bytes: Buffer): { fields: string[] } | { fault: string } | 'open quote' {
    const isFirst = offset === 0;
    if (isFirst && (bytes[0] === 0xff || bytes[0] === 0xfe)) return { fault: 'is not UTF-8 text' };
    const hasMark = isFirst && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
    const hasReturn = bytes[bytes.length - 1] === RETURN;
    const text = bytes.toString('utf8', hasMark ? 3 : 0, bytes.length - (hasReturn ? 1 : 0));
    if (text.includes('\uFFFD') && !isUtf8(bytes)) return { fault: 'is not UTF-8 text' };
    if (text.trim() !== '') separator ??= findSeparator(text);
    const fields = splitFields(text, separator ?? ',');
    return fields === null ? 'open quote' : { fields };
  }

  function startSkipping(): CsvRecord {
    isSkipping = true;
    return { ...leave(rest.length, 0), fault: 'the line is too long' };
  }

  function skipLine(): null {
    const newlineAt = rest.indexOf(NEWLINE);
    isSkipping = newlineAt < 0;
    leave(isSkipping ? rest.length : newlineAt + 1, isSkipping ? 0 : 1);
    return null;
  }

  function readAll(isEnd: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    while (rest.length > 0) {
      const wasSkipping = isSkipping;
      const record = readRecord(isEnd);
      if (record && !isBlank(record)) records.push(record);
      if (!record && !wasSkipping) break;
    }
    return records;
  }

  return {
    push(chunk) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      return readAll(false);
    },
    end: () => readAll(true),
    separator: () => separator,
  };
}

const isBlank = (record: CsvRecord) =>
  'fields' in record && record.fields.length === 1 && record.fields[0]?.trim() === '';

const SEPARATORS: readonly Separator[] = [';', '\t', ','];

/** The one that occurs most often outside quotes. */
export function findSeparator(header: string): Separator {
  const bare = header.replace(/"[^"]*"/g, '');
  const count = (separator: Separator) => bare.split(separator).length - 1;
  return SEPARATORS.reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

/** null: a quote is still open at the end of the text. */
function splitFields(text: string, separator: Separator): string[] | null {
  if (!text.includes('"')) return text.split(separator);
  const fields: string[] = [];
  for (let at = 0; ; ) {
    let field = '';
    if (text[at] === '"') {
      const quoted = readQuoted(text, at + 1);
      if (!quoted) return null;
      field = quoted.field;
      at = quoted.end;
    }
    const next = text.indexOf(separator, at);
    fields.push(field + text.slice(at, next < 0 ? undefined : next));
    if (next < 0) return fields;
    at = next + 1;
  }
}

function readQuoted(text: string, from: number): { field: string; end: number } | null {
  let field = '';
  for (let at = from; ; ) {
    const quoteAt = text.indexOf('"', at);
    if (quoteAt < 0) return null;
    field += text.slice(at, quoteAt);
    if (text[quoteAt + 1] !== '"') return { field, end: quoteAt + 1 };
    field += '"';
    at = quoteAt + 2;
  }
}
