// What was foretold of a drill beside what became of it, way by way.
import type { Language } from '../language/speak.ts';
import { nameRecipient, type Recipient } from '../on-call/recipient.ts';
import type { Foretold } from './foretell.ts';
import { isTrouble, type Outcome } from './outcome.ts';
import type { Reason } from './reason.ts';

interface ToldWay extends Recipient {
  step: number;
  /** When it was decided. */
  at: Date;
  outcome: Outcome;
}

/** `due`: not yet. `spared`: somebody had acknowledged it by then. */
type Standing = 'told' | 'due' | 'spared';

export type Difference = 'not_told' | 'not_foretold' | 'other_time' | 'left_out' | 'not_handed_over';

interface ComparedWay<Told extends ToldWay> {
  way: Recipient;
  /** null: nobody was told. */
  told: Told | null;
  standing: Standing;
  /** null: all is as it was foretold, so far. */
  difference: Difference | null;
}

export interface ComparedStep<Told extends ToldWay> {
  step: number;
  /** When it was foretold for; what was not, when it was told. */
  at: Date;
  /** null: it was not foretold. */
  reason: Reason | null;
  ways: ComparedWay<Told>[];
}

/** Programs look every second; a minute is as long as people measure. */
const AT_ONCE_MS = 60_000;

export function compareForetold<Told extends ToldWay>(
  foretold: readonly Foretold[],
  told: readonly Told[],
  { acknowledgedAt, now }: { acknowledgedAt: Date | null; now: Date },
): ComparedStep<Told>[] {
  const left = [...told];
  const take = (way: Recipient, step: number): Told | null => {
    const index = left.findIndex((one) => one.step === step && nameRecipient(one) === nameRecipient(way));
    return index === -1 ? null : (left.splice(index, 1)[0] ?? null);
  };
  const foreseen = foretold.map(({ at, step, recipients, reason }) => ({
    step,
    at,
    reason,
    ways: recipients.map((way) => compareWay(way, at, take(way, step), { acknowledgedAt, now })),
  }));
  const unforeseen = left.map((one) => ({
    step: one.step,
    at: one.at,
    reason: null,
    ways: [{ way: one, told: one, standing: 'told' as const, difference: 'not_foretold' as const }],
  }));
  return [...foreseen, ...unforeseen].sort((one, other) => +one.at - +other.at || one.step - other.step);
}

function compareWay<Told extends ToldWay>(
  way: Recipient,
  foretoldAt: Date,
  told: Told | null,
  { acknowledgedAt, now }: { acknowledgedAt: Date | null; now: Date },
): ComparedWay<Told> {
  if (told) return { way, told, standing: 'told', difference: findDifference(told, foretoldAt) };
  const isSpared = acknowledgedAt !== null && acknowledgedAt <= new Date(+foretoldAt + AT_ONCE_MS);
  if (isSpared) return { way, told, standing: 'spared', difference: null };
  const isDue = +now < +foretoldAt + AT_ONCE_MS;
  return { way, told, standing: 'due', difference: isDue ? null : 'not_told' };
}

function findDifference({ at, outcome }: ToldWay, foretoldAt: Date): Difference | null {
  if (outcome.state === 'left_out') return 'left_out';
  if (isTrouble(outcome)) return 'not_handed_over';
  return Math.abs(+at - +foretoldAt) < AT_ONCE_MS ? null : 'other_time';
}

/** All ways in one sentence. */
export function sayComparison(steps: readonly ComparedStep<ToldWay>[], { say }: Language): string {
  const ways = steps.flatMap((step) => step.ways);
  const differing = ways.filter(({ difference }) => difference !== null).length;
  const due = ways.filter(({ standing, difference }) => standing === 'due' && difference === null).length;
  if (differing > 0)
    return say('{differing} of {all} went otherwise than foretold.', { differing, all: ways.length });
  if (due > 0)
    return say('As foretold so far: {told} of {all}, the others are to come.', {
      told: ways.length - due,
      all: ways.length,
    });
  return say('All went as foretold.');
}
