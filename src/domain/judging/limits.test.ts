import { describe, expect, test } from 'vitest';
import { type Band, type BandName, isWorthSaving, readBandName } from './band.ts';
import {
  areSameLimits,
  findLimitsChanges,
  findLimitsFault,
  findLimitsFor,
  findShortestDelay,
  type Limits,
  noLimits,
} from './limits.ts';

const band = (name: BandName, limit: number | null, delayMinutes = 0, sustainedMinutes = 0): Band => ({
  band: name,
  limit,
  delayMinutes,
  sustainedMinutes,
});
const faultOf = (isPercentage: boolean, limits: Partial<Record<BandName, number | null>>) =>
  findLimitsFault({
    isPercentage,
    bands: Object.entries(limits).map(([name, limit]) => band(name as BandName, limit)),
  });

const HIGH = 'Critical high must be strictly greater than warning high';
const LOW = 'Critical low must be strictly less than warning low';
const CROSSED = 'All low thresholds must be strictly less than all high thresholds';

describe('absolute limits', () => {
  test.each([
    ['nothing to compare', { CRITICAL_HIGH: -60 }, null],
    ['in order', { CRITICAL_HIGH: 8, WARNING_HIGH: 7, WARNING_LOW: 3, CRITICAL_LOW: 2 }, null],
    ['critical high equals warning high', { CRITICAL_HIGH: 7, WARNING_HIGH: 7 }, HIGH],
    ['critical high below warning high', { CRITICAL_HIGH: 6, WARNING_HIGH: 7 }, HIGH],
    ['critical low equals warning low', { CRITICAL_LOW: 3, WARNING_LOW: 3 }, LOW],
    ['critical low above warning low', { CRITICAL_LOW: 4, WARNING_LOW: 3 }, LOW],
    ['warning low equals critical high', { WARNING_LOW: 5, CRITICAL_HIGH: 5 }, CROSSED],
    ['critical low above warning high', { CRITICAL_LOW: 6, WARNING_HIGH: 5 }, CROSSED],
    [
      'the first line of the table comes first',
      { CRITICAL_HIGH: 1, WARNING_HIGH: 2, CRITICAL_LOW: 9, WARNING_LOW: 8 },
      HIGH,
    ],
    ['zero is a limit', { CRITICAL_HIGH: 0, WARNING_HIGH: 0 }, HIGH],
    ['a band without a limit is not compared', { CRITICAL_HIGH: null, WARNING_HIGH: 7 }, null],
  ])('%s', (_, limits, fault) => expect(faultOf(false, limits)).toBe(fault));
});

describe('percentage deviations', () => {
  test.each([
    ['in order', { CRITICAL_HIGH: 20, WARNING_HIGH: 10, WARNING_LOW: -10, CRITICAL_LOW: -20 }, null],
    ['low and high are not compared with each other', { WARNING_HIGH: -5, WARNING_LOW: 5 }, null],
    [
      'critical high not beyond warning high',
      { CRITICAL_HIGH: 10, WARNING_HIGH: 10 },
      'For percentage mode, critical high deviation must be strictly greater than warning high deviation',
    ],
    [
      'critical low not beyond warning low',
      { CRITICAL_LOW: -10, WARNING_LOW: -10 },
      'For percentage mode, critical low deviation must be strictly less than warning low deviation',
    ],
  ])('%s', (_, limits, fault) => expect(faultOf(true, limits)).toBe(fault));
});

test.each([
  [band('WARNING_LOW', null), false],
  [band('WARNING_LOW', 0), false],
  [band('WARNING_LOW', 0, 1), true],
  [band('WARNING_LOW', null, 0, 5), true],
  [band('WARNING_LOW', -0.5), true],
])('a band is saved when anything about it is not blank or zero: %o', (given, expected) => {
  expect(isWorthSaving(given)).toBe(expected);
});

test('limits are the same whatever the order of their bands, and differ in any detail', () => {
  const limits: Limits = {
    channel: 'temperature',
    isPercentage: false,
    setpointChannel: null,
    stateChannel: null,
    bands: [band('CRITICAL_HIGH', -60, 0, 5), band('WARNING_HIGH', -65)],
  };
  expect(areSameLimits(limits, { ...limits, bands: limits.bands.toReversed() })).toBe(true);
  expect(areSameLimits(limits, { ...limits, bands: limits.bands.slice(1) })).toBe(false);
  expect(areSameLimits(limits, { ...limits, channel: null })).toBe(false);
  expect(
    areSameLimits(limits, {
      ...limits,
      bands: [band('CRITICAL_HIGH', -60, 0, 6), band('WARNING_HIGH', -65)],
    }),
  ).toBe(false);
});

