import { describe, expect, test } from 'vitest';
import type { BandName } from '../judging/band.ts';
import { HOUR_MS } from '../readings/span.ts';
import { type AdviceRequest, advise, summarize } from './advise.ts';
import type { ChannelHistory } from './history.ts';
import {
  cooled,
  creeping,
  days,
  episodesOf,
  gaussianNoise,
  minutes,
  record,
  START,
  stopped,
  type Truth,
  uniformNoise,
  unitTruth,
} from './synthetic.ts';

const LEARNED = { from: START, to: START + days(21) };
const ask = (history: ChannelHistory, rest: Partial<AdviceRequest> = {}) =>
  advise({
    channel: 'temperature',
    label: 'Temperature',
    unit: '°C',
    history,
    ignored: [],
    now: LEARNED.to,
    ...rest,
  });

const ULT = { seed: 3, degrees: -80, swing: 2.5, door: 5 };
const ult = cooled(ULT);
const expectAdvice = (history: ChannelHistory, rest: Partial<AdviceRequest> = {}) => {
  const advice = ask(history, rest);
  if ('refusal' in advice) throw new Error(advice.refusal);
  const limitOf = (name: BandName) => advice.bands.find(({ band }) => band === name)?.limit;
  return { ...advice, limitOf, text: advice.reasoning.join('\n') };
};
const refusalOf = (history: ChannelHistory, rest: Partial<AdviceRequest> = {}) => {
  const advice = ask(history, rest);
  return 'refusal' in advice ? advice.refusal : 'advised';
};

describe('an ultra-low freezer whose door is opened now and then', () => {
  const advice = expectAdvice(record(ult, LEARNED));

  test('gets all four limits, round, the warning inside the critical one', () => {
    expect(advice.bands).toEqual([
      { band: 'CRITICAL_HIGH', limit: -74, delay: 0, sustained: 0 },
      { band: 'WARNING_HIGH', limit: -77, delay: 0, sustained: 20 },
      { band: 'CRITICAL_LOW', limit: -85, delay: 0, sustained: 0 },
      { band: 'WARNING_LOW', limit: -83, delay: 0, sustained: 0 },
    ]);
  });

  test('is told why', () => {
    expect(advice.reasoning).toEqual([
      'Between 5 Oct and 25 Oct Temperature stayed between -82.5 and -76.6 °C for 99 % of the time (30240 readings).',
      expect.stringMatching(
        /^It spikes above the rest \d+ times in 21 days, at no fixed time, as when a door is opened: typically for \d min, at most for \d+ min, as far as -74\.\d °C\.$/,
      ),
      'Critical above -74 °C: nothing normal goes there.',
      'Warning above -77 °C once it lasts 20 min: normal spikes beyond it are over sooner.',
      'Critical below -85 °C: nothing normal goes there.',
      'Warning below -83 °C: nothing normal goes there.',
    ]);
  });
});

describe('what is not normal does not count', () => {
  const undisturbed = expectAdvice(record(ult, LEARNED)).bands;

  test('a past excursion of four hours', () => {
    const begins = START + days(12);
    const warm = (at: number) => at >= begins && at < begins + 4 * HOUR_MS;
    const advice = expectAdvice(record((at) => ult(at) + (warm(at) ? 15 : 0), LEARNED));
    expect(advice.bands).toEqual(undisturbed);
    expect(advice.text).toMatch(/On 17 Oct it went to -62\.\d °C for 4 h; that happened too rarely/);
  });

  test('a compressor that stopped half a day ago', () => {
    const advice = expectAdvice(record(stopped(ULT, START + days(20.5)), LEARNED));
    expect(advice.bands).toEqual(undisturbed);
  });

  test('known downtimes, however many', () => {
    const isDefrosting = (at: number) => Math.floor((at - START) / HOUR_MS) % 24 === 3;
    const history = record((at) => ult(at) + (isDefrosting(at) ? 12 : 0), LEARNED);
    const ignored = Array.from({ length: 21 }, (_, day) => ({
      from: START + days(day) + 3 * HOUR_MS,
      to: START + days(day) + 4 * HOUR_MS,
    }));
    expect(expectAdvice(history, { ignored }).bands).toEqual(undisturbed);
    expect(expectAdvice(history).bands).not.toEqual(undisturbed);
  });

  test('a sensor that says the same for ever', () => {
    const advice = expectAdvice(record((at) => (at > START + days(15) ? -79.31 : ult(at)), LEARNED));
    expect(advice.bands).toEqual(undisturbed);
    expect(advice.text).toMatch(/Since 20 Oct the value has not changed at all: check the sensor/);
  });

  test('readings after the request', () => {
    const later = record((at) => (at < LEARNED.to ? ult(at) : 20), { from: START, to: LEARNED.to + days(9) });
    expect(expectAdvice(later, { now: LEARNED.to - 1 }).bands).toEqual(undisturbed);
  });
});

