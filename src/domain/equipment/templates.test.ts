import { expect, test } from 'vitest';
import { findLimitsFault } from '../judging/limits.ts';
import { proposeTemplate, TEMPLATES } from './templates.ts';

/** As the table of the documents has them: limit/minutes. */
const TABLE: Record<string, (string | null)[]> = {
  'freezer-80': [null, '-90/60', '-70/30', '-60/15'],
  'freezer-20': [null, '-30/60', '-15/60', '-10/60'],
  fridge: ['2/15', '3/30', '7/30', '8/30'],
  'cold-room': ['0/30', '2/30', '7/45', '8/60'],
  incubator: ['36/30', '36.5/30', '37.5/30', '38/5'],
  'incubator-co2': ['4/30', '4.5/30', '5.5/30', '6/30'],
  'ln2-vapour': [null, null, '-160/30', '-150/15'],
  'ln2-level': ['20/30', '30/30', null, null],
  room: ['15/30', '18/30', '25/30', '30/30'],
  'room-humidity': [null, '25/60', '65/60', null],
  relay: [null, null, null, '0.5/1'],
  battery: [null, '15/60', null, null],
};

test('there are twelve, as the table has them, and each can be saved', () => {
  const written = Object.entries(TEMPLATES).map(([name, { bands }]) => [
    name,
    (['CRITICAL_LOW', 'WARNING_LOW', 'WARNING_HIGH', 'CRITICAL_HIGH'] as const).map((wanted) => {
      const found = bands.find(({ band }) => band === wanted);
      return found ? `${found.limit}/${found.sustainedMinutes}` : null;
    }),
  ]);
  expect(Object.fromEntries(written)).toEqual(TABLE);
  expect(written).toHaveLength(12);
  for (const { bands } of Object.values(TEMPLATES))
    expect(findLimitsFault({ isPercentage: false, bands: [...bands] })).toBeNull();
});

test.each<[name: string, value: number, isState: boolean, proposed: string | null]>([
  ['temperature', -79.8, false, 'freezer-80'],
  ['Temperature_1', -21, false, 'freezer-20'],
  ['temp', 4.6, false, 'fridge'],
  ['air.temperature', 22, false, 'room'],
  ['TempC_SHT', 37.1, false, 'incubator'],
  ['temperature', -180, false, 'ln2-vapour'],
  ['temperature', -45, false, null],
  ['humidity', 45, false, 'room-humidity'],
  ['air.relativeHumidity', 45, false, 'room-humidity'],
  ['co2', 5.02, false, 'incubator-co2'],
  ['co2', 640, false, null],
  ['level', 78, false, 'ln2-level'],
  ['battery', 97, false, 'battery'],
  ['battery_voltage', 3.6, false, null],
  ['alarm_relay', 0, true, 'relay'],
  ['door', 1, true, null],
  ['rssi', -80, false, null],
  ['setpoint_temperature', -80, false, null],
  ['uptime', 12, false, null],
])('%s that says %d (state: %s): %s', (name, value, isState, proposed) => {
  expect(proposeTemplate({ name, value, isState })).toBe(proposed);
});
