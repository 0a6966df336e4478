import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BandName } from './band.ts';
import {
  findNextActivation,
  isInBreach,
  type JudgedLimits,
  type JudgedService,
  judge,
  type Moment,
  rejudge,
  replay,
} from './judge.ts';
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
const story = (moments: Record<number, Record<string, number>>): Moment[] =>
  Object.entries(moments).map(([minute, values]) => ({
    at: Number(minute) * MINUTE,
    values: Object.entries(values),
  }));
const tell = (given: JudgedService, moments: Record<number, Record<string, number>>, untilMinute: number) => {
  const judged = judge(given, story(moments), untilMinute * MINUTE);
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
  ])('%s', (_, moments, until, changes) => expect(tell(FREEZER, moments, until)).toEqual(changes));
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
  ])('%s', (_, moments, severity) => {
    expect(judge(given, story(moments), 10 * MINUTE).verdict.severity).toBe(severity);
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
    expect(findNextActivation(given.limits, judged.channels)).toBe(25 * MINUTE);
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
const momentsOf = (readings: { at: number; value: number }[]): Moment[] =>
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
    fc.property(anyLimits, anyLimits, anyLimits, anyLimits, anyStory, (t, p, newT, newP, moments) => {
      const now = 13 * MINUTE;
      const before = judge(given(t, p), moments, now);
      const { limits } = given(newT, newP);
      const replayed = replay(limits, new Map(), moments);
      const isRunning = [...replayed.values()].some(({ breaches }) => Object.keys(breaches).length > 0);
      expect(isInBreach({ limits, channels: before.channels })).toBe(isRunning);
      if (isRunning) return;
      const judged = { limits, ...before };
      expect(rejudge(judged, new Map(), now)).toEqual(rejudge(judged, replayed, now));
    }),
    { numRuns: 300 },
  );
});
