import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finish } from '../../../test/support/finish.ts';
import type { TelemetryEntry } from '../readings/telemetry.ts';
import type { Unsettled } from './gather-readings.ts';
import { settleTimes } from './settle-times.ts';
import { readTopic } from './topics.ts';
import { readTts } from './tts.ts';

const NOW = Date.parse('2026-11-15T03:00:00Z');
const OLD = Date.UTC(2003, 4, 6, 7, 8, 9);
const MINUTE = 60_000;
const DAY = 86_400_000;

type Said = [device: string, saidAt: number | null, channel?: string];

const entryOf = (device: string, channel: string, at = NOW): TelemetryEntry => ({
  index: 0,
  target: { device },
  at,
  values: [[channel, 1, false]],
});

function settle(unsettled: Unsettled[], settled: TelemetryEntry[] = [], newestAt = NOW) {
  const entries = [...unsettled.map(({ entry }) => entry), ...settled];
  const settling = settleTimes({ entries, unsettled }, newestAt);
  let step = settling.next();
  while (!step.done) step = settling.next();
  return step.value;
}

/** How long before now each was taken, in the order they came. */
const agesOf = (said: Said[], settled: TelemetryEntry[] = []) => {
  const unsettled = said.map(([device, saidAt, channel = 't']) => ({
    entry: entryOf(device, channel),
    saidAt,
  }));
  settle(unsettled, settled);
  return unsettled.map(({ entry }) => NOW - entry.at);
};

describe('a clock that is off', () => {
  test.each<[string, Said[], number[]]>([
    [
      'keeps its intervals',
      [
        ['a', OLD],
        ['a', OLD + MINUTE],
      ],
      [MINUTE, 0],
    ],
    [
      'in whatever order they came',
      [
        ['a', OLD + MINUTE],
        ['a', OLD],
      ],
      [0, MINUTE],
    ],
    [
      'is that of the sender: its devices move together',
      [
        ['a', OLD],
        ['b', OLD + MINUTE],
      ],
      [MINUTE, 0],
    ],
    [
      'may be one of several, of which each newest is now',
      [
        ['a', OLD],
        ['b', OLD + 2 * DAY],
        ['b', OLD],
      ],
      [0, 0, 2 * DAY],
    ],
    [
      'that says the same for two readings keeps both',
      [
        ['a', OLD],
        ['a', OLD],
        ['a', OLD + MINUTE],
      ],
      [MINUTE + 1, MINUTE, 0],
    ],
    [
      'that was set meanwhile does not put readings years back',
      [
        ['a', OLD - 400 * DAY],
        ['a', OLD],
        ['a', OLD + MINUTE],
      ],
      [1, MINUTE, 0],
    ],
    [
      'is one whatever letters name the device',
      [
        ['A', OLD],
        ['a', OLD],
      ],
      [1, 0],
    ],
    [
      'beside readings without times',
      [
        ['a', OLD],
        ['a', null],
      ],
      [1, 0],
    ],
  ])('%s', (_, said, ages) => expect(agesOf(said)).toEqual(ages));
});

describe('without times', () => {
  test.each<[string, Said[], number[]]>([
    ['one is now', [['a', null]], [0]],
    [
      'readings of a channel are a millisecond apart',
      [
        ['a', null],
        ['a', null],
        ['a', null],
      ],
      [2, 1, 0],
    ],
    [
      'channels are notified at once',
      [
        ['a', null, 't'],
        ['a', null, 'door'],
      ],
      [0, 0],
    ],
    [
      'devices are notified at once',
      [
        ['a', null],
        ['b', null],
      ],
      [0, 0],
    ],
    [
      'a clock that was never set says none',
      [
        ['a', 0],
        ['a', 0],
      ],
      [1, 0],
    ],
  ])('%s', (_, said, ages) => expect(agesOf(said)).toEqual(ages));
});

test('a reading whose own time counts keeps its place', () => {
  const settled = [entryOf('a', 't', NOW), entryOf('a', 't', NOW - MINUTE), entryOf('b', 't', NOW - 1)];
  expect(
    agesOf(
      [
        ['a', OLD],
        ['a', OLD + MINUTE],
      ],
      settled,
    ),
  ).toEqual([MINUTE + 1, 1]);
  expect(settled.map(({ at }) => NOW - at)).toEqual([0, MINUTE, 1]);
});

