import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { english } from '../language/english.ts';
import { findOutcome, isTrouble, type LetterFacts, sayOutcome, timeOf } from './outcome.ts';
import { judgeOutcomes, sayWell } from './verdict.ts';

const AT = new Date('2026-11-17T20:18:00Z');
const LATER = new Date('2026-11-17T20:28:00Z');

const QUEUED: LetterFacts = {
  state: 'queued',
  attempts: 0,
  nextAttemptAt: AT,
  lastError: null,
  sentAt: null,
  handedTo: null,
  isKept: null,
};
const HANDED: LetterFacts = { ...QUEUED, state: 'sent', sentAt: AT, handedTo: 'mail.example', isKept: false };
const KEPT: LetterFacts = { ...QUEUED, state: 'sent', sentAt: AT, isKept: true };
const TRIED: LetterFacts = { ...QUEUED, attempts: 2, lastError: '451 later', nextAttemptAt: LATER };
const REFUSED: LetterFacts = { ...TRIED, lastError: '550 no', refusedAt: AT };
const LOST: LetterFacts = { ...TRIED, state: 'failed' };

describe('what is known of a letter is what is said', () => {
  test.each<[string, LetterFacts, words: string, toViewers: string, at: Date | null]>([
    ['nobody has tried', QUEUED, 'Waiting to be handed over', 'Waiting to be handed over', null],
    [
      'tried in vain',
      TRIED,
      'Failing after 2 attempts: 451 later. Next attempt',
      'Failing after 2 attempts. Next attempt',
      LATER,
    ],
    ['a host took it', HANDED, 'Handed to mail.example', 'Handed over', AT],
    ['a host took it, which was not noted', { ...HANDED, handedTo: null }, 'Handed over', 'Handed over', AT],
    [
      'done with by a program that did not note how',
      { ...HANDED, handedTo: null, isKept: null },
      'Handed over, or kept here: it was not noted then',
      'Handed over, or kept here: it was not noted then',
      AT,
    ],
    [
      'no mail server',
      KEPT,
      'Kept here: there was no mail server, so it did not leave',
      'Kept here: there was no mail server, so it did not leave',
      AT,
    ],
    ['a report says that it is there', { ...HANDED, receivedAt: LATER }, 'Arrived', 'Arrived', LATER],
    [
      'somebody says to have it',
      { ...HANDED, receivedAt: AT, confirmedAt: LATER, confirmedHow: 'key' },
      'Confirmed by key',
      'Confirmed by key',
      LATER,
    ],
    [
      'somebody says to have it although its sender saw it fail',
      { ...LOST, confirmedAt: LATER, confirmedHow: 'button' },
      'Confirmed by button',
      'Confirmed by button',
      LATER,
    ],
    ['refused, and tried again', REFUSED, 'Refused: 550 no. Next attempt', 'Refused. Next attempt', LATER],
    ['refused for good', { ...REFUSED, state: 'failed' }, 'Refused: 550 no', 'Refused', null],
    ['given up', LOST, 'Failed after 2 attempts: 451 later', 'Failed after 2 attempts', null],
    [
      'taken, and not delivered',
      { ...LOST, wasTaken: true, lastError: 'undelivered' },
      'Lost after it was handed over: undelivered',
      'Lost after it was handed over',
      null,
    ],
    [
      'no longer true',
      { ...QUEUED, state: 'dropped', dropReason: { code: 'acknowledged', at: 'this', by: 'Oscar' } },
      'Left out: Acknowledged at this severity by Oscar',
      'Left out: Acknowledged at this severity by Oscar',
      null,
    ],
  ])('%s', (_, facts, words, toViewers, at) => {
    const outcome = findOutcome(facts);
    expect(sayOutcome(outcome, true, english)).toBe(words);
    expect(sayOutcome(outcome, false, english)).toBe(toViewers);
    expect(timeOf(outcome)).toEqual(at);
  });

  test('nothing arrived unless a report or a person says so, and what was kept never left', () => {
    const facts = fc.record({
      state: fc.constantFrom('queued', 'sent', 'failed', 'dropped'),
      attempts: fc.nat(20),
      nextAttemptAt: fc.constant(LATER),
      lastError: fc.option(fc.constant('451 later')),
      sentAt: fc.option(fc.constant(AT)),
      handedTo: fc.option(fc.constant('mail.example')),
      isKept: fc.option(fc.boolean()),
      wasTaken: fc.boolean(),
      refusedAt: fc.option(fc.constant(AT)),
      receivedAt: fc.option(fc.constant(AT)),
      confirmedAt: fc.option(fc.constant(AT)),
    });
    fc.assert(
      fc.property(facts, (drawn) => {
        const known = drawn as LetterFacts;
        const { state } = findOutcome(known);
        const isSaidToBeThere = known.receivedAt !== null || known.confirmedAt !== null;
        expect(state === 'arrived' || state === 'confirmed').toBe(isSaidToBeThere);
        if (known.isKept) expect(state).not.toBe('handed_over');
        expect(sayOutcome(findOutcome(known), true, english)).not.toMatch(/\bsent\b/i);
      }),
    );
  });
});

test('what did not get through is shown as trouble, what waits for its first attempt is not', () => {
  const troubles = [QUEUED, HANDED, KEPT, TRIED, REFUSED, LOST].map((facts) => isTrouble(findOutcome(facts)));
  expect(troubles).toEqual([false, false, true, true, true, true]);
});

describe('a test or a drill', () => {
  const judge = (...facts: LetterFacts[]) => judgeOutcomes(facts.map(findOutcome), english);
  const arrived = { ...HANDED, receivedAt: LATER };
  const leftOut: LetterFacts = { ...QUEUED, state: 'dropped', dropReason: { code: 'recovered' } };

  test.each<[string, LetterFacts[]]>([
    ['nothing was tried', [QUEUED]],
    ['one waits, the others are done', [HANDED, TRIED, KEPT]],
  ])('is under way while %s', (_, facts) => expect(judge(...facts)).toEqual({ kind: 'under_way' }));

  test('is well when each was at least handed over, and has arrived when each has', () => {
    expect(judge(HANDED, arrived, leftOut)).toEqual({ kind: 'well', arrived: false });
    expect(judge(arrived)).toEqual({ kind: 'well', arrived: true });
    expect(sayWell({ arrived: false }, english)).not.toContain('has arrived');
  });

  test.each<[string, LetterFacts[], words: string, kept: number]>([
    ['only kept', [KEPT], 'There is no mail server: 1 mail was kept here and did not leave.', 1],
    [
      'partly kept',
      [HANDED, KEPT, KEPT],
      'There is no mail server: 2 mails were kept here and did not leave.',
      2,
    ],
    ['refused', [HANDED, REFUSED], '1 of 2 was not handed over: see why at each.', 0],
    [
      'kept and lost',
      [KEPT, LOST],
      'There is no mail server: 1 mail was kept here and did not leave. 1 of 2 was not handed over: see why at each.',
      1,
    ],
    ['not noted', [{ ...HANDED, isKept: null }], 'Whether all of it left was not noted.', 0],
    ['left out', [leftOut], 'Nobody was notified.', 0],
    ['to nobody', [], 'Nobody was notified.', 0],
  ])('is bad when it was %s', (_, facts, words, kept) =>
    expect(judge(...facts)).toEqual({ kind: 'bad', words, kept }),
  );
});