describe('a level that moves', () => {
  const unmoved = expectAdvice(record(ult, LEARNED));

  test.each<[string, Truth]>([
    ['creeps', creeping(ult, START + days(8), 0.4)],
    ['creeps faster and faster', (at) => ult(at) + 22 * (Math.max(0, at - START - days(9)) / days(10)) ** 2],
    [
      'belongs to a compressor that grows weaker',
      unitTruth({
        kind: 'ultra_low_freezer',
        seed: 3,
        failure: { beginsAt: START + days(8), crossesAt: START + days(19) },
      }),
    ],
  ])('one that %s is notified, and the limits make no room for it', (_, truth) => {
    const advice = expectAdvice(record(truth, LEARNED));
    expect(advice.text).toMatch(
      /Since 1\d Oct it rises by about \d+(\.\d+)? °C a day: this looks like a slow failure/,
    );
    for (const { band, limit } of advice.bands) {
      expect(Math.abs(limit - Number(unmoved.limitOf(band)))).toBeLessThanOrEqual(1);
    }
    expect(episodesOf(record(truth, LEARNED), advice.bands).length).toBeGreaterThan(0);
  });

  test('one that drifts all the time is refused', () => {
    expect(refusalOf(record(creeping(ult, START, 1), LEARNED))).toMatch(
      /^Temperature rises by about 1 °C a day and was never steady for 3 days/,
    );
  });

  test('a new setpoint half-way: the newer one counts', () => {
    const moved = record((at) => ult(at) + (at > START + days(10.4) ? 10 : 0), LEARNED);
    const advice = expectAdvice(moved);
    expect(advice.text).toMatch(
      /On 15 Oct its level changed from -79\.9 °C to -70 °C; only the newer level counts/,
    );
    for (const { band, limit } of advice.bands) {
      expect(Math.abs(limit - 10 - Number(unmoved.limitOf(band)))).toBeLessThanOrEqual(1);
    }
  });

  test('a new setpoint since yesterday is told, and does not count yet', () => {
    const moved = record((at) => ult(at) + (at > START + days(19.6) ? 10 : 0), LEARNED);
    const advice = expectAdvice(moved);
    expect(advice.bands).toEqual(unmoved.bands);
    expect(advice.text).toMatch(/ask again after 3 days/);
  });

  test('a tank that is filled up every three weeks gets limits below, none above', () => {
    const level = record(unitTruth({ kind: 'cryo_tank' }, 'level'), { from: START, to: START + days(40) }, 5);
    const advice = expectAdvice(level, {
      channel: 'level',
      label: 'Level',
      unit: '%',
      now: START + days(40),
    });
    expect(advice.bands).toEqual([
      { band: 'CRITICAL_LOW', limit: 45, delay: 0, sustained: 0 },
      { band: 'WARNING_LOW', limit: 60, delay: 0, sustained: 0 },
    ]);
    expect(advice.text).toMatch(/falls by about 1\.5 % a day and is filled up again/);
  });
});

describe('spikes', () => {
  test('a defrost three times a day is told from doors, and the warning outlasts it', () => {
    const advice = expectAdvice(record(cooled({ seed: 9, degrees: 5, swing: 1.2, defrosting: 5 }), LEARNED));
    expect(advice.text).toMatch(/every 8 h, as regular as a defrost: typically for 1\d min/);
    const warning = advice.bands.find(({ band }) => band === 'WARNING_HIGH');
    expect(warning?.limit).toBeLessThan(8);
    expect(warning?.sustained).toBeGreaterThan(15);
  });

  test('single readings far out are glitches: no limit fires on them, whatever they say', () => {
    const noisy: Truth = (at) =>
      100 + gaussianNoise(4, at, 1) + (uniformNoise(5, at, 1) > 0.998 ? 40 + uniformNoise(6, at, 20) : 0);
    const advice = expectAdvice(record(noisy, LEARNED), { unit: 'bar' });
    expect(advice.text).toMatch(/single readings stood out above the rest, as far as 1[56]\d/);
    expect(advice.limitOf('CRITICAL_HIGH')).toBeLessThan(110);
    const another = record(noisy, { from: LEARNED.to, to: LEARNED.to + days(21) });
    expect(episodesOf(another, advice.bands)).toEqual([]);
  });

  test('noise alone is called neither spike nor glitch', () => {
    const advice = expectAdvice(record((at) => 100 + gaussianNoise(4, at, 1), LEARNED));
    expect(advice.text).not.toMatch(/spike|single readings/);
  });
});

