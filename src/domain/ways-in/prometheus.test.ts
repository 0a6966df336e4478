import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SentSeries, writeRequest1, writeRequest2 } from '../../../test/support/remote-write.ts';
import { english } from '../language/english.ts';
import { sayRefused } from '../readings/refused.ts';
import { sayRejected } from '../readings/telemetry.ts';
import type { WayPost } from './gather-readings.ts';
import { type RemoteWriteVersion, readRemoteWrite } from './prometheus.ts';
import type { SourceSettings } from './source-settings.ts';
import { bytesField, doubleField, wholeField, writeMessage } from './write-protobuf.ts';

const NOW = Date.parse('2026-11-15T03:00:00Z');
const STALE_MARKER = 0x7ff0000000000002n;
const NO_NUMBER = 0x7ff8000000000001n;
const WRITERS = { 1: writeRequest1, 2: writeRequest2 };
const VERSIONS: RemoteWriteVersion[] = [1, 2];

function readBytes(body: Uint8Array, version: RemoteWriteVersion, settings: SourceSettings): WayPost {
  const reading = readRemoteWrite(body, { version, settings, receivedAt: NOW });
  let step = reading.next();
  while (!step.done) step = reading.next();
  if (typeof step.value === 'string') throw new Error(step.value);
  return step.value;
}
const listing = { metrics: { temp: 'temperature' } };
const read = (series: SentSeries[], version: RemoteWriteVersion, settings: SourceSettings = listing) =>
  readBytes(WRITERS[version](series), version, settings);
const entriesOf = ({ entries }: WayPost) =>
  entries.map(({ target, at, values, faults }) => [
    (target as { device: string }).device,
    at,
    Object.fromEntries(values.map(([name, value]) => [name, value])),
    ...(faults ? [faults] : []),
  ]);
const series = (labels: Record<string, string>, ...samples: SentSeries['samples']): SentSeries => ({
  labels: { __name__: 'temp', ...labels },
  samples,
});

