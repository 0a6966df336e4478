import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BandName } from './band.ts';
import {
  findNextDue,
  isInBreach,
  type JudgedLimits,
  type JudgedService,
  judge,
  rejudge,
  replay,
} from './judge.ts';
import type { Measurement } from './measurement.ts';
import type { Severity } from './severity.ts';

const MINUTE = 60_000;
const limits = (
  bands: Partial<Record<BandName, [limit: number, sustainedMinutes?: number]>>,
  rest: Partial<JudgedLimits> = {},
): JudgedLimits => ({
  versionId: 1,
  isPercentage: false,
  setpointChannel: null,
  stateChannel: null,
  bands: Object.entries(bands).map(([band, [limit, sustained = 0]]) => ({
    band: band as BandName,
    limit,
    sustainedMs: sustained * MINUTE,
  })),
  ...rest,
});
const service = (byChannel: Record<string, JudgedLimits>): JudgedService => ({
  limits: new Map(Object.entries(byChannel)),
  channels: new Map(),
  verdict: { severity: 'normal', since: null, channel: null },
});
/** Values by minute: `{ 0: { t: -80 } }`. */
const story = (measurements: Record<number, Record<string, number>>): Measurement[] =>
  Object.entries(measurements).map(([minute, values]) => ({
    at: Number(minute) * MINUTE,
    values: Object.entries(values),
  }));
const tell = (
  given: JudgedService,
  measurements: Record<number, Record<string, number>>,
  untilMinute: number,
) => {
  const judged = judge(given, story(measurements), untilMinute * MINUTE);
  return judged.changes.map(({ at, to, channel, band, value, limit }) => [
    at / MINUTE,
    to,
    channel,
    band,
    value,
    limit,
  ]);
};

const FREEZER = service({ t: limits({ CRITICAL_HIGH: [-60, 5], WARNING_HIGH: [-65] }) });

describe('a freezer with a warning at -65 and a critical limit of -60 for 5 minutes', () => {
  test.each<[string, Record<number, Record<string, number>>, number, unknown[][]]>([
    ['stays normal while within its limits', { 0: { t: -80 }, 1: { t: -65 } }, 60, []],
    [
      'warns at the first reading beyond the limit',
      { 0: { t: -64.9 } },
      0,
      [[0, 'warning', 't', 'WARNING_HIGH', -64.9, -65]],
    ],
    [
      'becomes critical when the breach has lasted, without another reading',
      { 0: { t: -50 } },
      60,
      [
        [0, 'warning', 't', 'WARNING_HIGH', -50, -65],
        [5, 'critical', 't', 'CRITICAL_HIGH', -50, -60],
      ],
    ],
    [
      'is not critical a moment before',
      { 0: { t: -50 } },
      4.99,
      [[0, 'warning', 't', 'WARNING_HIGH', -50, -65]],
    ],
    [
      'starts counting anew when a reading was back between',
      { 0: { t: -50 }, 4: { t: -62 }, 5: { t: -50 } },
      9,
      [[0, 'warning', 't', 'WARNING_HIGH', -50, -65]],
    ],
    [
      'de-escalates at the reading that is back under the critical limit',
      { 0: { t: -50 }, 6: { t: -62 } },
      6,
      [
        [0, 'warning', 't', 'WARNING_HIGH', -50, -65],
        [5, 'critical', 't', 'CRITICAL_HIGH', -50, -60],
        [6, 'warning', 't', 'WARNING_HIGH', -62, -65],
      ],
    ],
    [
      'recovers at the first reading within the limits',
      { 0: { t: -50 }, 6: { t: -70 } },
      60,
      [
        [0, 'warning', 't', 'WARNING_HIGH', -50, -65],
        [5, 'critical', 't', 'CRITICAL_HIGH', -50, -60],
        [6, 'normal', 't', null, -70, null],
      ],
    ],
  ])('%s', (_, measurements, until, changes) => expect(tell(FREEZER, measurements, until)).toEqual(changes));
});

describe('several channels', () => {
  const given = service({
    a: limits({ WARNING_HIGH: [10] }),
    b: limits({ WARNING_HIGH: [10], CRITICAL_HIGH: [20] }),
  });

  test('the worst channel counts; among equals the one that became so last is shown', () => {
    const judged = judge(given, story({ 0: { a: 11 }, 1: { b: 11 } }), 2 * MINUTE);
    expect(judged.verdict).toEqual({ severity: 'warning', since: 0, channel: 'b' });
    expect(judged.changes).toHaveLength(1);
  });

  test('when the worst recovers, the next worst is shown from then on', () => {
    expect(tell(given, { 0: { a: 11 }, 1: { b: 25 }, 2: { b: 5 } }, 3)).toEqual([
      [0, 'warning', 'a', 'WARNING_HIGH', 11, 10],
      [1, 'critical', 'b', 'CRITICAL_HIGH', 25, 20],
      [2, 'warning', 'a', 'WARNING_HIGH', 11, 10],
    ]);
  });
});

