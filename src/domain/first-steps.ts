// What leads from an empty house to a message that arrived: which steps are done, from what is stored.
import { message } from './language/message.ts';
import type { Language } from './language/speak.ts';
import { inOneSentence } from './list-names.ts';

export interface FirstStepFacts {
  hasSource: boolean;
  /** A device was heard that nobody has adopted yet. */
  hasWaitingDevice: boolean;
  hasService: boolean;
  /** The last mail that was done with was handed over, not kept. */
  isMailLeaving: boolean;
  /** Of a critical alarm of some service. */
  isSomebodyTold: boolean;
  /** A member beside oneself, or one who is invited. */
  hasColleague: boolean;
  worksAlone: boolean;
  hasArrived: boolean;
}

export type StepName = 'source' | 'reading' | 'adopt' | 'mail' | 'told' | 'colleague' | 'arrived';

/** In their order. A service that came another way, such as by a lab file, needs none of the first three. */
export const findStepsDone = (facts: FirstStepFacts): Record<StepName, boolean> => ({
  source: facts.hasSource || facts.hasService,
  reading: facts.hasWaitingDevice || facts.hasService,
  adopt: facts.hasService,
  mail: facts.isMailLeaving,
  told: facts.isSomebodyTold,
  colleague: facts.hasColleague || facts.worksAlone,
  arrived: facts.hasArrived,
});

const MISSING = {
  // For translators: in the list of what is still missing before a first message has arrived
  source: message('a source'),
  reading: message('a first reading'),
  adopt: message('a first service'),
  mail: message('mail that leaves'),
  told: message('somebody who is notified'),
  colleague: message('a colleague'),
  arrived: message('a message that arrived'),
} as const satisfies Record<StepName, string>;

/** null: nothing is. */
export function sayStepsMissing(done: Record<StepName, boolean>, language: Language): string | null {
  const missing = (Object.keys(MISSING) as StepName[]).filter((name) => !done[name]);
  return missing.length === 0
    ? null
    : inOneSentence(
        missing.map((name) => language.say(MISSING[name])),
        language,
      );
}
