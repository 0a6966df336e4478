import { expect, test } from 'vitest';
import { english } from '../language/english.ts';
import { speak } from '../language/speak.ts';
import { sayFailure, writeFailure } from './failure-words.ts';

const german = speak('de', {
  '{host} gave no answer within {seconds} s': [
    { fact: 'host' },
    ' gab in ',
    { fact: 'seconds' },
    ' s keine Antwort',
  ],
  '{host} failed ({status})': [{ fact: 'host' }, ' hat versagt (', { fact: 'status' }, ')'],
  '{host} answered {status}': [{ fact: 'host' }, ' antwortete ', { fact: 'status' }],
  '{host} answered 410: this webhook is gone for good': [{ fact: 'host' }, ': für immer weg (410)'],
  'The mail server cannot be reached': 'Der Mailserver ist nicht zu erreichen',
  'The mail server answered: {said}': ['Der Mailserver antwortete: ', { fact: 'said' }],
});

test.each([
  [
    writeFailure('no_answer', { host: 'hooks.example', seconds: 15 }),
    'hooks.example gab in 15 s keine Antwort',
  ],
  ['hooks.example:8443 failed (503)', 'hooks.example:8443 hat versagt (503)'],
  ['hooks.example failed (503): try (again) later', 'hooks.example hat versagt (503): try (again) later'],
  ['hooks.example answered 400: no: not you', 'hooks.example antwortete 400: no: not you'],
  [`${writeFailure('gone', { host: 'hooks.example' })}: moved`, 'hooks.example: für immer weg (410): moved'],
  [
    'The mail server cannot be reached (ECONNREFUSED)',
    'Der Mailserver ist nicht zu erreichen (ECONNREFUSED)',
  ],
  ['The mail server answered: 550 no such user', 'Der Mailserver antwortete: 550 no such user'],
  ['something of an older version', 'something of an older version'],
])('%s', (stored, said) => {
  expect(sayFailure(stored, german)).toBe(said);
  expect(sayFailure(stored, english)).toBe(stored);
});
