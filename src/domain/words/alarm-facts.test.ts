import { describe, expect, test } from 'vitest';
import { english } from '../language/english.ts';
import {
  type AlarmFacts,
  listFacts,
  type StoredFacts,
  sayAlarm,
  sayInBrief,
  sayRest,
  toFacts,
} from './alarm-facts.ts';

const MINUTE = 60_000;
const now = new Date('2026-11-15T03:00:00Z');
const ago = (minutes: number) => now.getTime() - minutes * MINUTE;

const stored: StoredFacts = {
  severity: 'critical',
  since: new Date(ago(2)),
  staleSince: null,
  channel: { name: 't', label: 'Temperature', unit: '°C', kind: 'metric', offWord: null, onWord: null },
  channelName: 't',
  value: 5.29,
  at: ago(0),
  band: 'CRITICAL_HIGH',
  limit: -8,
  isPercentage: false,
  standing: {
    breaches: { CRITICAL_HIGH: ago(32), WARNING_HIGH: ago(40) },
    lately: {
      readings: [
        [ago(2), 6.1],
        [ago(1), 5.6],
        [ago(0), 5.29],
      ],
      lowest: -7,
      highest: 6.1,
    },
  },
};
const facts = (given: Partial<StoredFacts> = {}): AlarmFacts => toFacts({ ...stored, ...given }, english);

test('all facts, in their order', () =>
  expect(listFacts(facts(), english)).toEqual([
    { title: 'Now', value: '5.29 °C, falling' },
    { title: 'Limit', value: '−8 °C' },
    { title: 'Over since', value: new Date(ago(32)) },
    { title: 'Alarm since', value: new Date(ago(2)) },
    { title: 'Worst so far', value: '6.1 °C' },
  ]));

describe('in one sentence', () => {
  const door = {
    name: 'door',
    label: 'Door',
    unit: null,
    kind: 'state',
    offWord: null,
    onWord: null,
  } as const;
  test.each<[what: string, given: Partial<StoredFacts>, said: string | null]>([
    ['above', {}, 'Temperature 5.29 °C is above the critical limit of −8 °C'],
    [
      'closer than decimals show',
      { value: -7.9999 },
      'Temperature −8 °C is just above the critical limit of −8 °C',
    ],
    [
      'back within, while it is not over yet',
      { value: -8.5 },
      'Temperature −8.5 °C is within the critical limit of −8 °C again',
    ],
    [
      'below',
      { band: 'WARNING_LOW', value: -9, severity: 'warning' },
      'Temperature −9 °C is below the warning limit of −8 °C',
    ],
    [
      'a deviation',
      { isPercentage: true, limit: 5 },
      'Temperature 5.29 °C is beyond the critical limit of 5 % from its setpoint',
    ],
    ['a state', { channel: door, value: 1, limit: 0.5 }, 'Door open'],
    ['a channel that is gone', { channel: null, value: null, at: null }, null],
    ['a limit that nobody noted', { band: null, limit: null }, null],
  ])('%s', (_, given, said) => expect(sayAlarm(facts(given), english)).toBe(said));
});

test('where there is little room', () => {
  expect(sayInBrief(facts(), english)).toBe('5.29 °C, falling (limit −8)');
  expect(sayInBrief(facts({ isPercentage: true, limit: 5 }), english)).toBe('5.29 °C, falling (limit 5 %)');
});

test('what comes after the sentence needs no clock', () =>
  expect(sayRest(facts(), now, english)).toBe(
    ', falling. Over for 32 minutes, in alarm for 2 minutes, worst so far 6.1 °C.',
  ));

test('what is not known is not said', () => {
  const unknown = facts({ standing: null, staleSince: now });
  expect(listFacts(unknown, english).map(({ title }) => title)).toEqual([
    'Last known',
    'Limit',
    'Alarm since',
  ]);
  expect(sayRest(unknown, now, english)).toBe('. In alarm for 2 minutes.');
});
