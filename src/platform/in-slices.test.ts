import { setImmediate as nextRound } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { inSlices } from './in-slices.ts';

beforeEach(() => nextRound());

const keepBusy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

function* work(name: string, order: string[], steps: number): Generator<void, string> {
  for (let step = 0; step < steps; step += 1) {
    keepBusy(6);
    order.push(name);
    yield;
  }
  return name;
}

test('whoever waits for the loop has a turn after each slice, however many works there are', async () => {
  const order: string[] = [];
  let isDone = false;
  const beat = () => {
    order.push('|');
    if (!isDone) setImmediate(beat);
  };
  setImmediate(beat);
  const names = await Promise.all(['a', 'b', 'c'].map((name) => inSlices(work(name, order, 4))));
  isDone = true;
  expect(names).toEqual(['a', 'b', 'c']);
  const perRound = order.join('').split('|');
  expect(Math.max(...perRound.map(({ length }) => length))).toBe(1);
  expect(order.filter((name) => name !== '|').join('')).toContain('abcabcabc');
});

test('works that follow each other share one slice', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('|'));
  for (const name of ['a', 'b', 'c']) await inSlices(work(name, order, 1));
  expect(order.join('').indexOf('|')).toBe(1);
});

test('deciding does not wait for pages', async () => {
  const order: string[] = [];
  const pages = Array.from({ length: 20 }, () => inSlices(work('p', order, 3)));
  await inSlices(work('A', order, 3), 'alarms');
  expect(order.filter((name) => name === 'p').length).toBeLessThanOrEqual(6);
  await Promise.all(pages);
});
