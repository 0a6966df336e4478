import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTime } from '../../domain/readings/telemetry.ts';
import { type CsvLayout, readLayout } from './csv-layout.ts';
import { readCsvTime, readCsvValue, readLine } from './read-readings-csv.ts';

const DEVICE = { device: 'freezer-1' };
const layoutOf = (header: string, target: Parameters<typeof readLayout>[1] = null): CsvLayout => {
  const layout = readLayout(header.split(','), target);
  if (!layout.ok) throw new Error(layout.refusal);
  return layout.value;
};

describe('the header', () => {
  test('long, in any order and case, other columns ignored', () => {
    expect(layoutOf('Device,VALUE,Unit,channel, Timestamp ')).toEqual({
      kind: 'long',
      count: 5,
      time: 4,
      target: 0,
      channel: 3,
      value: 1,
      ignored: ['Unit'],
    });
  });

  test('long without a device, the way readings are downloaded', () => {
    expect(layoutOf('time,channel,value,unit', { serviceId: 7 })).toMatchObject({
      kind: 'long',
      target: { serviceId: 7 },
    });
  });

  test('wide, with and without a device', () => {
    const channels = [
      { column: 2, name: 'temperature' },
      { column: 3, name: 'CO2 %' },
    ];
    expect(layoutOf('time,device,temperature,CO2 %,')).toMatchObject({ kind: 'wide', target: 1, channels });
    expect(layoutOf('time,temperature', DEVICE)).toMatchObject({
      target: DEVICE,
      channels: [{ column: 1, name: 'temperature' }],
    });
  });

  test.each([
    ['date,device,temperature', null, 'has no column named time or timestamp in its first line'],
    ['time,timestamp,device,temperature', null, 'has both a time and a timestamp column'],
    [
      'time,temperature',
      null,
      'has no device column: say whose readings they are with --device or --service',
    ],
    ['time,device,temperature', DEVICE, 'has a device column: leave out --device and --service'],
    ['time,device,', null, 'has no column with values'],
    ['time,device,a,A', null, 'has two columns named a'],
  ])('%s is refused', (header, target, refusal) => {
    expect(readLayout(header.split(','), target)).toEqual({ ok: false, refusal });
  });
});

describe('a line', () => {
  const long = layoutOf('time,device,channel,value');
  const wide = layoutOf('time,device,temperature,door');
  const at = '2026-11-15T02:00:00Z';

  test.each([
    [
      'a long line',
      long,
      [at, 'a', 'temperature', ' -71.5 '],
      { device: 'a', time: at, values: { temperature: -71.5 } },
    ],
    [
      'a wide line',
      wide,
      [at, 'a', '-71,5', 'TRUE'],
      { device: 'a', time: at, values: { temperature: -71.5, door: true } },
    ],
    ['empty cells of a wide line', wide, [at, 'a', '', '0'], { device: 'a', time: at, values: { door: 0 } }],
    ['nothing but empty cells', wide, [at, 'a', '', ''], null],
    [
      'separators at the end',
      wide,
      [at, 'a', '1', '', '', ''],
      { device: 'a', time: at, values: { temperature: 1 } },
    ],
  ])('%s is read', (_, layout, fields, entry) => {
    expect(readLine(layout, fields, true)).toEqual({ entry, faults: [] });
  });

  test.each([
    ['too few fields', long, [at, 'a', 'temperature'], ['has 3 fields, but the first line has 4']],
    [
      'a decimal comma between commas',
      long,
      [at, 'a', 'temperature', '-71', '5'],
      ['has 5 fields, but the first line has 4'],
    ],
    ['no time', long, ['', 'a', 'temperature', '1'], ['time is missing']],
    [
      'seconds',
      long,
      ['1794708000', 'a', 'temperature', '1'],
      ['time looks like seconds: epoch milliseconds are expected'],
    ],
    ['no value', long, [at, 'a', 'temperature', ''], ['temperature: no value']],
    [
      'words',
      wide,
      [at, 'a', 'cold', 'NaN'],
      ['temperature: "cold" is not a number', 'door: "NaN" is not a number'],
    ],
  ])('%s is refused', (_, layout, fields, faults) => {
    expect(readLine(layout, fields, false)).toEqual({ entry: null, faults });
  });

  test('a bad cell does not cost the good ones', () => {
    expect(readLine(wide, [at, 'a', 'cold', '1'], false)).toEqual({
      entry: { device: 'a', time: at, values: { door: 1 } },
      faults: ['temperature: "cold" is not a number'],
    });
  });
});

describe('times and values', () => {
  const expected = Date.UTC(2026, 10, 15, 2);
  test.each([
    '2026-11-15T02:00:00Z',
    '2026-11-15 02:00',
    '2026-11-15 02:00:00.000',
    '2026-11-15 04:00:00 +02:00',
    '2026-11-15 02:00:00 Z',
    String(expected),
  ])('%s', (text) => expect(readTime(readCsvTime(text))).toBe(expected));

  test.each(['15.11.2026 02:00', '2026-11-15', 'yesterday'])('%s is no time', (text) =>
    expect(readTime(readCsvTime(text))).toBeNull(),
  );

  test.each(['', '1.234,5', '1,234,5', '0x10', 'Infinity', '1e999', '--1', '1 000'])(
    '%j is no value',
    (text) => expect(readCsvValue(text, true)).toBeNull(),
  );

  test('every finite number is read back, with a point or a comma', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(readCsvValue(String(value), false)).toBe(Number(String(value)));
        expect(readCsvValue(String(value).replace('.', ','), true)).toBe(Number(String(value)));
      }),
    );
  });
});
