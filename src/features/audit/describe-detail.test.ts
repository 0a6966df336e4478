import fc from 'fast-check';
import { expect, test } from 'vitest';
import { english } from '../../domain/language/english.ts';
import { findLanguage } from '../../platform/languages/languages.ts';
import { describeDetail } from './describe-detail.ts';

const READER = { timezone: 'Europe/Berlin', language: english };
const lines = (detail: Record<string, unknown>) =>
  describeDetail(detail, READER).map(({ label, text }) => `${label}: ${text}`);

test.each<[string, Record<string, unknown>, string[]]>([
  ['nothing', {}, []],
  [
    'plain values',
    { reason: 'Defrost', account: 7, isMailed: true },
    ['reason: Defrost', 'account: 7', 'is mailed: yes'],
  ],
  ['empty ones', { comment: null, groups: [], note: '' }, ['comment: none', 'groups: none', 'note: none']],
  ['a change', { changes: { role: { before: 'viewer', after: 'operator' } } }, ['role: viewer → operator']],
  ['something new', { changes: { unit: { before: null, after: '°C' } } }, ['unit of measurement: none → °C']],
  [
    'a change without its old value',
    { changes: { unit: { after: '°C' } } },
    ['unit of measurement: none → °C'],
  ],
  [
    'a band that was moved: only what differs',
    { changes: { CRITICAL_HIGH: { before: { limit: -60, delay: 0 }, after: { limit: -65, delay: 0 } } } },
    ['CRITICAL_HIGH, limit: −60 → −65'],
  ],
  [
    'a band that was removed',
    { changes: { CRITICAL_HIGH: { before: { limit: -60 }, after: null } } },
    ['CRITICAL_HIGH, limit: −60 → none'],
  ],
  ['changes in words', { changes: ['+ channel door', 'name'] }, ['changed: + channel door', 'changed: name']],
  [
    'nested values',
    { window: { start_time: 'a', end_time: 'b' } },
    ['window, start time: a', 'window, end time: b'],
  ],
  ['a list', { services: [1, 2] }, ['units of equipment: 1, 2']],
  ['a time', { start_time: '2026-11-14T20:35:00.000+00:00' }, ['start time: 2026-11-14 21:35 UTC+01:00']],
  ['what is no time', { note: '2026-13-77T20:35:00Z' }, ['note: 2026-13-77T20:35:00Z']],
])('%s', (_, detail, expected) => {
  expect(lines(detail)).toEqual(expected);
});

test('labels are said in the language of the reader, and what is not known by its name', () => {
  const german = findLanguage('de') ?? english;
  const said = describeDetail(
    {
      reason: 'Defrost',
      window: { startTime: 'a' },
      racks_of_old: 2,
      changes: { send_critical: { before: true, after: false } },
    },
    { ...READER, language: german },
  );
  expect(said.map(({ label }) => label)).toEqual([
    'Grund',
    'Zeitraum, Beginn',
    'racks of old',
    'Benachrichtigungen über kritische Alarme',
  ]);
});

test('whatever a record holds, it can be shown', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (detail) => {
      for (const { label, text } of describeDetail(detail as Record<string, unknown>, READER)) {
        expect(typeof label).toBe('string');
        expect(text).not.toBe('');
      }
    }),
  );
});
