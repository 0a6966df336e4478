import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finish } from '../../../test/support/finish.ts';
import { sayRejected } from '../readings/telemetry.ts';
import type { WayPost } from './gather-readings.ts';
import { readInflux, readPrecision } from './influx.ts';
import type { SourceSettings } from './source-settings.ts';

const NOW = Date.parse('2026-11-15T03:00:00Z');

function read(text: string, settings: SourceSettings = {}, precision = ''): WayPost {
  const reading = readInflux(text, {
    settings,
    precision: readPrecision(precision) ?? { finer: 6 },
    receivedAt: NOW,
  });
  let step = reading.next();
  while (!step.done) step = reading.next();
  if (typeof step.value === 'string') throw new Error(step.value);
  return step.value;
}
/** device, time, values as they are told apart. */
const entriesOf = (text: string, settings?: SourceSettings, precision?: string) =>
  read(text, settings, precision).entries.map(({ target, at, values }) => [
    (target as { device: string }).device,
    at,
    Object.fromEntries(values.map(([name, value]) => [name, value])),
  ]);

describe('lines as they come from the field', () => {
  test.each<[string, string, unknown]>([
    [
      'Telegraf polling Modbus',
      'incubator,device=INC-12,host=gw,slave_id=1,type=input_register temperature=37.1,humidity=95.2 1794711540000000000',
      [['INC-12', 1_794_711_540_000, { temperature: 37.1, humidity: 95.2 }]],
    ],
    [
      'Telegraf on OPC UA, with a quality in words',
      'opcua,device=chiller,id=ns\\=2;s\\=T1 Temperature=4.25,Quality="The operation succeeded. StatusGood (0x0)"',
      [['chiller', NOW, { Temperature: 4.25 }]],
    ],
    [
      '1-Wire through a script',
      'ds18b20,device=28-0316a2794fff temperature=-18.4\n',
      [['28-0316a2794fff', NOW, { temperature: -18.4 }]],
    ],
    [
      'SNMP, with whole numbers',
      'ups,device=ups1 battery=97i,load=12u,runtime=3600i',
      [['ups1', NOW, { battery: 97, load: 12, runtime: 3600 }]],
    ],
    [
      "ChirpStack's own integration",
      'device_frmpayload_data_temperature,application_name=lab,dev_eui=0101010101010101,f_port=1 value=-79.8',
      [['0101010101010101', NOW, { value: -79.8 }]],
    ],
    ['a tag before another', 'm,host=gw,name=freezer,dev_eui=aa,device=bb t=1', [['bb', NOW, { t: 1 }]]],
    ['the host at last', 'cpu,cpu=cpu0,host=server usage=1.5', [['server', NOW, { usage: 1.5 }]]],
    [
      'truths in all spellings',
      'm,device=d a=t,b=True,c=FALSE,d=f',
      [['d', NOW, { a: 1, b: 1, c: 0, d: 0 }]],
    ],
    [
      'words for states',
      'm,device=d door="open",lid="Closed",state="fine"',
      [['d', NOW, { door: 1, lid: 0 }]],
    ],
    [
      'everything escaped',
      'my\\ meas\\,x,ta\\=g=v,device=Freezer\\ 1\\,\\ left room\\ temp=2.5,te\\=xt="a \\"b\\", c=d e"',
      [['Freezer 1, left', NOW, { 'room temp': 2.5 }]],
    ],
    [
      'comments, empty lines and Windows line ends',
      '# a comment\r\n\r\nm,device=d t=1\r\n',
      [['d', NOW, { t: 1 }]],
    ],
    [
      'a text over two lines',
      'm,device=d note="one\ntwo",t=1\nm,device=e t=2',
      [
        ['d', NOW, { t: 1 }],
        ['e', NOW, { t: 2 }],
      ],
    ],
    ['exponents', 'm,device=d a=-1.234456e+2,b=.5,c=1.', [['d', NOW, { a: -123.4456, b: 0.5, c: 1 }]]],
  ])('%s', (_, text, entries) => expect(entriesOf(text)).toEqual(entries));

  test.each([
    ['ns', '1794711540123456789', 1_794_711_540_123],
    ['us', '1794711540123456', 1_794_711_540_123],
    ['ms', '1794711540123', 1_794_711_540_123],
    ['s', '1794711540', 1_794_711_540_000],
    ['m', '29911859', 1_794_711_540_000],
    ['h', '498530', 1_794_708_000_000],
  ])('a time in %s', (precision, time, at) =>
    expect(entriesOf(`m,device=d t=1 ${time}`, {}, precision)).toEqual([['d', at, { t: 1 }]]),
  );

  test('other words for precisions', () => {
    expect(readPrecision('n')).toEqual(readPrecision('nanosecond'));
    expect(readPrecision('µ')).toEqual(readPrecision('us'));
    expect(readPrecision('fortnight')).toBeNull();
  });
});

describe('settings', () => {
  test.each<[string, SourceSettings, string, unknown]>([
    ['another tag', { device_tag: 'sensor' }, 'm,sensor=s1,device=d t=1', [['s1', NOW, { t: 1 }]]],
    ['the measurement in front', { prefix_measurement: true }, 'm,device=d t=1', [['d', NOW, { 'm.t': 1 }]]],
    ['Fahrenheit', { units: { t: '°F' } }, 'm,device=d t=-112', [['d', NOW, { t: -80 }]]],
    ['Kelvin', { units: { t: 'K' } }, 'm,device=d t=193.15', [['d', NOW, { t: -80 }]]],
    [
      'a contact that opens',
      { invert: ['contact'] },
      'm,device=d contact="open"',
      [['d', NOW, { contact: 0 }]],
    ],
    ['what nobody needs', { ignore: ['up'] }, 'm,device=d up=1,t=2', [['d', NOW, { t: 2 }]]],
    [
      'a logger with two probes',
      { split: { t1: '#1', h1: '#1 humidity', t2: '#2' } },
      'm,device=d t1=-80,t2=4,h1=40,battery=90',
      [
        ['d', NOW, { battery: 90 }],
        ['d#1', NOW, { temperature: -80, humidity: 40 }],
        ['d#2', NOW, { temperature: 4 }],
      ],
    ],
    ['our clock', { clock: 'receipt' }, 'm,device=d t=1 1794711540000000000', [['d', NOW, { t: 1 }]]],
  ])('%s', (_, settings, text, entries) => expect(entriesOf(text, settings)).toEqual(entries));
});

