// What is stored instead of how an alarm stands, or before it: who sent a test, who hands an alarm over, that it is unsteady.
// Programs read it in English, people in their language.
import { english } from '../language/english.ts';
import { message } from '../language/message.ts';
import type { Language } from '../language/speak.ts';
import { readFacts } from './read-facts.ts';

const TEST = message('This is a test, sent by {person}');
const DRILL = message('Alarm drill, started by {person}. Nothing is wrong');
const ACKNOWLEDGED = message('Acknowledged by {person}');
// For translators: somebody who has an alarm asks the reader to take it
const HANDED = message('{person} hands this alarm to you: take it by the link, or call {person}.');
/** As it is stored: it counts by itself. */
const NOT_TAKEN = '{person} has not taken this alarm over within {minutes} minutes: it is still yours.';

export const describeTest = (person: string): string => english.say(TEST, { person });

/** It leaves with the mark that it is none of the real ones. */
export const describeDrill = (person: string): string => english.say(DRILL, { person });

export const describeAcknowledgement = (person: string): string => english.say(ACKNOWLEDGED, { person });

export const describeHandOver = (person: string): string => english.say(HANDED, { person });

/** The comment of whoever moves what is inside. It is stored in English, as what people write is stored as it is. */
export const describeMovedTo = (place: string, racks: number): string =>
  `Moved to ${place}: ${racks} ${racks === 1 ? 'rack' : 'racks'}`;

export const describeNotTaken = (person: string, minutes: number): string =>
  english.say(NOT_TAKEN, { person, minutes });

/** null: it is none of these. */
export function sayNote(stored: string, { say }: Language): string | null {
  for (const note of [TEST, DRILL, ACKNOWLEDGED, HANDED] as const) {
    const facts = readFacts(stored, note);
    if (facts) return say(note, { person: facts.person ?? '' });
  }
  const { person, minutes = '' } = readFacts(stored, NOT_TAKEN) ?? {};
  if (person === undefined || !/^\d{1,9}$/.test(minutes)) return null;
  return say(
    '{person} has not taken this alarm over within {minutes, plural, one {# minute} other {# minutes}}: it is still yours.',
    { person, minutes: Number(minutes) },
  );
}

const UNSTEADY = /^Unsteady, (\d{1,9}) warnings? within (\d{1,9}) minutes?\.(?: (.*))?$/s;

/** `Unsteady, 4 warnings within 60 minutes.`, and what is stored behind it; null: it says nothing of that. */
export function splitUnsteady(stored: string, { say }: Language): { note: string; rest: string } | null {
  const [found, count, withinMinutes, rest = ''] = UNSTEADY.exec(stored) ?? [];
  if (found === undefined) return null;
  const note = say(
    'Unsteady, {count, plural, one {# warning} other {# warnings}} within {withinMinutes, plural, one {# minute} other {# minutes}}.',
    { count: Number(count), withinMinutes: Number(withinMinutes) },
  );
  return { note, rest };
}
