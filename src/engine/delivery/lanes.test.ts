import { expect, test } from 'vitest';
import type { ReadyLetter } from './compose-letters.ts';
import { createLanes } from './lanes.ts';

const LIMITS = { email: { atOnce: 10, most: 100 }, webhook: { atOnce: 4, most: 16 } };

test('a lane that was filled to the brim asks for more, until a claim finds nothing', () => {
  const lanes = createLanes(LIMITS);
  lanes.put([], new Map([['https://one.example', 16]]));
  expect(lanes.isLow()).toBe(true);
  lanes.put([], new Map());
  expect(lanes.isLow()).toBe(false);
  expect(lanes.room().held.size).toBe(0);
});

test('a receiver that has answered gets the next letter before the answer is marked, and no more than may be in hand', () => {
  const lanes = createLanes({ ...LIMITS, email: { atOnce: 1, most: 2 } });
  const [one, two] = ['1', '2'].map((id) => ({ id, lane: 'email' }) as ReadyLetter) as [
    ReadyLetter,
    ReadyLetter,
  ];
  lanes.put([one, two], new Map([['email', 2]]));
  expect(lanes.start()).toEqual([one]);
  lanes.answer(one);
  expect(lanes.start()).toEqual([two]);
  lanes.answer(two);
  expect(lanes.room().heldIds).toEqual(['1', '2']);
  expect(lanes.isLow()).toBe(false);
  lanes.finish(one);
  expect(lanes.room().heldIds).toEqual(['2']);
  expect(lanes.isLow()).toBe(true);
});

test('the mail of organizations takes turns, whatever one of them has waiting', () => {
  const lanes = createLanes(LIMITS);
  const lettersOf = (lane: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${lane} ${index}`, lane }) as ReadyLetter);
  const storm = lettersOf('email 1', 50);
  lanes.put(storm, new Map([['email 1', 50]]));
  expect(lanes.start()).toEqual(storm.slice(0, 10));
  lanes.put(lettersOf('email 2', 3), new Map([['email 2', 3]]));
  expect(lanes.start()).toEqual([]);
  for (const letter of storm.slice(0, 2)) lanes.answer(letter);
  expect(lanes.start().map(({ id }) => id)).toEqual(['email 2 0', 'email 2 1']);
});
