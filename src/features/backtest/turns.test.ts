import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

const openGate = () => {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
};

test('two at a time, the next when one is done, and nobody beyond those who may wait', async () => {
  const takeTurn = createTurns({ atOnce: 2, waiting: 1 });
  const begun: string[] = [];
  const gates = { one: openGate(), two: openGate(), three: openGate() };
  const start = (name: keyof typeof gates) =>
    takeTurn(async () => {
      begun.push(name);
      await gates[name].passed;
      return name;
    });
  const [one, two, three] = [start('one'), start('two'), start('three')];
  expect(takeTurn(async () => 'four')).toBeNull();
  await Promise.resolve();
  expect(begun).toEqual(['one', 'two']);

  gates.two.open();
  expect(await two).toBe('two');
  gates.one.open();
  gates.three.open();
  expect([await one, await three]).toEqual(['one', 'three']);
  expect(begun).toEqual(['one', 'two', 'three']);
});

test('one that fails makes room like any other', async () => {
  const takeTurn = createTurns({ atOnce: 1, waiting: 0 });
  await expect(
    takeTurn(async () => {
      throw new Error('broken');
    }),
  ).rejects.toThrow('broken');
  expect(await takeTurn(async () => 'next')).toBe('next');
});
