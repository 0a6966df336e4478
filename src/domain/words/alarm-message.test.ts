import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BANDS } from '../judging/band.ts';
import { english } from '../language/english.ts';
import {
  describeRecovery,
  describeStale,
  describeValueAlarm,
  sayToPeople,
  type ToldChannel,
  type ValueAlarm,
} from './alarm-message.ts';

const tooWarm: ValueAlarm = {
  label: 'Temperature',
  channel: 'temperature',
  value: -55.2,
  unit: '°C',
  band: 'CRITICAL_HIGH',
  limit: -60,
  isPercentage: false,
};

describe('an alarm by value', () => {
  test.each<[string, Partial<ValueAlarm>]>([
    ['Temperature -55.2 °C is above the critical limit of -60 °C', {}],
    [
      'Temperature -88 °C is below the critical limit of -86 °C',
      { band: 'CRITICAL_LOW', value: -88, limit: -86 },
    ],
    [
      'Temperature -65 °C is above the warning limit of -70 °C',
      { band: 'WARNING_HIGH', value: -65, limit: -70 },
    ],
    [
      'Temperature -83 °C is below the warning limit of -82.5 °C',
      { band: 'WARNING_LOW', value: -83, limit: -82.5 },
    ],
    ['co2_percent -55.2 °C is above the critical limit of -60 °C', { label: null, channel: 'co2_percent' }],
    [
      'Door 1 is above the warning limit of 0.5',
      { label: 'Door', unit: null, band: 'WARNING_HIGH', value: 1, limit: 0.5 },
    ],
    ['Temperature 5.123 °C is above the critical limit of 5.1 °C', { value: 5.12345, limit: 5.1 }],
    ['Temperature 0.3 °C is above the critical limit of 0 °C', { value: 0.1 + 0.2, limit: -0 }],
    ['Temperature 0 °C is above the critical limit of -1 °C', { value: -0.0001, limit: -1 }],
    ['Temperature -60 °C is just above the critical limit of -60 °C', { value: -59.9999 }],
    [
      'Temperature 2 °C is just below the warning limit of 2 °C',
      { band: 'WARNING_LOW', value: 1.99999, limit: 2 },
    ],
  ])('%s', (sentence, difference) => {
    expect(describeValueAlarm({ ...tooWarm, ...difference })).toBe(sentence);
  });
});

describe('an alarm by deviation from the setpoint', () => {
  test.each<[string, Partial<ValueAlarm>]>([
    [
      'Temperature is 21.3 % above its setpoint, beyond the critical limit of 20 %',
      { value: 21.3, limit: 20 },
    ],
    [
      'Temperature is 25 % below its setpoint, beyond the warning limit of -20 %',
      { band: 'WARNING_LOW', value: -25, limit: -20 },
    ],
    [
      'Temperature is 2.5 % below its setpoint, beyond the critical limit of -5 %',
      { value: -2.5, limit: -5 },
    ],
    ['Temperature is at its setpoint, beyond the critical limit of -5 %', { value: 0, limit: -5 }],
  ])('%s', (sentence, difference) => {
    expect(describeValueAlarm({ ...tooWarm, ...difference, isPercentage: true })).toBe(sentence);
  });
});

const anyAlarm = fc.record<ValueAlarm>({
  label: fc.constantFrom('Temperature', null),
  channel: fc.constant('temperature'),
  value: fc.double({ noNaN: true, noDefaultInfinity: true }),
  unit: fc.constantFrom('°C', '%', null),
  band: fc.constantFrom(...BANDS),
  limit: fc.double({ noNaN: true, noDefaultInfinity: true }),
  isPercentage: fc.boolean(),
});

test('whatever the numbers: no more than three decimals, no trailing zero, no signed zero', () => {
  fc.assert(
    fc.property(anyAlarm, (alarm) => {
      const numbers = describeValueAlarm(alarm).match(/-?\d+(\.\d+)?(e[+-]\d+)?/g) ?? [];
      for (const number of numbers.filter((text) => !text.includes('e'))) {
        expect(number).toMatch(/^-?\d+(\.\d{0,2}[1-9])?$/);
        expect(number).not.toBe('-0');
      }
    }),
  );
});

