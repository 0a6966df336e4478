import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OrganizationId } from '../../../domain/ids.ts';
import type { SentPost } from '../../../engine/ingest/sort-readings.ts';
import { paceTakes } from './pace-takes.ts';

const ANSWER = { accepted: 1, duplicates: 0, rejected: [] };
const post = (sourceId: number): SentPost => ({
  sourceId,
  organizationId: 1 as OrganizationId,
  entries: [],
  rejected: [],
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function openPace() {
  const taken: (number | null)[] = [];
  const take = paceTakes(async ({ sourceId }) => {
    taken.push(sourceId);
    if (sourceId === 13) throw new Error('no database');
    return ANSWER;
  }, 4);
  return { taken, take };
}

test('a lone message goes at once', async () => {
  const { taken, take } = openPace();
  const answer = take(post(1), 1);
  expect(taken).toEqual([1]);
  await expect(answer).resolves.toEqual(ANSWER);
  vi.advanceTimersByTime(4);
  void take(post(2), 1);
  expect(taken).toEqual([1, 2]);
});

test('those that follow within milliseconds go together, in the order in which they came', async () => {
  const { taken, take } = openPace();
  void take(post(1), 1);
  vi.advanceTimersByTime(1);
  const second = take(post(2), 1);
  vi.advanceTimersByTime(2);
  const third = take(post(3), 1);
  expect(taken).toEqual([1]);
  vi.advanceTimersByTime(1);
  expect(taken).toEqual([1, 2, 3]);
  await expect(Promise.all([second, third])).resolves.toEqual([ANSWER, ANSWER]);
});

test('whoever comes after a round waits for the next one', () => {
  const { taken, take } = openPace();
  void take(post(1), 1);
  void take(post(2), 1);
  vi.advanceTimersByTime(4);
  void take(post(3), 1);
  expect(taken).toEqual([1, 2]);
  vi.advanceTimersByTime(4);
  expect(taken).toEqual([1, 2, 3]);
});

test('what fails of a round fails alone', async () => {
  const { take } = openPace();
  void take(post(1), 1);
  const [bad, good] = [take(post(13), 1), take(post(2), 1)];
  vi.advanceTimersByTime(4);
  await expect(bad).rejects.toThrow('no database');
  await expect(good).resolves.toEqual(ANSWER);
});