test.each([
  ['11 minutes ahead', NOW + 660_000],
  ['before 2020', 0],
])('a time %s becomes that of receipt, and the clock is suspect', (_, time) => {
  const post = read(`m,device=D t=1 ${time}`, {}, 'ms');
  expect(post.entries.map(({ at }) => at)).toEqual([NOW]);
  expect([...post.suspects]).toEqual(['D']);
});

test('what a probe cannot measure is a fault, and no reading', () => {
  expect(read('m,device=d t=NaN,h="Sensor no connection",b=90').entries).toMatchObject([
    { values: [['b', 90, false]], faults: ['t', 'h'] },
  ]);
});

test.each([
  ['nothing but a measurement', 'm', 'has no field'],
  ['no field', 'm,device=d', 'has no field'],
  ['a field without a value', 'm,device=d t=', 'field t: "" is no value'],
  ['a field that is text', 'm,device=d t=warm', 'field t: "warm" is no value'],
  ['a hexadecimal number', 'm,device=d t=0x10', 'field t: "0x10" is no value'],
  ['a tag without a value', 'm,device= t=1', 'has a tag without a value'],
  [
    'no tag that names a device',
    'm,room=1 t=1',
    'has no tag device, dev_eui, name, host that names the device',
  ],
  ['a time in words', 'm,device=d t=1 now', '"now" is no timestamp'],
  ['too much', 'm,device=d t=1 1 2', '"1" is no timestamp'],
  ['a text without an end', 'm,device=d t="open', 'has a text without an end'],
  ['something after a text', 'm,device=d t="open"x', 'does not end after a field'],
  ['no measurement', ',device=d t=1', 'has no measurement'],
  ['a number without end', `m,device=d t=${'1'.repeat(60_000)}x`, `field t: "${'1'.repeat(60)}" is no value`],
  ['a line of many tags', `m${',a=b'.repeat(90_000)} t=1`, 'is longer than 64 kB'],
  ['a line of many fields', `m,device=d ${'t=1,'.repeat(90_000)}t=1`, 'is longer than 64 kB'],
  ['spaces without end', `m,device=d t=1${' '.repeat(90_000)}1`, 'is longer than 64 kB'],
  ['a text without end', `m,device=d t="${'x'.repeat(90_000)}"`, 'is longer than 64 kB'],
])('refuses %s, and takes the lines around it', (_, line, reason) => {
  const post = read(`m,device=a t=1\n${line}\nm,device=b t=2`);
  expect(sayRejected(post.rejected)).toEqual([{ index: 1, reason }]);
  expect(post.entries.map(({ target }) => target)).toEqual([{ device: 'a' }, { device: 'b' }]);
});

test('very many bad lines are read in pieces', () => {
  const text = 'x\n'.repeat(20_000);
  const { value: post, stretches } = finish(
    readInflux(text, { settings: {}, precision: { finer: 6 }, receivedAt: NOW }),
  );
  expect((post as WayPost).rejected).toHaveLength(20_000);
  expect(stretches).toBeGreaterThan(20);
});

const NAME = fc
  .array(fc.constantFrom(...'aZ9 ,=.é°-_'), { minLength: 1, maxLength: 12 })
  .map((letters) => `n${letters.join('')}e`);
const quote = (text: string) => text.replaceAll(/[,= ]/g, '\\$&');

test('what was written by the rules is read as it was meant', () => {
  const sent = fc.record({
    device: NAME,
    at: fc.integer({ min: Date.UTC(2020, 0, 1), max: NOW }),
    values: fc.dictionary(
      NAME,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      {
        minKeys: 1,
        maxKeys: 4,
      },
    ),
  });
  fc.assert(
    fc.property(fc.array(sent, { minLength: 1, maxLength: 5 }), (all) => {
      const lines = all.map(
        ({ device, at, values }) =>
          `m,device=${quote(device)} ${Object.entries(values)
            .map(([name, value]) => `${quote(name)}=${value}`)
            .join(',')} ${at}000000`,
      );
      expect(entriesOf(lines.join('\n'))).toEqual(
        all.map(({ device, at, values }) => [device, at, { ...values }]),
      );
    }),
  );
});

test('any text is read without an exception, and good lines survive it', () => {
  const hostile = fc.string({ unit: fc.constantFrom(...'m,= "\\\n\r\t#di1-.eNat') });
  fc.assert(
    fc.property(hostile, (text) => {
      const { entries } = read(`m,device=first t=1\n${text}\nm,device=last t=2`);
      const devices = entries.map(({ target }) => (target as { device: string }).device);
      expect(devices[0]).toBe('first');
      for (const { values } of entries)
        for (const [, value] of values) expect(value).toSatisfy(Number.isFinite);
      // A text that was opened may go on to the end of its own line, and no further.
      if (!text.includes('"') && !text.endsWith('\\')) expect(devices.at(-1)).toBe('last');
    }),
  );
});
