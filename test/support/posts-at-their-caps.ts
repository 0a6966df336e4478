// Posts as large, as deep and as strange as each way in takes them, for whoever measures how long they are read.
import type { SourceSettings } from '../../src/domain/ways-in/source-settings.ts';
import {
  bytesField,
  doubleField,
  fixed64Field,
  wholeField,
  writeMessage,
} from '../../src/domain/ways-in/write-protobuf.ts';

export const NOW = Date.parse('2026-11-15T03:00:00Z');
const [KB, MB] = [1024, 1024 * 1024];
const MESSAGE = MB;
const POST = 16 * MB;
const UTF8 = new TextEncoder();

const fill = (text: string, length: number): string => text.repeat(Math.floor(length / text.length));
const list = <Value>(length: number, make: (index: number) => Value): Value[] =>
  Array.from({ length }, (_, index) => make(index));
const object = (length: number, make: (index: number) => unknown, name = 'k') =>
  Object.fromEntries(list(length, (index) => [`${name}${index}`, make(index)]));

function repeat(bytes: Uint8Array, times: number): Uint8Array {
  const repeated = new Uint8Array(bytes.length * times);
  if (times > 0) repeated.set(bytes);
  for (let filled = bytes.length; filled < repeated.length; filled *= 2)
    repeated.copyWithin(filled, 0, filled);
  return repeated;
}

export const INFLUX: Record<string, string> = {
  'as many lines as a post may hold': list(10_000, (n) => `m,device=d t=${n} ${NOW}000000`).join('\n'),
  'a number without end': `m,device=d t=${'1'.repeat(POST - 100)}x`,
  'a line of fields': `m,device=d ${list(900_000, (n) => `t${n}=1`).join(',')}`,
  'a line of tags': `m${fill(',a=b', POST - 10)} t=1`,
  'a line of spaces': fill(' ', POST),
  'escapes without end': `m,device=d a${fill('\\,', POST - 20)}`,
  'lines that are none': fill('x\n', POST),
};

const point = bytesField(
  1,
  writeMessage(
    fixed64Field(3, BigInt(NOW) * 1_000_000n),
    doubleField(4, 1),
    bytesField(7, writeMessage(bytesField(1, 'device'), bytesField(2, bytesField(1, 'd')))),
  ),
);
const request = (data: Uint8Array) =>
  bytesField(1, bytesField(2, bytesField(2, writeMessage(bytesField(1, 't'), bytesField(5, data)))));

export const OTLP_PROTOBUF: Record<string, () => Uint8Array> = {
  'as many points as a post may hold': () => request(repeat(point, 10_000)),
  'ten times as many points': () => request(repeat(point, 100_000)),
  'empty parts': () => repeat(bytesField(1, ''), POST / 2),
  'fields that nobody knows': () => repeat(wholeField(3, 1), POST / 2),
  'a point of fields that nobody knows': () => request(bytesField(1, repeat(wholeField(30, 1), 100_000))),
};

const jsonPoint = { timeUnixNano: `${NOW}000000`, asDouble: 1 };
const resource = { attributes: [{ key: 'device', value: { stringValue: 'd' } }] };
const jsonRequest = (metrics: unknown[]) =>
  UTF8.encode(JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] }));

export const OTLP_JSON: Record<string, () => Uint8Array> = {
  'points of one metric': () =>
    jsonRequest([{ name: 't', gauge: { dataPoints: list(90_000, () => jsonPoint) } }]),
  'metrics of one point': () =>
    jsonRequest(list(9_000, (n) => ({ name: `m${n}`, gauge: { dataPoints: [jsonPoint] } }))),
  'empty parts': () => UTF8.encode(`{"resourceMetrics":[${fill('{},', POST - 100)}{}]}`),
  'attributes of one point': () =>
    jsonRequest([
      { name: 't', gauge: { dataPoints: [{ ...jsonPoint, attributes: list(90_000, () => ({})) }] } },
    ]),
};

const label = (name: string, value: string) =>
  bytesField(1, writeMessage(bytesField(1, name), bytesField(2, value)));
const sample = bytesField(2, writeMessage(doubleField(1, 1), wholeField(2, NOW)));

export const PROMETHEUS: Record<
  string,
  { version: 1 | 2; settings: SourceSettings; body: () => Uint8Array }