describe('percentage mode', () => {
  const given = service({
    t: limits(
      { WARNING_HIGH: [10], CRITICAL_LOW: [-20] },
      { isPercentage: true, setpointChannel: 'setpoint', stateChannel: 'running' },
    ),
  });
  test.each<[string, Record<number, Record<string, number>>, Severity]>([
    ['no setpoint yet: not judged', { 0: { t: 99 } }, 'normal'],
    ['setpoint 0: not judged', { 0: { t: 99, setpoint: 0 } }, 'normal'],
    ['11 % above', { 0: { t: 41.1, setpoint: 37 } }, 'warning'],
    ['exactly 10 % above is not beyond', { 0: { t: 110, setpoint: 100 } }, 'normal'],
    ['21 % below', { 0: { t: 29, setpoint: 37 } }, 'critical'],
    ['a negative setpoint deviates by its size', { 0: { t: -70, setpoint: -80 } }, 'warning'],
    ['the setpoint may come later', { 0: { t: 50 }, 1: { setpoint: 37 } }, 'warning'],
    ['a new setpoint may end it', { 0: { t: 50, setpoint: 37 }, 1: { setpoint: 50 } }, 'normal'],
    ['switched off: not judged', { 0: { t: 50, setpoint: 37, running: 0 } }, 'normal'],
    ['switching off ends the alarm', { 0: { t: 50, setpoint: 37, running: 1 }, 1: { running: 0 } }, 'normal'],
    ['switching on begins it', { 0: { t: 50, setpoint: 37, running: 0 }, 1: { running: 1 } }, 'warning'],
  ])('%s', (_, measurements, severity) => {
    expect(judge(given, story(measurements), 10 * MINUTE).verdict.severity).toBe(severity);
  });
});

describe('new limits', () => {
  const history = story({ 0: { t: -62 }, 10: { t: -62 }, 20: { t: -62 } });
  const before = judge(FREEZER, history, 20 * MINUTE);
  const withLimits = (newLimits: JudgedLimits): JudgedService => ({
    limits: new Map([['t', newLimits]]),
    channels: before.channels,
    verdict: before.verdict,
  });
  const judgeAgain = (given: JudgedService, now: number) =>
    rejudge(given, replay(given.limits, new Map(), history), now);

  test('a breach that has lasted long enough is active at once, and begins now', () => {
    const judged = judgeAgain(withLimits(limits({ CRITICAL_HIGH: [-63, 15] })), 21 * MINUTE);
    expect(judged.verdict).toEqual({ severity: 'critical', since: 21 * MINUTE, channel: 't' });
    expect(judged.changes).toMatchObject([
      { at: 21 * MINUTE, from: 'warning', to: 'critical', value: -62, limit: -63 },
    ]);
  });

  test('one that has not yet lasted goes on running', () => {
    const given = withLimits(limits({ CRITICAL_HIGH: [-63, 25] }));
    const judged = judgeAgain(given, 21 * MINUTE);
    expect(judged.verdict.severity).toBe('normal');
    expect(findNextDue(given.limits, judged.channels)).toBe(25 * MINUTE);
  });

  test('an unchanged severity keeps its beginning', () => {
    const judged = judgeAgain(withLimits(limits({ WARNING_HIGH: [-70] })), 21 * MINUTE);
    expect(judged.verdict).toEqual({ severity: 'warning', since: 0, channel: 't' });
    expect(judged.changes).toEqual([]);
  });

  test('no limits, no alarm', () => {
    expect(judgeAgain(withLimits(limits({})), 21 * MINUTE).verdict.severity).toBe('normal');
  });
});

/** Says the same from the definition: looks at all readings up to an instant, each time anew. */
function severityAt(
  given: JudgedLimits,
  readings: { at: number; value: number }[],
  instant: number,
): Severity {
  const past = readings.filter(({ at }) => at <= instant);
  const isActive = ({ band, limit, sustainedMs }: JudgedLimits['bands'][number]) => {
    const isBeyond = (value: number) => (band.endsWith('HIGH') ? value > limit : value < limit);
    let since: number | null = null;
    for (const { at, value } of past) since = isBeyond(value) ? (since ?? at) : null;
    return since !== null && instant - since >= sustainedMs;
  };
  const active = given.bands.filter(isActive).map(({ band }) => band);
  if (active.some((band) => band.startsWith('CRITICAL'))) return 'critical';
  return active.length > 0 ? 'warning' : 'normal';
}

