import { describe, expect, test } from 'vitest';
import { english } from '../language/english.ts';
import type { Recipient } from '../on-call/recipient.ts';
import { compareForetold, sayComparison } from './compare-foretold.ts';
import type { Foretold } from './foretell.ts';
import type { Outcome } from './outcome.ts';

const START = new Date('2026-11-16T20:00:00Z');
const after = (minutes: number) => new Date(START.getTime() + minutes * 60_000);
const person = (name: string): Recipient => ({ transport: 'email', recipient: `${name}@lab.example` });
const foretell = (minute: number, step: number, ...names: string[]): Foretold => ({
  at: after(minute),
  step,
  recipients: names.map((name) => ({ ...person(name), step })),
  reason: { code: 'drill' },
});
const WELL: Outcome = { state: 'handed_over', to: 'mail.example', at: START, isSure: true };
const REFUSED: Outcome = { state: 'refused', error: '550', nextAt: null };
const tell = (minute: number, step: number, name: string, outcome: Outcome = WELL) => ({
  ...person(name),
  step,
  at: after(minute),
  outcome,
});

/** `vera told`, `oscar due`, `ada told: not_foretold` */
function say(
  foretold: Foretold[],
  told: ReturnType<typeof tell>[],
  { minute, acknowledged = null }: { minute: number; acknowledged?: number | null },
) {
  const acknowledgedAt = acknowledged === null ? null : after(acknowledged);
  const steps = compareForetold(foretold, told, { acknowledgedAt, now: after(minute) });
  const lines = steps.flatMap(({ ways }) =>
    ways.map(({ way, standing, difference }) => {
      const who = `${way.recipient.split('@')[0]} ${standing}`;
      return difference ? `${who}: ${difference}` : who;
    }),
  );
  return [...lines, sayComparison(steps, english)];
}

const LADDER = [foretell(0, 0, 'vera'), foretell(15, 1, 'oscar')];

describe('a drill', () => {
  test.each<[what: string, said: string[], expected: string[]]>([
    [
      'that has just begun',
      say(LADDER, [tell(0, 0, 'vera')], { minute: 1 }),
      ['vera told', 'oscar due', 'As foretold so far: 1 of 2, the others are to come.'],
    ],
    [
      'that went all its way',
      say(LADDER, [tell(0, 0, 'vera'), tell(15, 1, 'oscar')], { minute: 20 }),
      ['vera told', 'oscar told', 'All went as foretold.'],
    ],
    [
      'that somebody acknowledged',
      say(LADDER, [tell(0, 0, 'vera')], { minute: 60, acknowledged: 10 }),
      ['vera told', 'oscar spared', 'All went as foretold.'],
    ],
    [
      'that did not go on although nobody did',
      say(LADDER, [tell(0, 0, 'vera')], { minute: 17 }),
      ['vera told', 'oscar due: not_told', '1 of 2 went otherwise than foretold.'],
    ],
    [
      'whose group was changed meanwhile',
      say(LADDER, [tell(0, 0, 'vera'), tell(15, 1, 'ada')], { minute: 17 }),
      ['vera told', 'oscar due: not_told', 'ada told: not_foretold', '2 of 3 went otherwise than foretold.'],
    ],
    [
      'whose step opened late',
      say(LADDER, [tell(0, 0, 'vera'), tell(19, 1, 'oscar')], { minute: 20 }),
      ['vera told', 'oscar told: other_time', '1 of 2 went otherwise than foretold.'],
    ],
    [
      'whose message was refused, or left out',
      say(
        LADDER,
        [
          tell(0, 0, 'vera', REFUSED),
          tell(15, 1, 'oscar', { state: 'left_out', why: { code: 'no_longer_reached' } }),
        ],
        { minute: 20 },
      ),
      ['vera told: not_handed_over', 'oscar told: left_out', '2 of 2 went otherwise than foretold.'],
    ],
    [
      'that tells somebody at two steps',
      say([foretell(0, 0, 'vera'), foretell(15, 1, 'vera')], [tell(0, 0, 'vera'), tell(15, 1, 'vera')], {
        minute: 20,
      }),
      ['vera told', 'vera told', 'All went as foretold.'],
    ],
  ])('%s', (_, said, expected) => expect(said).toEqual(expected));
});