describe('a quantity with an end', () => {
  test('a share that touches 0 gets no limits below', () => {
    const truth: Truth = (at) => Math.max(0, 3 * Math.sin(at / 4e6) + uniformNoise(1, at, 1));
    const advice = expectAdvice(record(truth, LEARNED), { unit: '%' });
    expect(advice.bands.map(({ band }) => band)).toEqual(['CRITICAL_HIGH', 'WARNING_HIGH']);
    expect(advice.text).toMatch(/No low limits/);
  });

  test('a share near 100 gets no limit at or above it', () => {
    const advice = expectAdvice(
      record((at) => Math.min(100, 97 + uniformNoise(1, at, 3)), LEARNED),
      { unit: '%' },
    );
    for (const { limit } of advice.bands) expect(limit).toBeLessThan(100);
    expect(advice.limitOf('CRITICAL_LOW')).toBeLessThan(94);
  });

  test('a limit of 0 carries a sustained time, or it would not be saved', () => {
    for (let offset = -3; offset <= 3; offset += 0.25) {
      const { bands } = expectAdvice(record((at) => ult(at) + 77 + offset, LEARNED, 5));
      for (const { limit, sustained } of bands) expect(limit !== 0 || sustained > 0).toBe(true);
      for (const { limit } of bands) expect(Object.is(limit, -0)).toBe(false);
    }
  });
});

describe('refuses with a reason', () => {
  const gapped = (at: number) => (Math.floor((at - START) / minutes(200)) % 4 === 0 ? ult(at) : null);
  test.each<[string, ChannelHistory, RegExp]>([
    [
      'no readings',
      record(ult, { from: START, to: START }),
      /^Temperature has only 0 usable readings; at least 200 /,
    ],
    ['few readings', record(ult, LEARNED, 600), /has only 51 usable readings/],
    [
      'few days',
      record(ult, { from: START, to: START + days(2) }),
      /cover only 2 days; at least 3 are needed/,
    ],
    ['a constant', record(() => 5, LEARNED), /is always 5 °C: the sensor may be dead/],
    [
      'a state',
      record((at) => (uniformNoise(1, at, 1) > 0.5 ? 1 : 0), LEARNED),
      /only ever 0 or 1: that is a state/,
    ],
    ['gaps', record(gapped, LEARNED), /readings cover only 2\d % of the time, at least half is needed/],
  ])('%s', (_, history, reason) => expect(refusalOf(history)).toMatch(reason));

  test('and with readings only inside what is to be ignored', () => {
    expect(refusalOf(record(ult, LEARNED), { ignored: [{ from: START, to: LEARNED.to }] })).toMatch(
      /only 0 usable/,
    );
  });

  test('but not a few gaps', () => {
    const holes = (at: number) =>
      uniformNoise(8, Math.floor((at - START) / minutes(90)), 1) > -0.5 ? ult(at) : null;
    expectAdvice(record(holes, LEARNED));
  });
});

describe('the summary', () => {
  test('has the figures of a history', () => {
    const history = record(cooled({ seed: 9, degrees: 5, swing: 1.2, defrosting: 5 }), LEARNED);
    const request = { channel: 't', label: null, unit: '°C', history, ignored: [], now: LEARNED.to };
    const { steady, spikes, quantiles, ...rest } = summarize(request);
    expect(rest).toEqual({
      readings: 30_240,
      from: START,
      to: LEARNED.to - minutes(1),
      intervalMinutes: 1,
      driftPerDay: null,
      levelChange: null,
      excursions: [],
      shortcoming: null,
    });
    expect(steady?.low).toBeCloseTo(4.05, 1);
    expect(steady?.high).toBeCloseTo(6.1, 0);
    expect(spikes.low).toBeNull();
    expect(spikes.high).toMatchObject({ count: 63, spacingMinutes: 480, isRegular: true });
    expect(quantiles.map(({ share }) => share)).toEqual([0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1]);
  });

  test('is there where nothing can be advised', () => {
    const request = { channel: 't', label: null, unit: null, ignored: [], now: START };
    const empty = { at: new Float64Array(), value: new Float64Array() };
    expect(summarize({ ...request, history: empty })).toMatchObject({
      readings: 0,
      from: null,
      quantiles: [],
      steady: null,
      shortcoming: 't has only 0 usable readings; at least 200 are needed.',
    });
  });
});