const anyLimits = fc
  .record({
    CRITICAL_HIGH: fc.option(fc.tuple(fc.integer({ min: 5, max: 8 }), fc.nat(6)), { nil: undefined }),
    WARNING_HIGH: fc.option(fc.tuple(fc.integer({ min: 3, max: 5 }), fc.nat(6)), { nil: undefined }),
    WARNING_LOW: fc.option(fc.tuple(fc.integer({ min: -5, max: -3 }), fc.nat(6)), { nil: undefined }),
    CRITICAL_LOW: fc.option(fc.tuple(fc.integer({ min: -8, max: -5 }), fc.nat(6)), { nil: undefined }),
  })
  .map((bands) => limits(JSON.parse(JSON.stringify(bands))));
const anyReadings = fc
  .array(fc.record({ pause: fc.integer({ min: 1, max: 5 }), value: fc.integer({ min: -10, max: 10 }) }), {
    maxLength: 25,
  })
  .map((steps) => {
    let at = 0;
    return steps.map(({ pause, value }) => {
      at += pause * MINUTE;
      return { at, value };
    });
  });
const momentsOf = (readings: { at: number; value: number }[]): Measurement[] =>
  readings.map(({ at, value }) => ({ at, values: [['t', value]] }));

test('judging agrees with the definition at every minute', () => {
  fc.assert(
    fc.property(anyLimits, anyReadings, (given, readings) => {
      const end = (readings.at(-1)?.at ?? 0) + 10 * MINUTE;
      const { changes } = judge(service({ t: given }), momentsOf(readings), end);
      for (let instant = 0; instant <= end; instant += MINUTE) {
        const told = changes.filter(({ at }) => at <= instant).at(-1)?.to ?? 'normal';
        expect(told).toBe(severityAt(given, readings, instant));
      }
    }),
    { numRuns: 300 },
  );
});

test('it does not matter how the readings are cut into batches, nor how often the clock looks in between', () => {
  fc.assert(
    fc.property(anyLimits, anyReadings, fc.array(fc.nat(24), { maxLength: 5 }), (given, readings, cuts) => {
      const end = (readings.at(-1)?.at ?? 0) + 10 * MINUTE;
      const whole = judge(service({ t: given }), momentsOf(readings), end);
      const borders = [...new Set([0, ...cuts.filter((cut) => cut < readings.length), readings.length])].sort(
        (a, b) => a - b,
      );
      let state = service({ t: given });
      const changes = [];
      for (const [index, from] of borders.entries()) {
        const part = readings.slice(from, borders[index + 1]);
        const judged = judge(state, momentsOf(part), part.at(-1)?.at ?? 0);
        changes.push(...judged.changes);
        state = { ...state, ...judged };
      }
      const last = judge(state, [], end);
      expect([...changes, ...last.changes]).toEqual(whole.changes);
      expect(last.verdict).toEqual(whole.verdict);
    }),
    { numRuns: 300 },
  );
});

