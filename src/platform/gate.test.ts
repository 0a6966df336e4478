import { expect, test } from 'vitest';
import { GateFull, openGate } from './gate.ts';

/** Work that ends when it is told to. */
function openWork() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const begin = (number: number) => () =>
    new Promise<number>((resolve, reject) => {
      begun.push(number);
      ends[number] = () => (number % 2 ? reject(new Error('it failed')) : resolve(number));
    });
  return { begun, begin, end: (number: number) => ends[number]?.() };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('so many at a time, in their order, also past one that fails', async () => {
  const { begun, begin, end } = openWork();
  const gate = openGate(2);
  const outcomes = [0, 1, 2, 3, 4].map((number) => gate.pass(begin(number)).catch(String));
  expect(begun).toEqual([0, 1]);
  end(1);
  await turn();
  expect(begun).toEqual([0, 1, 2]);
  end(0);
  await turn();
  expect(begun).toEqual([0, 1, 2, 3]);
  end(2);
  end(3);
  await turn();
  end(4);
  expect(await Promise.all(outcomes)).toEqual([0, 'Error: it failed', 2, 'Error: it failed', 4]);
});

test('nobody who comes meanwhile takes the place of one who waits', async () => {
  const { begun, begin, end } = openWork();
  const gate = openGate(1);
  const all = [gate.pass(begin(0)), gate.pass(begin(2))];
  end(0);
  all.push(gate.pass(begin(4)));
  await turn();
  expect(begun).toEqual([0, 2]);
  end(2);
  await turn();
  end(4);
  expect(await Promise.all(all)).toEqual([0, 2, 4]);
});

test('who finds too many waiting is sent away, and may come again', async () => {
  const { begin, end } = openWork();
  const gate = openGate(1, 1);
  const all = [gate.pass(begin(0)), gate.pass(begin(2))];
  await expect(gate.pass(begin(4))).rejects.toThrow(GateFull);
  end(0);
  await turn();
  all.push(gate.pass(begin(4)));
  end(2);
  await turn();
  end(4);
  expect(await Promise.all(all)).toEqual([0, 2, 4]);
});
