import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CsvRecord,
  type CsvStart,
  createCsvReader,
  FROM_THE_BEGINNING,
  findSeparator,
} from './read-csv.ts';

function read(content: string | Buffer, start: CsvStart = FROM_THE_BEGINNING, cuts: number[] = []) {
  const bytes = Buffer.from(content as string);
  const reader = createCsvReader(start);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const records: CsvRecord[] = [];
  for (const [index, edge] of edges.slice(1).entries()) {
    records.push(...reader.push(bytes.subarray(edges[index], edge)));
  }
  return [...records, ...reader.end()];
}
const fieldsOf = (records: CsvRecord[]) =>
  records.map((record) => ('fields' in record ? record.fields : record.fault));

describe('what a file may look like', () => {
  test.each([
    [
      'plain lines',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'no line break at the end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'line breaks of Windows',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a byte order mark',
      '\uFEFFa;b\n1;2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1,5\t2\n',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'quotes with separators, quotes and line breaks in them',
      'a,b\n"1,""x""\ny",2\n',
      [
        ['a', 'b'],
        ['1,"x"\ny', '2'],
      ],
    ],
    [
      'a quote inside a field is a character',
      'a,b\n5" pipe,2\n',
      [
        ['a', 'b'],
        ['5" pipe', '2'],
      ],
    ],
    [
      'blank lines',
      '\n\na,b\n\r\n1,2\n  \n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'empty fields',
      'a,b\n,\n',
      [
        ['a', 'b'],
        ['', ''],
      ],
    ],
    ['nothing', '', []],
  ])('%s', (_, content, expected) => expect(fieldsOf(read(content))).toEqual(expected));

  test('the line of a record is where it begins', () => {
    const records = read('a,b\n\n"x\ny",1\nz,2\n');
    expect(records.map(({ line, nextLine }) => [line, nextLine])).toEqual([
      [1, 2],
      [3, 5],
      [5, 6],
    ]);
  });

  test('a quote that is never closed costs its own line only', () => {
    const lines = Array.from({ length: 50 }, (_, index) => `${index},1`);
    const records = read(['a,b', '"open,1', ...lines, '"open at the end,2', '7,8'].join('\n'));
    const fault = 'a quote is opened and never closed';
    expect(fieldsOf(records)).toEqual([
      ['a', 'b'],
      fault,
      ...lines.map((line) => line.split(',')),
      fault,
      ['7', '8'],
    ]);
  });

  test('other encodings are found out line by line', () => {
    const latin1 = Buffer.concat([
      Buffer.from('a,b\n1,2\n'),
      Buffer.from('°C,3\n', 'latin1'),
      Buffer.from('°C,4\n'),
    ]);
    expect(fieldsOf(read(latin1))).toEqual([['a', 'b'], ['1', '2'], 'is not UTF-8 text', ['°C', '4']]);
    expect(fieldsOf(read(Buffer.from('\uFEFFa,b\n', 'utf16le')))[0]).toBe('is not UTF-8 text');
    expect(fieldsOf(read('a,\uFFFD\n'))).toEqual([['a', '\uFFFD']]);
  });

  test('a line without an end is left behind, the next one is read', () => {
    const reader = createCsvReader(FROM_THE_BEGINNING);
    const records = reader.push(Buffer.from('a,b\n'));
    for (let chunk = 0; chunk < 5; chunk += 1) records.push(...reader.push(Buffer.alloc(512 * 1024, 'x')));
    records.push(...reader.push(Buffer.from('\n1,2\n')), ...reader.end());
    expect(fieldsOf(records)).toEqual([['a', 'b'], 'the line is too long', ['1', '2']]);
    expect(records.at(-1)).toMatchObject({ line: 3, nextLine: 4 });
  });

  test.each([
    ['time,device,value', ','],
    ['time;device;value, in °C', ';'],
    ['time\tdevice', '\t'],
    ['"time, UTC, local";value', ';'],
  ])('the separator of %j is %j', (header, separator) => expect(findSeparator(header)).toBe(separator));
});

const separators = fc.constantFrom(',' as const, ';' as const, '\t' as const);
const character = fc.oneof(
  fc.constantFrom('"', ',', ';', '\t', '\n', '\r', ' ', '°', '😀'),
  fc.string({ maxLength: 3, unit: 'grapheme' }),
);
const field = fc.array(character, { maxLength: 4 }).map((characters) => characters.join(''));
const grid = fc
  .integer({ min: 2, max: 4 })
  .chain((width) =>
    fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
  );
const write = (rows: string[][], separator: string, newline: string) =>
  rows
    .map((row) =>
      row.map((text) => (/[",;\t\n\r\uFEFF]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)),
    )
    .map((row) => row.join(separator) + newline)
    .join('');

describe('properties', () => {
  test('what was written is read, however the bytes are cut', () => {
    fc.assert(
      fc.property(
        grid,
        separators,
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.nat(), { maxLength: 5 }),
        (rows, separator, newline, cuts) => {
          const records = read(write(rows, separator, newline), { separator, line: 1, offset: 0 }, cuts);
          expect(fieldsOf(records)).toEqual(rows);
        },
      ),
    );
  });

  test('from the end of any record the others follow, with the same lines and offsets', () => {
    fc.assert(
      fc.property(grid, separators, fc.nat(), (rows, separator, pick) => {
        const content = Buffer.from(write(rows, separator, '\n'));
        const records = read(content, { separator, line: 1, offset: 0 });
        const index = pick % records.length;
        const { endOffset, nextLine } = records[index] as CsvRecord;
        const others = read(content.subarray(endOffset), { separator, line: nextLine, offset: endOffset });
        expect(others).toEqual(records.slice(index + 1));
      }),
    );
  });

  test('any bytes at all end at the end of the file', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(), { maxLength: 3 }), (bytes, cuts) => {
        const records = read(Buffer.from(bytes), FROM_THE_BEGINNING, cuts);
        expect(records).toEqual(read(Buffer.from(bytes)));
        expect(records.every(({ endOffset }) => endOffset <= bytes.length)).toBe(true);
      }),
    );
  });
});
