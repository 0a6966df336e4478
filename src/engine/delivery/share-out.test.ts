import { expect, test } from 'vitest';
import { shareOut } from './share-out.ts';

const post = (groupId: number, organizationId: number, deliveries: number) => ({
  groupId,
  organizationId,
  deliveries,
});

test('who has little to send has it formed together, who has much each for itself, the least first', () => {
  const waiting = [post(1, 7, 300), post(2, 7, 300), post(3, 8, 2), post(4, 9, 501), post(5, 6, 500)];
  const { together, alone } = shareOut(waiting);
  const idsOf = (posts: typeof together) => posts.map(({ groupId }) => groupId);
  expect([idsOf(together), alone.map(idsOf)]).toEqual([
    [3, 5],
    [[4], [1, 2]],
  ]);
});

test('of many that have little no more are formed together than are formed soon', () => {
  const waiting = Array.from({ length: 20 }, (_, index) => post(index, index, 400));
  const { together, alone } = shareOut(waiting);
  expect(together).toHaveLength(12);
  expect(alone).toHaveLength(8);
});

test('nothing is nothing', () => {
  expect(shareOut([])).toEqual({ together: [], alone: [] });
});
