// What happens when somebody who has an alarm says not to go, before they say it.
import { listNames } from '../list-names.ts';

export interface Passing {
  /** Why nobody is told whatever happens; null: they are. */
  untold: string | null;
  /** null: there is no further one. */
  nextStep: number | null;
  /** Of the next step, else of the whole group; never of whoever asks. */
  names: readonly string[];
}

export function sayPassing({ untold, nextStep, names }: Passing): string {
  if (untold !== null) return `The alarm is given back. Nobody else is told: ${untold}.`;
  const told = `${listNames(names, 'and')} ${names.length === 1 ? 'is' : 'are'} told`;
  if (nextStep !== null)
    return names.length === 0
      ? `The alarm is given back, and step ${nextStep} opens at once. It reaches nobody but you.`
      : `The alarm is given back, and step ${nextStep} opens at once: ${told}.`;
  if (names.length === 0) return 'The alarm is given back. There is nobody else to tell.';
  return `The alarm is given back. There is no further step, so ${told} again at once.`;
}