describe('a band is known by its name', () => {
  test.each([
    ['CRITICAL_HIGH', 'CRITICAL_HIGH'],
    ['CRITICAL_LOW', 'CRITICAL_LOW'],
    ['WARNING_HIGH', 'WARNING_HIGH'],
    ['WARNING_LOW', 'WARNING_LOW'],
    ['CRIT_HIGH', 'CRITICAL_HIGH'],
    ['CRIT_LOW', 'CRITICAL_LOW'],
    ['WARN_HIGH', 'WARNING_HIGH'],
    ['WARN_LOW', 'WARNING_LOW'],
    ['warn_low', 'WARNING_LOW'],
    [' Critical_High ', 'CRITICAL_HIGH'],
    ['HIGH', null],
    ['CRITICAL', null],
    ['CRITICALHIGH', null],
    ['CRIT_WARN_LOW', null],
    ['toString', null],
    ['', null],
  ])('%j is %j', (sent, name) => expect(readBandName(sent)).toBe(name));
});

describe('what changed from one version to the next', () => {
  const before: Limits = {
    ...noLimits('t'),
    bands: [band('CRITICAL_HIGH', 8, 0, 5), band('WARNING_HIGH', 7), band('WARNING_LOW', 2)],
  };

  test('bands that came, went and changed; those that stayed are left out', () => {
    const after = {
      ...before,
      bands: [band('CRITICAL_LOW', 0), band('WARNING_HIGH', 7), band('CRITICAL_HIGH', 8, 1, 5)],
    };
    expect(findLimitsChanges(before, after)).toEqual({
      CRITICAL_HIGH: {
        before: { limit: 8, delay: 0, sustained: 5 },
        after: { limit: 8, delay: 1, sustained: 5 },
      },
      CRITICAL_LOW: { before: null, after: { limit: 0, delay: 0, sustained: 0 } },
      WARNING_LOW: { before: { limit: 2, delay: 0, sustained: 0 }, after: null },
    });
  });

  test('the mode and its channels', () => {
    const after = { ...before, isPercentage: true, setpointChannel: 'set', stateChannel: 'on' };
    expect(findLimitsChanges(before, after)).toEqual({
      is_percentage: { before: false, after: true },
      setpoint_channel: { before: null, after: 'set' },
      state_channel: { before: null, after: 'on' },
    });
  });

  test('the first version is compared with none at all, the same one with itself', () => {
    expect(Object.keys(findLimitsChanges(null, before))).toEqual([
      'CRITICAL_HIGH',
      'WARNING_HIGH',
      'WARNING_LOW',
    ]);
    expect(findLimitsChanges(null, noLimits(null))).toEqual({});
    expect(findLimitsChanges(before, { ...before, bands: before.bands.toReversed() })).toEqual({});
  });
});

describe('what a channel is judged by', () => {
  const [own, wide, other] = [noLimits('temperature'), noLimits(null), noLimits('humidity')];
  test.each<[what: string, inForce: Limits[], kind: 'metric' | 'state', expected: Limits | null]>([
    ['its own limits', [wide, other, own], 'metric', own],
    ['its own, also if it is no metric', [wide, own], 'state', own],
    ['else the service-wide ones', [other, wide], 'metric', wide],
    ['which are for metrics only', [other, wide], 'state', null],
    ['or nothing', [other], 'metric', null],
  ])('%s', (_, inForce, kind, expected) =>
    expect(findLimitsFor(inForce, { name: 'temperature', kind })).toBe(expected),
  );
});

describe('how soon an alarm is told at the earliest', () => {
  const limits = (channel: string | null, ...bands: Band[]): Limits => ({ ...noLimits(channel), bands });
  const shared = limits(null, band('CRITICAL_HIGH', 5, 2), band('WARNING_HIGH', 4, 0));
  const own = limits('temperature', band('CRITICAL_HIGH', 5, 30), band('CRITICAL_LOW', null, 1));
  const temperature = { name: 'temperature', kind: 'metric' };
  const humidity = { name: 'humidity', kind: 'metric' };
  const battery = { name: 'battery', kind: 'diagnostic' };

  test.each<[string, Limits[], { name: string; kind: string }[], number]>([
    ['by limits of its own, not by those beside', [shared, own], [temperature, battery], 30],
    ['by the service-wide ones where a channel has none', [shared, own], [temperature, humidity], 2],
    ['by the service-wide ones while nothing has reported', [shared], [], 2],
    ['by no limits at all', [], [temperature], 0],
  ])('%s', (_, inForce, channels, minutes) =>
    expect(findShortestDelay(inForce, channels, 'critical')).toBe(minutes),
  );
});
