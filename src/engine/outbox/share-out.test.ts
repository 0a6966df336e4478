import { expect, test } from 'vitest';
import type { OrganizationId } from '../../domain/ids.ts';
import { shareOut, takeShare } from './share-out.ts';

const post = (groupId: number, organizationId: number, deliveries: number) => ({
  groupId,
  organizationId: organizationId as OrganizationId,
  deliveries,
});
const idsOf = (posts: { groupId: number }[]) => posts.map(({ groupId }) => groupId);

test('who has little has it done together, who has much apart, the least first', () => {
  const waiting = [post(1, 7, 300), post(2, 7, 300), post(3, 8, 2), post(4, 9, 501), post(5, 6, 500)];
  const { together, apart } = shareOut(waiting);
  expect([idsOf(together), apart]).toEqual([
    [3, 5],
    [9, 7],
  ]);
});

test('of many that have little no more is done together than is done soon', () => {
  const waiting = Array.from({ length: 20 }, (_, index) => post(index, index, 400));
  const { together, apart } = shareOut(waiting);
  expect(together).toHaveLength(12);
  expect(apart).toHaveLength(8);
});

test('the only one has as much done at once as is a share', () => {
  expect(shareOut([post(1, 7, 2_000)])).toEqual({ together: [post(1, 7, 2_000)], apart: [] });
  expect(shareOut([post(1, 7, 2_001)])).toEqual({ together: [], apart: [7] });
});

test('nothing is nothing', () => {
  expect(shareOut([])).toEqual({ together: [], apart: [] });
  expect(takeShare([])).toEqual([]);
});

test('a share is as many as are done in one go, in their order, and never none', () => {
  expect(idsOf(takeShare([post(1, 7, 1_500), post(2, 7, 500), post(3, 7, 1)]))).toEqual([1, 2]);
  expect(idsOf(takeShare([post(1, 7, 9_000), post(2, 7, 1)]))).toEqual([1]);
});
