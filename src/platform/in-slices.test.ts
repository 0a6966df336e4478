import { setImmediate as nextRound } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { inSlices, inTurn } from './in-slices.ts';

beforeEach(() => nextRound());

const keepBusy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

/** A line between the rounds of the loop, until it is stopped. */
function markRounds(order: string[]): () => void {
  let isDone = false;
  const beat = () => {
    order.push('|');
    if (!isDone) setImmediate(beat);
  };
  setImmediate(beat);
  return () => {
    isDone = true;
  };
}

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
  const stop = markRounds(order);
  const names = await Promise.all(['a', 'b', 'c'].map((name) => inSlices(work(name, order, 4))));
  stop();
  expect(names).toEqual(['a', 'b', 'c']);
  const perRound = order.join('').split('|');
  expect(Math.max(...perRound.map(({ length }) => length))).toBe(1);
  const turns = order.filter((name) => name !== '|').join('');
  // On a busy machine the first may have two before the last has begun.
  expect(turns.slice(turns.indexOf('c'))).not.toMatch(/(.)\1/);
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

test('whoever has just begun goes before those who have worked for long', async () => {
  const order: string[] = [];
  const long = Array.from({ length: 5 }, () => inSlices(work('l', order, 4)));
  while (order.length < 10) await nextRound();
  order.length = 0;
  await inSlices(work('s', order, 1));
  expect(order.indexOf('s')).toBeLessThanOrEqual(1);
  await Promise.all(long);
});

test('long works together leave a part of the thread, and deciding does not rest', async () => {
  const order: string[] = [];
  const pages = Array.from({ length: 10 }, () => inSlices(work('p', order, 8)));
  // They have used up what was saved.
  while (order.length < 50) await nextRound();
  order.length = 0;
  let restedRounds = 0;
  while (order.length < 10) {
    const before = order.length;
    await nextRound();
    if (order.length === before) restedRounds += 1;
  }
  expect(restedRounds).toBeGreaterThan(10);
  order.length = 0;
  await inSlices(work('A', order, 20), 'alarms');
  expect(order.join('')).not.toContain('pp');
  await Promise.all(pages);
});

test('of many that begin at the same time a few begin in each round', async () => {
  const order: string[] = [];
  const stop = markRounds(order);
  const begin = async () => {
    keepBusy(3);
    order.push('b');
  };
  await Promise.all(Array.from({ length: 12 }, () => inTurn(begin, 'letters')));
  stop();
  const perRound = order.join('').split('|');
  expect(Math.max(...perRound.map(({ length }) => length))).toBeLessThanOrEqual(2);
});

test('what fails as it begins fails for whoever asked', async () => {
  const failing = async () => {
    throw new Error('no');
  };
  await expect(inTurn(failing, 'letters')).rejects.toThrow('no');
});

test('short works share a slice, before all that have worked for long', async () => {
  const order: string[] = [];
  const long = ['l', 'm', 'n'].map((name) => inSlices(work(name, order, 4), 'history'));
  while (order.length < 5) await nextRound();
  order.length = 0;
  const stop = markRounds(order);
  const short = async () => {
    order.push('s');
  };
  keepBusy(3);
  await Promise.all(Array.from({ length: 20 }, () => inTurn(short, 'posts')));
  stop();
  // One that is long may have had the slice already.
  expect(order.join('').replace(/^[lmn|]*/, '')).toMatch(/^s{20}/);
  await Promise.all(long);
});

test('however many short works come, long ones go on', async () => {
  const order: string[] = [];
  let isDone = false;
  const flood = Array.from({ length: 20 }, async () => {
    while (!isDone) await inTurn(async () => keepBusy(1), 'posts');
  });
  await Promise.all([inSlices(work('p', order, 6)), inSlices(work('A', order, 20), 'alarms')]);
  isDone = true;
  await Promise.all(flood);
  expect(order).toHaveLength(26);
});
