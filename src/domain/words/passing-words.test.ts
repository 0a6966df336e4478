import { expect, test } from 'vitest';
import { english } from '../language/english.ts';
import { type Passing, sayPassing } from './passing-words.ts';

test.each<[what: string, given: Partial<Passing>, said: string]>([
  ['a step', { nextStep: 2, names: ['Ada'] }, 'step 2 opens at once: Ada is notified.'],
  ['one of two', { nextStep: 1, names: ['Ada', 'Ben'] }, 'step 1 opens at once: Ada and Ben are notified.'],
  ['one that is empty', { nextStep: 1 }, 'step 1 opens at once. It reaches nobody but you.'],
  [
    'no further one',
    { names: ['Ada', 'Ben'] },
    'no further step, so Ada and Ben are notified again at once.',
  ],
  ['alone', {}, 'There is nobody else to notify.'],
  ['muted', { untold: 'it is muted', names: ['Ada'] }, 'Nobody else is notified: it is muted.'],
])('%s', (_, given, said) => {
  const passing = { untold: null, nextStep: null, names: [], ...given };
  expect(sayPassing(passing, english)).toMatch(/^The alarm is given back/);
  expect(sayPassing(passing, english)).toContain(said);
});
