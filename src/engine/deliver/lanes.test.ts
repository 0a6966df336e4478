import { expect, test } from 'vitest';
import { createLanes, type ReadyLetter } from './lanes.ts';

const LIMITS = { email: { atOnce: 10, most: 100 }, webhook: { atOnce: 4, most: 16 } };

test('a lane that was filled to the brim asks for more, until a claim finds nothing', () => {
  const lanes = createLanes(LIMITS);
  lanes.put([], new Map([['https://one.example', 16]]));
  expect(lanes.isLow()).toBe(true);
  lanes.put([], new Map());
  expect(lanes.isLow()).toBe(false);
  expect(lanes.held().size).toBe(0);
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
  expect(lanes.heldIds()).toEqual(['1', '2']);
  expect(lanes.isLow()).toBe(false);
  lanes.finish(one);
  expect(lanes.heldIds()).toEqual(['2']);
  expect(lanes.isLow()).toBe(true);
});