test.each<[string, Said[], object]>([
  ['a time that nobody can believe tells it from others', [['a', OLD]], { saysTimes: true, spanMs: 0 }],
  ['the beginning of a calendar does not', [['a', 0]], { saysTimes: false, spanMs: 0 }],
  [
    'nor do readings without times, which reach back',
    [
      ['a', null],
      ['a', null],
    ],
    { saysTimes: false, spanMs: 1 },
  ],
])('%s', (_, said, settled) =>
  expect(settle(said.map(([device, saidAt]) => ({ entry: entryOf(device, 't'), saidAt })))).toEqual(settled),
);

test('whatever is said: nothing is ahead, no channel has two readings at a time, what came later is later', () => {
  const said = fc.record({
    device: fc.constantFrom('a', 'b'),
    channel: fc.constantFrom('t', 'h'),
    saidAt: fc.option(
      fc.oneof(
        fc.integer({ min: 0, max: 9 }).map((step) => OLD + step * MINUTE),
        fc.constant(0),
      ),
    ),
    isGood: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(said, { maxLength: 40 }), (list) => {
      const entries = list.map(({ device, channel }, nth) => entryOf(device, channel, NOW - nth));
      const unsettled = list.flatMap(({ saidAt, isGood }, nth) =>
        isGood ? [] : { entry: entries[nth] as TelemetryEntry, saidAt },
      );
      settle(
        unsettled,
        entries.filter((_, nth) => list[nth]?.isGood),
      );
      const names = entries.map(({ target, values, at }) => JSON.stringify([target, values[0]?.[0], at]));
      expect(new Set(names).size).toBe(names.length);
      expect(entries.every(({ at }) => at <= NOW)).toBe(true);
      for (const [later, { entry, saidAt }] of unsettled.entries())
        for (const before of unsettled.slice(0, later))
          if (before.saidAt === saidAt && isSame(before.entry, entry))
            expect(before.entry.at).toBeLessThan(entry.at);
    }),
  );
});

const isSame = (one: TelemetryEntry, other: TelemetryEntry) =>
  JSON.stringify([one.target, one.values]) === JSON.stringify([other.target, other.values]);

test('very many readings are settled a piece at a time', () => {
  const unsettled = Array.from({ length: 10_000 }, (_, nth) => ({
    entry: entryOf('a', 't'),
    saidAt: OLD + nth,
  }));
  const pieces = [...settleTimes({ entries: unsettled.map(({ entry }) => entry), unsettled }, NOW)];
  expect(pieces.length).toBeGreaterThan(30);
});

describe('several measurements in one message, by the clock of the network', () => {
  const HEARD = '2026-11-15T02:59:00Z';
  const agesIn = (...measured: object[]) => {
    const uplink_message = { received_at: HEARD, normalized_payload: measured };
    const body = JSON.stringify({ end_device_ids: { dev_eui: 'D' }, uplink_message });
    const post = readTts(body, { device: '', settings: {}, receivedAt: NOW });
    settle(post.unsettled ?? []);
    return post.entries.map(({ at }) => Date.parse(HEARD) - at);
  };
  test('keep their intervals, and the newest is as old as the message', () =>
    expect(agesIn({ t: 1, time: '2026-11-15T01:00:00Z' }, { t: 2, time: '2026-11-15T01:10:00Z' })).toEqual([
      10 * MINUTE,
      0,
    ]));
  test('without times keep their order', () =>
    expect(agesIn({ t: 1 }, { t: 2 }, { t: 3 })).toEqual([2, 1, 0]));
  test('one alone is as old as the message, and needs no settling', () => {
    expect(agesIn({ t: 1, time: '2026-11-15T01:00:00Z' })).toEqual([0]);
  });
});

test('a list in a message of MQTT says times that do not count', () => {
  const text = JSON.stringify([
    { time: '2003-05-06T07:08:09Z', t: 1 },
    { time: '2003-05-06T07:09:09Z', t: 2 },
  ]);
  const post = finish(
    readTopic('tocsin/d', new TextEncoder().encode(text), { settings: {}, receivedAt: NOW }),
  ).value;
  expect(post).toMatchObject({ unsettled: [{ saidAt: OLD }, { saidAt: OLD + MINUTE }] });
});
