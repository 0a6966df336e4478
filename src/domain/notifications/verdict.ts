// What a test or a drill has shown, from what became of each of its letters.
import type { Language } from '../language/speak.ts';
import type { Outcome } from './outcome.ts';

export type OutcomeVerdict =
  | { kind: 'under_way' }
  /** `arrived`: of each a report or a person says so. */
  | { kind: 'well'; arrived: boolean }
  | { kind: 'bad'; words: string; kept: number };

const LEFT: readonly Outcome['state'][] = ['handed_over', 'arrived', 'confirmed'];
const ARRIVED: readonly Outcome['state'][] = ['arrived', 'confirmed'];

/** Nothing is well that only waits or was kept. What was left out on purpose counts neither way, unless it is all there is. */
export function judgeOutcomes(outcomes: readonly Outcome[], { say }: Language): OutcomeVerdict {
  const counted = outcomes.filter(({ state }) => state !== 'left_out');
  if (counted.length === 0) return { kind: 'bad', words: say('Nobody was notified.'), kept: 0 };
  if (counted.some(({ state }) => state === 'waiting')) return { kind: 'under_way' };
  const unsure = counted.filter((one) => one.state === 'handed_over' && !one.isSure).length;
  const stayed = counted.filter(({ state }) => !LEFT.includes(state)).length;
  const kept = counted.filter(({ state }) => state === 'kept').length;
  if (stayed === 0 && unsure === 0)
    return { kind: 'well', arrived: counted.every(({ state }) => ARRIVED.includes(state)) };
  const others = stayed - kept;
  const sentences = [
    ...(kept > 0
      ? [
          say(
            'There is no mail server: {kept, plural, one {# mail was} other {# mails were}} kept here and did not leave.',
            { kept },
          ),
        ]
      : []),
    ...(others > 0
      ? [
          say(
            '{others, plural, one {# of {all} was} other {# of {all} were}} not handed over: see why at each.',
            { others, all: counted.length },
          ),
        ]
      : []),
    ...(unsure > 0 ? [say('Whether all of it left was not noted.')] : []),
  ];
  return { kind: 'bad', words: sentences.join(' '), kept };
}

export const sayWell = ({ arrived }: { arrived: boolean }, { say }: Language): string =>
  arrived
    ? say('Everything has arrived.')
    : say('Everything was handed over. Whether it arrived, its readers can say.');