test('judging again under the same limits finds the same severity', () => {
  fc.assert(
    fc.property(anyLimits, anyReadings, (given, readings) => {
      const end = (readings.at(-1)?.at ?? 0) + 3 * MINUTE;
      const before = judge(service({ t: given }), momentsOf(readings), end);
      const { limits } = service({ t: given });
      const again = rejudge({ limits, ...before }, replay(limits, new Map(), momentsOf(readings)), end);
      expect(again.verdict).toEqual(before.verdict);
      expect(again.changes).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

const anyValue = fc.option(fc.integer({ min: -10, max: 10 }), { nil: undefined });
const anyStory = fc
  .array(
    fc.record({ t: anyValue, p: anyValue, setpoint: anyValue, running: fc.constantFrom(undefined, 0, 1) }),
    {
      maxLength: 12,
    },
  )
  .map((steps) => story(JSON.parse(JSON.stringify({ ...steps }))));

test('where the newest values breach nothing, what was read before them changes nothing', () => {
  const ofSetpoint = { isPercentage: true, setpointChannel: 'setpoint', stateChannel: 'running' };
  const given = (absolute: JudgedLimits, percentage: JudgedLimits) =>
    service({ t: absolute, p: { ...percentage, ...ofSetpoint } });
  fc.assert(
    fc.property(anyLimits, anyLimits, anyLimits, anyLimits, anyStory, (t, p, newT, newP, measurements) => {
      const now = 13 * MINUTE;
      const before = judge(given(t, p), measurements, now);
      const { limits } = given(newT, newP);
      const replayed = replay(limits, new Map(), measurements);
      const isRunning = [...replayed.values()].some(({ breaches }) => Object.keys(breaches).length > 0);
      expect(isInBreach({ limits, channels: before.channels })).toBe(isRunning);
      if (isRunning) return;
      const judged = { limits, ...before };
      expect(rejudge(judged, new Map(), now)).toEqual(rejudge(judged, replayed, now));
    }),
    { numRuns: 300 },
  );
});

describe('an alarm that has to be two degrees back, for ten minutes', () => {
  const clear = { margin: 2, forMs: 10 * MINUTE };
  const given = service({ t: limits({ CRITICAL_HIGH: [-60], WARNING_HIGH: [-70, 5] }, { clear }) });
  const kinds = (measurements: Record<number, Record<string, number>>, until: number) =>
    tell(given, measurements, until).map(([at, to]) => `${at} ${to}`);

  test.each<[string, Record<number, Record<string, number>>, number, string[]]>([
    ['holds while it is back, but not far enough', { 0: { t: -59 }, 5: { t: -61 } }, 600, ['0 critical']],
    [
      'is over when the time is up, without another reading',
      { 0: { t: -59 }, 5: { t: -72 } },
      60,
      ['0 critical', '15 normal'],
    ],
    [
      'falls to a warning that still holds',
      { 0: { t: -59 }, 5: { t: -65 } },
      60,
      ['0 critical', '15 warning'],
    ],
    [
      'begins to count anew when it comes near the limit again',
      { 0: { t: -59 }, 5: { t: -72 }, 10: { t: -61 }, 11: { t: -72 } },
      60,
      ['0 critical', '21 normal'],
    ],
    ['a breach that is not active yet ends at once', { 0: { t: -69 }, 3: { t: -70 } }, 60, []],
  ])('%s', (_name, measurements, until, expected) => {
    expect(kinds(measurements, until)).toEqual(expected);
  });

  test('new limits judge anew: what is within them is over', () => {
    const held = judge(given, story({ 0: { t: -59 }, 5: { t: -61 } }), 6 * MINUTE);
    expect(held.verdict.severity).toBe('critical');
    const again = rejudge({ ...given, ...held }, new Map(), 7 * MINUTE);
    expect(again.verdict.severity).toBe('normal');
    expect(again.channels.get('t')).not.toHaveProperty('clearing');
  });
});

test('any story of one band with a margin and a time is as the sentences say, however it is cut', () => {
  const LIMIT = 0;
  const tellByMinutes = (values: (number | null)[], sustained: number, margin: number, lasting: number) => {
    let breachedAt: number | null = null;
    let backAt: number | null = null;
    let isActive = false;
    const passTime = (minute: number) => {
      if (!isActive && breachedAt !== null && minute - breachedAt >= sustained) isActive = true;
      if (!isActive || backAt === null || minute - backAt < lasting) return;
      isActive = false;
      breachedAt = null;
      backAt = null;
    };
    return values.map((value, minute) => {
      passTime(minute);
      if (value !== null && value > LIMIT) {
        breachedAt ??= minute;
        backAt = null;
      } else if (value !== null && isActive) backAt = value <= LIMIT - margin ? (backAt ?? minute) : null;
      else if (value !== null) breachedAt = null;
      passTime(minute);
      return isActive;
    });
  };
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constant(null), fc.integer({ min: -5, max: 2 })), { minLength: 1, maxLength: 40 }),
      fc.constantFrom(0, 1, 4),
      fc.constantFrom(0, 1, 3),
      fc.constantFrom(0, 1, 5),
      (values, sustained, margin, lasting) => {
        const clear = margin === 0 && lasting === 0 ? {} : { clear: { margin, forMs: lasting * MINUTE } };
        const start = service({ t: limits({ CRITICAL_HIGH: [LIMIT, sustained] }, clear) });
        const at = (minute: number) => {
          const value = values[minute] ?? null;
          return value === null ? [] : [{ at: minute * MINUTE, values: [['t', value] as const] }];
        };
        let state = start;
        const active = values.map((_, minute) => {
          state = { ...start, ...judge(state, at(minute), minute * MINUTE) };
          return state.verdict.severity === 'critical';
        });
        expect(active).toEqual(tellByMinutes(values, sustained, margin, lasting));
        const atOnce = judge(
          start,
          values.flatMap((_, minute) => at(minute)),
          (values.length - 1) * MINUTE,
        );
        expect(atOnce.verdict).toEqual(state.verdict);
        expect(atOnce.channels).toEqual(state.channels);
      },
    ),
    { numRuns: 500 },
  );
});
