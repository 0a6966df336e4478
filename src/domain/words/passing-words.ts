// What happens when somebody who has an alarm says not to go, before they say it.
import type { Language } from '../language/speak.ts';
import { listNames } from '../list-names.ts';

export interface Passing {
  /** Why nobody is told whatever happens; null: they are. */
  untold: string | null;
  /** null: there is no further one. */
  nextStep: number | null;
  /** Of the next step, else of the whole group; never of whoever asks. */
  names: readonly string[];
}

export function sayPassing({ untold, nextStep, names }: Passing, language: Language): string {
  const { say } = language;
  if (untold !== null) return say('The alarm is given back. Nobody else is notified: {untold}.', { untold });
  const facts = { count: names.length, names: listNames(names, 'and', language) };
  if (nextStep !== null)
    return names.length === 0
      ? say('The alarm is given back, and step {nextStep} opens at once. It reaches nobody but you.', {
          nextStep,
        })
      : say(
          'The alarm is given back, and step {nextStep} opens at once: {count, plural, one {{names} is notified} other {{names} are notified}}.',
          { nextStep, ...facts },
        );
  if (names.length === 0) return say('The alarm is given back. There is nobody else to notify.');
  return say(
    'The alarm is given back. There is no further step, so {count, plural, one {{names} is notified} other {{names} are notified}} again at once.',
    facts,
  );
}