> = {
  'samples of one series': {
    version: 1,
    settings: { metrics: ['t'] },
    body: () =>
      bytesField(1, writeMessage(label('__name__', 't'), label('device', 'd'), repeat(sample, 99_999))),
  },
  'symbols that nobody needs': {
    version: 2,
    settings: { metrics: ['t'] },
    body: () => repeat(bytesField(4, 'abcdef'), 99_999),
  },
  'fields that nobody knows': {
    version: 1,
    settings: {},
    body: () => repeat(wholeField(3, 1), POST / 2),
  },
  'a thousand labels by three hundred rules': {
    version: 1,
    settings: {
      metrics: Object.fromEntries(list(300, (n) => [`t{l990="",l991="",l992="",l993="",x="${n}"}`, `c${n}`])),
    },
    body: () =>
      repeat(
        bytesField(1, writeMessage(label('__name__', 't'), ...list(990, (n) => label(`l${n}`, '')))),
        200,
      ),
  },
};

const many = (rule: (index: number) => unknown): SourceSettings =>
  ({ mapping: { each: '/list/*', device: '/id', values: object(490, rule, 'c') } }) as SourceSettings;
const post = (items: number, item: unknown, rest: object = {}) =>
  UTF8.encode(JSON.stringify({ ...rest, list: list(items, () => item) }));
const alone = (lines: object): SourceSettings => ({ mapping: { device: '/id', ...lines } }) as SourceSettings;

export const MAPPED: Record<string, { settings: SourceSettings; body: Uint8Array }> = {
  '490 lines over 10,000 items': {
    settings: many((n) => `/a/b${n}`),
    body: post(10_000, { id: 'a', a: {} }),
  },
  '490 lines over one text in pieces': {
    settings: many((n) => ({ path: '^/v', part: ['|', n] })),
    body: post(1_000, { id: 'a' }, { v: '|'.repeat(9_999) }),
  },
  '490 lines over a text in each item': {
    settings: many((n) => ({ path: '/v', part: ['|', n] })),
    body: post(100, { id: 'a', v: '|'.repeat(9_999) }),
  },
  'everything else of a large item': {
    settings: alone({ rest: 'take' }),
    body: UTF8.encode(JSON.stringify({ id: 'a', ...object(70_000, (n) => n) })),
  },
  'a name without end above many others': {
    settings: alone({ rest: 'take' }),
    body: UTF8.encode(JSON.stringify({ id: 'a', ['k'.repeat(250 * KB)]: object(40_000, (n) => n) })),
  },
  'a number without end': {
    settings: alone({ values: { v: { path: '/v', number: true } } }),
    body: UTF8.encode(JSON.stringify({ id: 'a', v: `${'1'.repeat(250 * KB)}x` })),
  },
  'a payload without end': {
    settings: { ...alone({ payload: { path: '/v', encoding: 'hex' } }), codec: 'x' },
    body: UTF8.encode(JSON.stringify({ id: 'a', v: '1'.repeat(250 * KB) })),
  },
  'empty ones': { settings: alone({ each: '/*' }), body: UTF8.encode(`[${fill('{},', MESSAGE - 10)}{}]`) },
};

/** Within what a text of a message may have. */
export const LARGE_OBJECT = object(29_000, (n) => n);
export const LARGE_LIST = list(9_900, (n) => ({ a: n }));

export const ANNOUNCEMENTS: Record<string, string> = {
  'a hundred parts that inherit much': JSON.stringify({
    ...object(3_000, (n) => n, 'x'),
    availability: list(400, (n) => ({ topic: `a/${n}` })),
    cmps: object(100, (n) => ({ p: 'sensor', stat_t: `s/${n}`, val_tpl: '{{ value_json.a | int }}' }), 't'),
  }),
  'templates that are none': JSON.stringify({
    cmps: object(100, () => ({ p: 'sensor', stat_t: 's', val_tpl: `{{ value ${'|int  '.repeat(80)}` }), 't'),
  }),
};

export const YAML: Record<string, string> = {
  'keys within keys': fill('? ', 19_800),
  'brackets within brackets': fill('[', 19_800),
  'a mapping of 490 channels': [
    'mapping:',
    '  device: /id',
    '  values:',
    ...list(490, (n) => `    channel${n}: /data/value${n}`),
  ].join('\n'),
  commas: `[${','.repeat(5_900)}]`,
  'escapes that are none': `"${'\\q'.repeat(5_900)}"`,
  directives: fill('%a\n', 17_000),
  'keys that are empty': fill(':\n', 11_000),
};
