import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { OrganizationId } from '../../domain/ids.ts';
import type { SentPost } from '../../engine/ingest/sort-readings.ts';
import { openLargeGate, openTakePost } from './take-post.ts';

const NOW = new Date('2026-11-15T03:00:00Z');
const SOURCE = { sourceId: 1, organizationId: 1 as OrganizationId };

/** Ten thousand entries with ten readings each, newest first. */
const LARGE = JSON.stringify(
  Array.from({ length: 10_000 }, (_, entry) => ({
    device: `freezer-${entry % 50}`,
    time: NOW.getTime() - entry * 1000,
    values: Object.fromEntries(Array.from({ length: 10 }, (_, channel) => [`channel ${channel}`, entry])),
  })),
);

function openRoad() {
  const taken: SentPost[] = [];
  const takePost = openTakePost(async (post, size) => {
    taken.push(post);
    return { accepted: size, duplicates: 0, rejected: [] };
  }, openLargeGate());
  const take = ({ source, ...received }: ReturnType<typeof post>) => takePost(source, received);
  return { taken, take };
}

const post = (text: string) => ({
  body: gzipSync(text),
  headers: { 'content-encoding': 'gzip' },
  source: SOURCE,
  now: NOW,
});

test('a large post is taken in slices, in the order of time', async () => {
  const { taken, take } = openRoad();
  expect(await take(post(LARGE))).toEqual({ accepted: 100_000, duplicates: 0, rejected: [] });
  const sizes = taken.map(({ entries }) => entries.flatMap(({ values }) => values).length);
  expect(Math.max(...sizes)).toBe(2_000);
  const times = taken.flatMap(({ entries }) => entries.map(({ at }) => at));
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(times).toHaveLength(10_000);
});

test('meanwhile others have their turns, at least one for every 64 kB', async () => {
  const { take } = openRoad();
  let turns = 0;
  let isTaken = false;
  const takeTurn = () => {
    turns += 1;
    if (!isTaken) setImmediate(takeTurn);
  };
  takeTurn();
  await take(post(LARGE));
  isTaken = true;
  expect(turns).toBeGreaterThan(Math.floor(LARGE.length / 65_536 / 2));
});

test('a small post goes as it is, past any number of large ones', async () => {
  const { taken, take } = openRoad();
  const large = [1, 2, 3].map(() => take(post(LARGE)));
  expect(await take(post('{"device": "freezer-1", "values": {"temperature": -80}}'))).toMatchObject({
    accepted: 1,
  });
  expect(taken.length).toBeLessThan(150);
  await Promise.all(large);
});

test('beyond what may wait of one organization there is no room, and for another there is', async () => {
  const begun: number[] = [];
  const takePost = openTakePost(({ organizationId }) => {
    begun.push(organizationId);
    return new Promise(() => {});
  }, openLargeGate(2));
  const { source: _, ...received } = post(LARGE);
  const other = { sourceId: 2, organizationId: 2 as OrganizationId };
  const take = (source = SOURCE) => takePost(source, received);
  const taking = [1, 2, 3].map(() => take());
  await expect.poll(() => begun, { timeout: 60_000 }).toEqual([1]);
  expect(await take()).toBe('no_room');
  void take(other);
  await expect.poll(() => begun, { timeout: 60_000 }).toEqual([1, 2]);
  expect(taking).toHaveLength(3);
});
