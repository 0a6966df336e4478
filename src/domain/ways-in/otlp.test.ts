import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finish } from '../../../test/support/finish.ts';
import { sayRejected } from '../readings/telemetry.ts';
import type { WayPost } from './gather-readings.ts';
import { type OtlpEncoding, readOtlp } from './otlp.ts';
import type { SourceSettings } from './source-settings.ts';
import { bytesField, doubleField, fixed64Field, wholeField, writeMessage } from './write-protobuf.ts';

const NOW = Date.parse('2026-11-15T03:00:00Z');

interface SentPoint {
  value?: number;
  /** Sent as whole number. */
  isWhole?: boolean;
  at?: number;
  flags?: number;
  attributes?: Record<string, string>;
}
interface SentMetric {
  name: string;
  unit?: string;
  kind?: 'gauge' | 'sum' | 'histogram';
  points: SentPoint[];
}

const KINDS = { gauge: 5, sum: 7, histogram: 9 };
const attributesField = (field: number, attributes: Record<string, string> = {}) =>
  Object.entries(attributes).map(([key, value]) =>
    bytesField(field, writeMessage(bytesField(1, key), bytesField(2, bytesField(1, value)))),
  );
const nanoseconds = (at: number) => BigInt(at) * 1_000_000n;

function writeProtobuf(resource: Record<string, string>, metrics: SentMetric[]): Uint8Array {
  const written = metrics.map(({ name, unit = '', kind = 'gauge', points }) =>
    bytesField(
      2,
      writeMessage(
        bytesField(1, name),
        bytesField(3, unit),
        bytesField(
          KINDS[kind],
          writeMessage(
            ...points.map(({ value, isWhole, at = NOW, flags = 0, attributes }) =>
              bytesField(
                1,
                writeMessage(
                  fixed64Field(3, nanoseconds(at)),
                  ...(value === undefined
                    ? []
                    : [isWhole ? fixed64Field(6, BigInt(value)) : doubleField(4, value)]),
                  ...attributesField(7, attributes),
                  wholeField(8, flags),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  );
  return bytesField(
    1,
    writeMessage(
      bytesField(2, writeMessage(...written)),
      // After what was measured on it, as is allowed.
      bytesField(1, writeMessage(...attributesField(1, resource))),
    ),
  );
}

function writeJson(resource: Record<string, string>, metrics: SentMetric[]): Uint8Array {
  const attributesOf = (attributes: Record<string, string> = {}) =>
    Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  const numberOf = (value: number) => (Number.isFinite(value) ? value : String(value));
  const body = {
    resourceMetrics: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeMetrics: [
          {
            metrics: metrics.map(({ name, unit, kind = 'gauge', points }) => ({
              name,
              unit,
              [kind]: {
                dataPoints: points.map(({ value, isWhole, at = NOW, flags, attributes }) => ({
                  timeUnixNano: String(nanoseconds(at)),
                  ...(value !== undefined &&
                    (isWhole ? { asInt: String(value) } : { asDouble: numberOf(value) })),
                  flags,
                  attributes: attributesOf(attributes),
                })),
              },
            })),
          },
        ],
      },
    ],
  };
  return new TextEncoder().encode(JSON.stringify(body));
}

function read(body: Uint8Array, encoding: OtlpEncoding, settings: SourceSettings = {}) {
  const reading = readOtlp(body, { encoding, settings, receivedAt: NOW });
  let step = reading.next();
  while (!step.done) step = reading.next();
  return step.value;
}
const entriesOf = (post: WayPost | string) =>
  typeof post === 'string'
    ? post
    : post.entries.map(({ target, at, values, faults }) => [
        (target as { device: string }).device,
        at,
        Object.fromEntries(values.map(([name, value]) => [name, value])),
        ...(faults ? [faults] : []),
      ]);

describe.each<[OtlpEncoding, typeof writeJson]>([
  ['protobuf', writeProtobuf],
  ['json', writeJson],
])('%s', (encoding, write) => {
  const ULT = { 'device.id': 'ULT-1' };
  test.each<[string, Record<string, string>, SentMetric[], SourceSettings, unknown]>([
    ['a gauge', ULT, [{ name: 't', points: [{ value: -79.5 }] }], {}, [['ULT-1', NOW, { t: -79.5 }]]],
    [
      'a sum of whole numbers, also below zero',
      ULT,
      [{ name: 'n', kind: 'sum', points: [{ value: -7, isWhole: true, at: NOW - 1 }] }],
      {},
      [['ULT-1', NOW - 1, { n: -7 }]],
    ],
    ['a value of 0', ULT, [{ name: 't', points: [{ value: 0 }] }], {}, [['ULT-1', NOW, { t: 0 }]]],
    [
      'the attribute of a point before that of what it was measured on',
      { device: 'gateway' },
      [{ name: 't', points: [{ value: 1, attributes: { device: 'probe' } }] }],
      {},
      [['probe', NOW, { t: 1 }]],
    ],
    [
      'the service, if nothing else names the device',
      { 'service.name': 'incubator' },
      [{ name: 't', points: [{ value: 1 }] }],
      {},
      [['incubator', NOW, { t: 1 }]],
    ],
    [
      'the attribute that the settings name',
      { device: 'no', room: '12' },
      [{ name: 't', points: [{ value: 1 }] }],
      { device_label: 'room' },
      [['12', NOW, { t: 1 }]],
    ],
    [
      'a unit of °F',
      ULT,
      [{ name: 't', unit: '[degF]', points: [{ value: 212 }] }],
      {},
      [['ULT-1', NOW, { t: 100 }]],
    ],
    [
      'a unit of K',
      ULT,
      [{ name: 't', unit: 'K', points: [{ value: 273.15 }] }],
      {},
      [['ULT-1', NOW, { t: 0 }]],
    ],
    [
      'a unit of °C',
      ULT,
      [{ name: 't', unit: 'Cel', points: [{ value: 5 }] }],
      {},
      [['ULT-1', NOW, { t: 5 }]],
    ],
    [
      'a unit of which the settings know better',
      ULT,
      [{ name: 't', unit: 'K', points: [{ value: 5 }] }],
      { units: { t: '°C' } },
      [['ULT-1', NOW, { t: 5 }]],
    ],
    [
      'metrics that are listed, by their attributes',
      ULT,
      [
        {
          name: 't',
          points: [
            { value: 1, attributes: { probe: '1' } },
            { value: 2, attributes: { probe: '2' } },
          ],
        },
        { name: 'cpu', points: [{ value: 3 }] },
      ],
      { metrics: { 't{probe="2"}': 'temperature' } },
      [['ULT-1', NOW, { temperature: 2 }]],
    ],
    ['a point without a value', ULT, [{ name: 't', points: [{ value: 1, flags: 1 }, {}] }], {}, []],
    [
      'a number that is none is a fault',
      ULT,
      [{ name: 't', points: [{ value: Number.NaN }] }],
      {},
      [['ULT-1', NOW, {}, ['t']]],
    ],
  ])('%s', (_, resource, metrics, settings, expected) =>
    expect(entriesOf(read(write(resource, metrics), encoding, settings))).toEqual(expected),
  );

  test('what cannot be taken is refused, point by point', () => {
    const metrics: SentMetric[] = [
      { name: 'h', kind: 'histogram', points: [{}, {}] },
      { name: '', points: [{ value: 1 }] },
      { name: 't', points: [{ value: 1 }, { value: 2, attributes: { device: 'd' } }] },
    ];
    const post = read(write({}, metrics), encoding) as WayPost;
    expect(post.entries).toHaveLength(1);
    expect(sayRejected(post.rejected)).toEqual([
      { index: 0, reason: 'h is neither gauge nor sum' },
      { index: 0, reason: 'h is neither gauge nor sum' },
      { index: 1, reason: 'a metric has no name' },
      {
        index: 2,
        reason: 't has no attribute device, device.id, host.name, service.name that names the device',
      },
    ]);
  });

  test('more points than a request may hold', () => {
    const points = Array.from({ length: 10_001 }, () => ({ value: 1 }));
    expect(read(write(ULT, [{ name: 't', points }]), encoding)).toBe('too_many');
  });

  test('many points, metrics and empty parts are read in pieces', () => {
    const points = Array.from({ length: 2_000 }, () => ({ value: 1 }));
    const metrics = Array.from({ length: 500 }, (_, n) => ({ name: `m${n}`, points: [] }));
    for (const sent of [[{ name: 't', points }], metrics]) {
      const reading = readOtlp(write(ULT, sent), { encoding, settings: {}, receivedAt: NOW });
      expect(finish(reading).stretches).toBeGreaterThan(30);
    }
  });

  test('any bytes make a post, or cannot be read', () => {
    const good = write(ULT, [{ name: 't', points: [{ value: 1, attributes: { a: 'b' } }] }]);
    const damaged = fc
      .tuple(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length))
      .map(([at, byte, end]) => good.with(at, byte).subarray(0, end));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 100 }), damaged), (bytes) => {
        const post = read(bytes, encoding);
        if (typeof post === 'string') expect(post).toBe('unreadable');
      }),
      { numRuns: 2_000 },
    );
  });
});

test('a metric that cannot be read costs no other', () => {
  const good = writeProtobuf({ device: 'd' }, [{ name: 't', points: [{ value: 1 }] }]);
  const bad = bytesField(1, bytesField(2, bytesField(2, Uint8Array.of(10, 9))));
  const post = read(writeMessage(bad, good), 'protobuf') as WayPost;
  expect(sayRejected(post.rejected)).toEqual([{ index: 0, reason: 'a metric is cut off' }]);
  expect(post.entries).toHaveLength(1);
  const json = `{"resourceMetrics":[{"resource":{"attributes":[{"key":"device","value":{"intValue":"7"}}]},"scopeMetrics":[
    {"metrics":[{"name":"a","gauge":{"dataPoints":[{"asInt":"x"}]}},{"name":"b","gauge":{"dataPoints":[{"asInt":3}]}}]}]}]}`;
  const fromJson = read(new TextEncoder().encode(json), 'json') as WayPost;
  expect(sayRejected(fromJson.rejected)).toEqual([
    { index: 0, reason: 'a metric has a number that is none' },
  ]);
  expect(entriesOf(fromJson)).toEqual([['7', NOW, { b: 3 }]]);
});
