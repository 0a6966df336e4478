import { expect, test } from 'vitest';
import { type ClockTask, createClockLoop } from './clock-loop.ts';
import { openLog } from './log.ts';

function loopWith(...tasks: ClockTask[]) {
  let now = new Date('2026-11-15T03:00:00Z');
  const loop = createClockLoop({ clock: () => now, log: openLog('silent') }, tasks);
  const tickAfter = async (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1000);
    await loop.tick();
  };
  return { loop, tickAfter };
}

function counting(everySeconds: number) {
  const runs: string[] = [];
  const task = {
    name: 'count',
    everySeconds,
    run: async (now: Date) => runs.push(now.toISOString().slice(11, 19)),
  };
  return { runs, task };
}

test('a task runs at the first tick and then whenever its time has passed', async () => {
  const { runs, task } = counting(5);
  const { tickAfter } = loopWith(task);
  for (const seconds of [0, 4, 1, 1, 20]) await tickAfter(seconds);
  expect(runs).toEqual(['03:00:00', '03:00:05', '03:00:26']);
});

test('a clock that is set back does not stop a task', async () => {
  const { runs, task } = counting(5);
  const { tickAfter } = loopWith(task);
  for (const seconds of [0, -3600, 5]) await tickAfter(seconds);
  expect(runs).toEqual(['03:00:00', '02:00:00', '02:00:05']);
});

test('a task that fails neither stops the others nor itself', async () => {
  const { runs, task } = counting(1);
  let failures = 0;
  const failing = {
    name: 'fail',
    everySeconds: 1,
    run: async () => {
      failures += 1;
      throw new Error('no');
    },
  };
  const { tickAfter } = loopWith(failing, task);
  for (const seconds of [0, 1]) await tickAfter(seconds);
  expect([failures, runs.length]).toEqual([2, 2]);
});

test('a task that hangs holds up no other, and runs never beside itself', async () => {
  const { runs, task } = counting(1);
  let begun = 0;
  let release: () => void = () => {};
  const hanging = {
    name: 'hang',
    everySeconds: 1,
    run: () => {
      begun += 1;
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    },
  };
  const { tickAfter } = loopWith(hanging, task);
  const ticks: Promise<void>[] = [];
  const strike = async (seconds: number) => {
    ticks.push(tickAfter(seconds));
    await new Promise((resolve) => setImmediate(resolve));
  };
  for (const seconds of [0, 1, 1]) await strike(seconds);
  expect(runs).toEqual(['03:00:00', '03:00:01', '03:00:02']);
  expect(begun).toBe(1);
  release();
  await Promise.all(ticks);
  await strike(1);
  expect(begun).toBe(2);
  release();
});

test('stopping waits for the tick under way, and none follows', async () => {
  let release: () => void = () => {};
  let started: () => void = () => {};
  const hasStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  const slow = {
    name: 'slow',
    everySeconds: 0,
    run: () => {
      started();
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    },
  };
  const { loop } = loopWith(slow);
  loop.start();
  await hasStarted;
  let isStopped = false;
  const stopping = loop.stop().then(() => {
    isStopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isStopped).toBe(false);
  release();
  await stopping;
  expect(isStopped).toBe(true);
});