test('an everyday number is read back as it was measured, to three decimals', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (thousandths) => {
      const value = thousandths / 1000;
      const sentence = describeValueAlarm({ ...tooWarm, value, limit: value - 1 });
      expect(Number(/^Temperature (\S+) °C /.exec(sentence)?.[1])).toBe(value + 0);
    }),
  );
});

test('the sentence names the severity and the side of the band', () => {
  fc.assert(
    fc.property(anyAlarm, (alarm) => {
      const sentence = describeValueAlarm({ ...alarm, isPercentage: false });
      const [severity, side] = alarm.band.split('_');
      expect(sentence).toContain(` the ${severity?.toLowerCase()} limit of `);
      expect(sentence).toContain(side === 'HIGH' ? 'above' : 'below');
    }),
  );
});

describe('a stale service', () => {
  const createdAt = new Date('2026-11-01T09:30:59.999Z');

  test('names its last data, in UTC', () => {
    const lastTelemetryAt = new Date('2026-11-15T03:00:00+01:00');
    expect(describeStale({ lastTelemetryAt, createdAt })).toBe('No data since 2026-11-15 02:00 UTC');
  });

  test('that never reported counts from its creation', () => {
    expect(describeStale({ lastTelemetryAt: null, createdAt })).toBe(
      'No data received since 2026-11-01 09:30 UTC',
    );
  });

  test('never claims a time after its last data, nor more than a minute before', () => {
    const instant = fc.date({
      min: new Date('1970-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, (lastTelemetryAt) => {
        const text = describeStale({ lastTelemetryAt, createdAt });
        const [, date, time] = /^No data since (\S+) (\S+) UTC$/.exec(text) ?? [];
        const late = lastTelemetryAt.getTime() - Date.parse(`${date}T${time}Z`);
        expect(late).toBeGreaterThanOrEqual(0);
        expect(late).toBeLessThan(60_000);
      }),
    );
  });
});

test.each([
  [
    'with all that is known',
    { channel: 'temperature', label: 'Temperature', unit: '°C', value: -71.2 },
    'Back to normal: Temperature -71.2 °C',
  ],
  [
    'a channel without label and unit',
    { channel: 'co2', label: null, unit: null, value: 5 },
    'Back to normal: co2 5',
  ],
  ['a channel that is gone', { channel: null, label: null, unit: null, value: null }, 'Back to normal'],
])('a recovery, %s', (_, recovery, text) => expect(describeRecovery(recovery)).toBe(text));

describe('what people read instead', () => {
  const door = { name: 'door', label: 'Door', kind: 'state', offWord: null, onWord: null } as const;
  const temperature = { ...door, name: 'temperature', label: 'Temperature', kind: 'metric' } as const;
  test.each<[string, string, ToldChannel, number | null, string]>([
    [
      'a true minus',
      'Temperature -55.2 °C is above the critical limit of -60 °C',
      temperature,
      -55.2,
      'Temperature −55.2 °C is above the critical limit of −60 °C',
    ],
    ['a state by its word', 'Door 1 is above the warning limit of 0.5', door, 1, 'Door open'],
    [
      'without a label, too',
      'door 0 is below the warning limit of 0.5',
      { ...door, label: null },
      0,
      'door closed',
    ],
    ['the end of it', 'Back to normal: Door 0', door, 0, 'Back to normal: Door closed'],
    [
      'a value that has no word',
      'Door 2 is above the warning limit of 0.5',
      door,
      2,
      'Door 2 is above the warning limit of 0.5',
    ],
    [
      'a channel that is gone',
      'Door 1 is above the warning limit of 0.5',
      null,
      1,
      'Door 1 is above the warning limit of 0.5',
    ],
    ['what is about no channel', 'Data comes in again', null, null, 'Data comes in again'],
  ])('%s', (_, message, channel, value, said) =>
    expect(sayToPeople(message, channel, value, english)).toBe(said),
  );
});
