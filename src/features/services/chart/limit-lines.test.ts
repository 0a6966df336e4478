import { expect, test } from 'vitest';
import { drawLimits, type LimitsSpan } from './limit-lines.ts';

const version = (given: Partial<LimitsSpan>): LimitsSpan => ({
  channel: 'temperature',
  isPercentage: false,
  from: 0,
  to: null,
  bands: [{ band: 'CRITICAL_HIGH', limit: -60 }],
  ...given,
});
const window = { from: 100, to: 200 };
const line = (value: number, from: number, to: number) => ({ band: 'CRITICAL_HIGH', value, from, to });

test('what is in force crosses the whole chart', () => {
  expect(drawLimits([version({})], null, window)).toEqual([line(-60, 100, 200)]);
});

test('a change is a step', () => {
  const later = version({ from: 150, bands: [{ band: 'CRITICAL_HIGH', limit: -65 }] });
  expect(drawLimits([version({ to: 150 }), later], null, window)).toEqual([
    line(-60, 100, 150),
    line(-65, 150, 200),
  ]);
});

test('the first version reaches back to where nothing was judged yet', () => {
  expect(drawLimits([version({ from: 180 })], null, window)).toEqual([line(-60, 100, 200)]);
});

test('service-wide limits hold until the channel has its own', () => {
  const wide = version({ channel: null, bands: [{ band: 'CRITICAL_HIGH', limit: 0 }] });
  expect(drawLimits([wide, version({ from: 130 })], null, window)).toEqual([
    line(0, 100, 130),
    line(-60, 130, 200),
  ]);
});

test('a percentage lies around the setpoint, below zero too', () => {
  const bands = [{ band: 'CRITICAL_HIGH' as const, limit: 10 }];
  expect(drawLimits([version({ isPercentage: true, bands })], 40, window)).toEqual([line(44, 100, 200)]);
  expect(drawLimits([version({ isPercentage: true, bands })], -80, window)).toEqual([line(-72, 100, 200)]);
});

test.each([null, 0])('without a setpoint (%s) there is no place for it', (setpoint) => {
  expect(drawLimits([version({ isPercentage: true })], setpoint, window)).toEqual([]);
});
