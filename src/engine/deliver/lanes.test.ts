import { expect, test } from 'vitest';
import { createLanes } from './lanes.ts';

const LIMITS = { email: { atOnce: 10, most: 100 }, webhook: { atOnce: 4, most: 16 } };

test('a lane that was filled to the brim asks for more, until a claim finds nothing', () => {
  const lanes = createLanes(LIMITS);
  lanes.put([], new Map([['https://one.example', 16]]));
  expect(lanes.isLow()).toBe(true);
  lanes.put([], new Map());
  expect(lanes.isLow()).toBe(false);
  expect(lanes.held().size).toBe(0);
});
