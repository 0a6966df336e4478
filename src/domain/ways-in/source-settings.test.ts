import { expect, test } from 'vitest';
import { COMMON_SETTINGS } from './common-settings.ts';
import { readSourceSettings } from './source-settings.ts';
import { toCelsius } from './units.ts';
import { WAYS } from './ways.ts';

test('settings that say all there is to say', () => {
  const settings = {
    clock: 'receipt',
    units: { temperature: '°F' },
    invert: ['contact'],
    split: { temp_channel1: '#1', hum_channel1: '#1 humidity' },
    ignore: ['uptime'],
    faults: { temperature: { below: -40, exactly: [-46.85] }, current: { below: 3.6, above: 21 } },
    device_tag: 'sensor',
    prefix_measurement: true,
    metrics: { 'temp{probe="1"}': 'inside', up: 'up' },
    device_label: 'instance',
  };
  expect(readSourceSettings(settings)).toEqual({ ok: true, value: settings });
  expect(readSourceSettings(null)).toEqual({ ok: true, value: {} });
});

test.each<[string, unknown, string]>([
  ['a list', [], ''],
  ['an unknown word', { colour: 'red' }, 'colour'],
  ['an unknown clock', { clock: 'sun' }, 'clock'],
  ['a bound in words', { faults: { t: { below: 'cold' } } }, 'faults.t.below'],
  ['a fault that is no list', { faults: { t: { exactly: -45 } } }, 'faults.t.exactly'],
  ['an unknown unit', { units: { t: '°R' } }, 'units.t'],
  ['units without channels', { units: '°F' }, 'units'],
  ['a state that is no name', { invert: ['ok', 7] }, 'invert[1]'],
  ['a part without a mark', { split: { t1: '1' } }, 'split.t1'],
  ['half a character', { device_tag: '\ud800' }, 'device_tag'],
  ['a mapping without a device', { mapping: { each: '/a/*' } }, 'mapping.device'],
  ['a place that is none', { mapping: { device: 'id' } }, 'mapping.device'],
  [
    'a piece without a place',
    { mapping: { device: '/id', values: { t: { path: '/t', part: ['|'] } } } },
    'mapping.values.t.part',
  ],
  [
    'a word of a mapping that is none',
    { mapping: { device: '/id', values: { t: { path: '/t', unit: 'K' } } } },
    'mapping.values.t.unit',
  ],
  ['metrics that are no list', { metrics: 'temp' }, 'metrics'],
  ['a metric that is none', { metrics: ['temp{probe=1}'] }, 'metrics'],
  ['a metric without a channel', { metrics: { temp: '' } }, 'metrics.temp'],
  ['a flag in words', { prefix_measurement: 'yes' }, 'prefix_measurement'],
  ['what every object has', { constructor: 1 }, 'constructor'],
])('refuses %s', (_, settings, path) => {
  const read = readSourceSettings(settings);
  expect(read.ok ? [] : read.refusal.map((fault) => fault.path)).toEqual([path]);
});

test('a setting is read alike, whichever ways in have it', () => {
  const readersOf = new Map<string, Set<unknown>>();
  for (const own of [COMMON_SETTINGS, ...Object.values(WAYS).map(({ settings }) => settings)])
    for (const [name, read] of Object.entries(own))
      readersOf.set(name, (readersOf.get(name) ?? new Set()).add(read));
  expect([...readersOf].flatMap(([name, readers]) => (readers.size > 1 ? [name] : []))).toEqual([]);
});

test.each([
  [212, '°F', 100],
  [-112, '°F', -80],
  [77.36, 'K', -195.79],
  [5, '°C', 5],
] as const)('%d %s', (value, unit, celsius) => expect(toCelsius(value, unit)).toBe(celsius));
