// What is stored instead of how an alarm stands, or before it: who sent a test, who hands an alarm over, that it is unsteady.
// Programs read it in English, people in their language.
import type { Language } from '../language/speak.ts';

export const describeTest = (person: string): string => `This is a test, sent by ${person}`;

/** It leaves with the mark that it is none of the real ones. */
export const describeDrill = (person: string): string =>
  `Alarm drill, started by ${person}. Nothing is wrong`;

export const describeAcknowledgement = (person: string): string => `Acknowledged by ${person}`;

export const describeHandOver = (person: string): string =>
  `${person} hands this alarm to you: take it by the link, or call ${person}.`;

export const describeNotTaken = (person: string, minutes: number): string =>
  `${person} has not taken this alarm over within ${minutes} minutes: it is still yours.`;

type Form = [looks: RegExp, say: (found: string[], language: Language) => string];

const FORMS: Form[] = [
  [
    /^This is a test, sent by (.+)$/s,
    ([person = ''], { say }) => say('This is a test, sent by {person}', { person }),
  ],
  [
    /^Alarm drill, started by (.+)\. Nothing is wrong$/s,
    ([person = ''], { say }) => say('Alarm drill, started by {person}. Nothing is wrong', { person }),
  ],
  [/^Acknowledged by (.+)$/s, ([person = ''], { say }) => say('Acknowledged by {person}', { person })],
  [
    /^(.+) hands this alarm to you: take it by the link, or call \1\.$/s,
    ([person = ''], { say }) =>
      // For translators: somebody who has an alarm asks the reader to take it
      say('{person} hands this alarm to you: take it by the link, or call {person}.', { person }),
  ],
  [
    /^(.+) has not taken this alarm over within (\d{1,9}) minutes: it is still yours\.$/s,
    ([person = '', minutes], { say }) =>
      say(
        '{person} has not taken this alarm over within {minutes, plural, one {# minute} other {# minutes}}: it is still yours.',
        { person, minutes: Number(minutes) },
      ),
  ],
];

/** null: it is none of these. */
export function sayNote(stored: string, language: Language): string | null {
  for (const [looks, say] of FORMS) {
    const found = looks.exec(stored);
    if (found) return say(found.slice(1), language);
  }
  return null;
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
