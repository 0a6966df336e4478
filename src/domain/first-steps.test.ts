import { expect, test } from 'vitest';
import { type FirstStepFacts, findStepsDone, sayStepsMissing } from './first-steps.ts';
import { english } from './language/english.ts';

const NOTHING: FirstStepFacts = {
  hasSource: false,
  hasWaitingDevice: false,
  hasService: false,
  isMailLeaving: false,
  isSomebodyTold: false,
  hasColleague: false,
  worksAlone: false,
  hasArrived: false,
};
const ALL_BUT_ARRIVED: FirstStepFacts = {
  ...NOTHING,
  hasService: true,
  isMailLeaving: true,
  isSomebodyTold: true,
  worksAlone: true,
};

test.each<[name: string, facts: FirstStepFacts, missing: string | null]>([
  [
    'an empty house',
    NOTHING,
    'a source, a first reading, a first service, mail that leaves, somebody who is notified, a colleague and a message that arrived',
  ],
  [
    'a device that waits',
    { ...NOTHING, hasSource: true, hasWaitingDevice: true },
    'a first service, mail that leaves, somebody who is notified, a colleague and a message that arrived',
  ],
  ['nothing has arrived', ALL_BUT_ARRIVED, 'a message that arrived'],
  ['a message has arrived', { ...ALL_BUT_ARRIVED, hasArrived: true }, null],
  [
    'it did, and then the group was emptied',
    { ...ALL_BUT_ARRIVED, hasArrived: true, isSomebodyTold: false },
    'somebody who is notified',
  ],
])('%s', (_, facts, missing) => expect(sayStepsMissing(findStepsDone(facts), english)).toBe(missing));
