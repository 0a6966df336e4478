import { describe, expect, test } from 'vitest';
import { addBracketed } from '../../../test/support/made-up-language.ts';
import { english } from '../language/english.ts';
import { sayToPeople } from './alarm-message.ts';
import {
  describeAcknowledgement,
  describeDrill,
  describeHandOver,
  describeNotTaken,
  describeTest,
} from './note-words.ts';

const made = addBracketed('cy');

describe('what is stored in English is said to people in their language', () => {
  const acknowledged = describeAcknowledgement('Oscar');
  test.each([
    [describeTest('Ada'), '[cy This is a test, sent by Ada]'],
    [describeDrill('Ada. B'), '[cy Alarm drill, started by Ada. B. Nothing is wrong]'],
    [acknowledged, '[cy Acknowledged by Oscar]'],
    [describeHandOver('Ada'), '[cy Ada hands this alarm to you: take it by the link, or call Ada.]'],
    [
      describeNotTaken('Vera', 15),
      '[cy Vera has not taken this alarm over within 15 minutes: it is still yours.]',
    ],
    [
      `Unsteady, 4 warnings within 60 minutes. ${acknowledged}`,
      '[cy Unsteady, 4 warnings within 60 minutes.] [cy Acknowledged by Oscar]',
    ],
    ['Unsteady, 4 warnings within 60 minutes.', '[cy Unsteady, 4 warnings within 60 minutes.]'],
    [
      'No data since 2026-11-15 02:00 UTC. 1 service is behind it',
      '[cy [cy No data since 2026-11-15 02:00 UTC]. 1 service is behind it]',
    ],
    [
      'No data received since 2026-11-15 02:00 UTC. 3 services are behind it',
      '[cy [cy No data received since 2026-11-15 02:00 UTC]. 3 services are behind it]',
    ],
  ])('%s', (message, said) => {
    expect(sayToPeople(message, null, null, made)).toBe(said);
    expect(sayToPeople(message, null, null, english)).toBe(message);
  });
});