describe.each(VERSIONS)('version %s.0', (version) => {
  test.each<[string, SentSeries[], SourceSettings, unknown]>([
    [
      'samples of a series',
      [series({ device: 'ULT-1', job: 'lab' }, [-80, NOW - 60_000], [-79.5, NOW])],
      listing,
      [
        ['ULT-1', NOW - 60_000, { temperature: -80 }],
        ['ULT-1', NOW, { temperature: -79.5 }],
      ],
    ],
    ['a value of 0', [series({ device: 'd' }, [0, NOW])], listing, [['d', NOW, { temperature: 0 }]]],
    [
      'the instance, if nothing else names the device',
      [series({ instance: '10.0.0.7:9100' }, [1, NOW])],
      listing,
      [['10.0.0.7:9100', NOW, { temperature: 1 }]],
    ],
    [
      'the label that the settings name',
      [series({ device: 'no', freezer: 'F1' }, [1, NOW])],
      { ...listing, device_label: 'freezer' },
      [['F1', NOW, { temperature: 1 }]],
    ],
    [
      'a list of metrics, called as they are sent',
      [series({ device: 'd' }, [1, NOW])],
      { metrics: ['temp'] },
      [['d', NOW, { temp: 1 }]],
    ],
    [
      'series notified apart by their labels',
      [
        series({ device: 'd', probe: '1' }, [1, NOW]),
        series({ device: 'd', probe: '2' }, [2, NOW]),
        series({ device: 'd', probe: '3' }, [3, NOW]),
      ],
      { metrics: { 'temp{probe="1"}': 'inside', 'temp{ probe="2", device="d" }': 'outside' } },
      [
        ['d', NOW, { inside: 1 }],
        ['d', NOW, { outside: 2 }],
      ],
    ],
    [
      'metrics that nobody listed are left out',
      [series({ device: 'd', __name__: 'up' }, [1, NOW]), series({ device: 'd' }, [1, NOW])],
      listing,
      [['d', NOW, { temperature: 1 }]],
    ],
    ['the stale marker is no value', [series({ device: 'd' }, [STALE_MARKER, NOW])], listing, []],
    [
      'other values that are no number are faults',
      [series({ device: 'd' }, [NO_NUMBER, NOW], [Number.POSITIVE_INFINITY, NOW])],
      listing,
      [
        ['d', NOW, {}, ['temperature']],
        ['d', NOW, {}, ['temperature']],
      ],
    ],
    [
      'units that the name says',
      [
        series({ device: 'd', __name__: 'room_kelvin' }, [293.15, NOW]),
        series({ device: 'd', __name__: 'x_fahrenheit' }, [212, NOW]),
      ],
      { metrics: { room_kelvin: 'room', x_fahrenheit: 'x' } },
      [
        ['d', NOW, { room: 20 }],
        ['d', NOW, { x: 100 }],
      ],
    ],
    [
      'a time nobody can believe',
      [series({ device: 'd' }, [1, 0])],
      listing,
      [['d', NOW, { temperature: 1 }]],
    ],
  ])('%s', (_, sent, settings, expected) =>
    expect(entriesOf(read(sent, version, settings))).toEqual(expected),
  );

  test('counts what was not refused, taken or not', () => {
    const post = read(
      [
        series({ device: 'd' }, [1, NOW], [STALE_MARKER, NOW]),
        { ...series({ device: 'd', __name__: 'up' }, [1, NOW]), histograms: 2, exemplars: 3 },
        series({}, [1, NOW]),
        { labels: { device: 'd' }, samples: [[1, NOW]] },
      ],
      version,
    );
    expect(post.counted).toEqual({ samples: 3, histograms: 2, exemplars: 3 });
    expect(sayRejected(post.rejected)).toEqual([
      { index: 2, reason: 'temp has no label device, dev_eui, instance that names the device' },
      { index: 3, reason: 'the series has no label __name__' },
    ]);
  });

  test('names what comes while nothing is listed', () => {
    const post = read([series({ device: 'd' }, [1, NOW]), series({ __name__: 'up' }, [1, NOW])], version, {});
    expect([post.entries, post.rejected]).toEqual([[], []]);
    expect(post.notes?.map((note) => sayRefused(note, english))).toEqual([
      'temp is not among the metrics of the settings',
      'up is not among the metrics of the settings',
    ]);
  });

  test('a body that is torn off keeps what was whole', () => {
    const body = WRITERS[version]([series({ device: 'd' }, [1, NOW]), series({ device: 'e' }, [2, NOW])]);
    const post = readBytes(body.subarray(0, -3), version, listing);
    // Version 2 cannot be read without all of its symbols.
    expect(entriesOf(post)).toEqual(version === 1 ? [['d', NOW, { temperature: 1 }]] : []);
    expect(sayRejected(post.rejected)).toMatchObject([{ reason: 'the request is cut off' }]);
  });

  test('any bytes make a post', () => {
    const good = WRITERS[version]([series({ device: 'd', probe: 'a' }, [1, NOW], [2, NOW])]);
    const damaged = fc
      .tuple(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length))
      .map(([at, byte, end]) => good.with(at, byte).subarray(0, end));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 100 }), damaged), (bytes) => {
        for (const { values } of readBytes(bytes, version, listing).entries)
          for (const [, value] of values) expect(value).toSatisfy(Number.isFinite);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('a bad series costs no other', () => {
  const good = series({ device: 'd' }, [1, NOW]);
  test('of version 1', () => {
    const bad = bytesField(1, writeMessage(bytesField(1, Uint8Array.of(10, 9)), doubleField(2, 1)));
    const post = readBytes(writeMessage(bad, writeRequest1([good])), 1, listing);
    expect(sayRejected(post.rejected)).toEqual([{ index: 0, reason: 'the series is cut off' }]);
    expect(post.entries).toHaveLength(1);
  });

  test.each<[string, Uint8Array, string]>([
    [
      'a symbol that is not there',
      bytesField(1, Uint8Array.of(1, 99)),
      'refers to a symbol that is not there',
    ],
    ['half a label', wholeField(1, 1), 'has a label without a value'],
    ['a text that is not UTF-8', bytesField(1, Uint8Array.of(1, 5)), 'has a text that is not UTF-8'],
  ])('of version 2: %s', (_, labels, reason) => {
    const body = writeMessage(
      writeRequest2([good]),
      bytesField(4, Uint8Array.of(255)),
      bytesField(5, labels),
    );
    const post = readBytes(body, 2, listing);
    expect(sayRejected(post.rejected)).toEqual([{ index: 1, reason: `the series ${reason}` }]);
    expect(post.entries).toHaveLength(1);
  });
});

test('more symbols or samples than a request may hold', () => {
  const symbols = writeMessage(...Array.from({ length: 100_001 }, () => Uint8Array.of(34, 0)));
  expect(() => readBytes(symbols, 2, listing)).toThrow('too_many_readings');
  const samples = Array.from({ length: 10_001 }, (): [number, number] => [1, NOW]);
  expect(() => readBytes(writeRequest1([series({ device: 'd' }, ...samples)]), 1, listing)).toThrow(
    'too_many',
  );
});
