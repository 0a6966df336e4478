import { expect, test } from 'vitest';
import { GateFull, openGate, openLines } from './turns.ts';

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
  const gate = openGate({ atOnce: 2 });
  const outcomes = [0, 1, 2, 3, 4].map((number) => gate.pass('one', begin(number)).catch(String));
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
  const gate = openGate({ atOnce: 1 });
  const all = [gate.pass('one', begin(0)), gate.pass('one', begin(2))];
  end(0);
  all.push(gate.pass('one', begin(4)));
  await turn();
  expect(begun).toEqual([0, 2]);
  end(2);
  await turn();
  end(4);
  expect(await Promise.all(all)).toEqual([0, 2, 4]);
});

test('who finds too many waiting is sent away, and may come again', async () => {
  const { begin, end } = openWork();
  const gate = openGate({ atOnce: 1, mostWaiting: 1 });
  const all = [gate.pass('one', begin(0)), gate.pass('one', begin(2))];
  await expect(gate.pass('one', begin(4))).rejects.toThrow(GateFull);
  end(0);
  await turn();
  all.push(gate.pass('one', begin(4)));
  end(2);
  await turn();
  end(4);
  expect(await Promise.all(all)).toEqual([0, 2, 4]);
});

test('whoever has the fewest under way comes first, and among equals whoever had no turn for longest', async () => {
  const lines = openLines<string>({ atOnce: 3 });
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) lines.put(item.slice(0, 1), item);
  const begin = () => lines.next()?.item ?? null;
  expect([begin(), begin(), begin(), begin()]).toEqual(['a1', 'b1', 'c1', null]);
  lines.end('c');
  lines.end('a');
  expect([begin(), begin()]).toEqual(['a2', 'b2']);
  lines.end('a');
  lines.putBack('a', 'a2');
  expect([begin(), begin()]).toEqual(['a2', null]);
  expect(lines.clear()).toEqual(['a3', 'a4']);
});

test('who may have one under way alone has no second one', () => {
  const lines = openLines<string>({ atOnce: 4, mostOf: (name) => (name === 'a' ? 1 : 4) });
  for (const item of ['a1', 'a2', 'b1', 'b2']) lines.put(item.slice(0, 1), item);
  const begin = () => lines.next()?.item ?? null;
  expect([begin(), begin(), begin(), begin()]).toEqual(['a1', 'b1', 'b2', null]);
  lines.end('a');
  expect(begin()).toBe('a2');
});

test('who leaves room has never more under way than is free for others', () => {
  const lines = openLines<number>({ atOnce: 8, leavesRoom: true });
  const beginAll = (name: string) => {
    for (let item = 0; item < 20; item += 1) lines.put(name, item);
    let begun = 0;
    while (lines.next()) begun += 1;
    return begun;
  };
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map(beginAll)).toEqual([4, 2, 1, 1, 0, 0]);
  lines.end('a');
  expect(lines.next()?.name).toBe('e');
});

test('too many of one name are no reason to send others away', async () => {
  const { begin, end } = openWork();
  const gate = openGate({ atOnce: 1, mostWaiting: 1 });
  const all = [gate.pass('one', begin(0)), gate.pass('one', begin(2))];
  expect([gate.isFull('one'), gate.isFull('other')]).toEqual([true, false]);
  all.push(gate.pass('other', begin(4)));
  end(0);
  await turn();
  end(4);
  await turn();
  end(2);
  expect(await Promise.all(all)).toEqual([0, 2, 4]);
});
