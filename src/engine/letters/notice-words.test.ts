import { expect, test } from 'vitest';
import { digestOf, letterOf, NOTICES, type Told } from '../../../test/support/notices.ts';
import { english } from '../../domain/language/english.ts';
import {
  countNotices,
  factsOf,
  incidentOf,
  roomsOf,
  textOf,
  titleOf,
  titleOfDigest,
} from './notice-words.ts';

test.each<[Told, string]>([
  ['critical', '[CRITICAL] Freezer 3 (Room 101)'],
  ['warning', '[WARNING] Freezer 3 (Room 101)'],
  ['repeat', '[STILL CRITICAL] Freezer 3 (Room 101)'],
  ['acknowledgement', '[ACKNOWLEDGED] Freezer 3 (Room 101)'],
  ['recovery', '[RECOVERED] Freezer 3 (Room 101)'],
  ['stale', '[NO DATA] Freezer 3 (Room 101)'],
  ['back', '[DATA IS BACK] Freezer 3 (Room 101)'],
  ['test', '[TEST] Freezer 3 (Room 101)'],
  ['drill', '[DRILL] [CRITICAL] Freezer 3 (Room 101)'],
])('%s is entitled %s', (told, title) => expect(titleOf(NOTICES[told], english)).toBe(title));

test('what is not real says so before it says anything else', () => {
  expect(textOf(NOTICES.test, english)).toBe('This is a test message, not an alarm. Sent by Ada');
  expect(textOf(NOTICES.drill, english)).toMatch(/^This is a drill, not a real alarm\. Temperature /);
  expect(textOf(NOTICES.critical, english)).toBe(NOTICES.critical.said);
  expect(textOf(NOTICES.critical, english, NOTICES.critical.message)).toBe(NOTICES.critical.message);
});

test('what has no message of its own says its title', () => {
  expect(textOf({ ...NOTICES.acknowledgement, said: ' ' }, english)).toBe(
    '[ACKNOWLEDGED] Freezer 3 (Room 101)',
  );
});

test('facts are told where there are some; a blank one is none', () => {
  expect(
    factsOf({ ...NOTICES.acknowledgement, locationName: ' \n' }, english).map(({ title }) => title),
  ).toEqual(['Since', 'Acknowledged by', 'Comment', 'Organization']);
});

test.each<[Told, string]>([
  ['critical', '42'],
  ['warning', '42'],
  ['acknowledgement', '42'],
  ['recovery', '42'],
  ['stale', 'stale-7'],
  ['back', 'stale-7'],
  ['drill', 'drill-42'],
  ['test', 'test-42'],
])('%s belongs to incident %s', (told, incident) => expect(incidentOf(NOTICES[told])).toBe(incident));

test('a digest is counted, drills and tests apart', () => {
  expect(titleOfDigest(digestOf(500))).toBe(
    'Cold team: 500 messages (300 critical, 150 warning, 50 without data)',
  );
  const letter = letterOf(NOTICES.critical, ...Object.values(NOTICES), NOTICES.test);
  expect(titleOfDigest(letter)).toBe(
    'Cold team: 11 messages (3 critical, 1 warning, 1 without data, 1 acknowledged, 1 recovered, 1 with data again, 1 drill, 2 tests)',
  );
  expect(countNotices(letter)).toMatchObject({ critical: 3, drill: 1, test: 2 });
});

test('three units of one place that begin together may have one cause; fewer, or the same one, have not', () => {
  expect(roomsOf(digestOf(7))).toEqual(['7 units in Room 101: power or gateway?']);
  expect(roomsOf(digestOf(2))).toEqual([]);
  expect(roomsOf(letterOf(NOTICES.critical, NOTICES.warning, NOTICES.stale))).toEqual([]);
});
