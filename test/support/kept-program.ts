// A serving program with its parent, as people start it: whatever becomes of the program, another is begun.
import { expect } from 'vitest';
import { familyOf } from './processes.ts';
import type { Serving } from './program.ts';

/** The real program: the only child of its parent. */
export const programOf = ({ process: { pid = 0 } }: Serving): number => familyOf(pid)[1] ?? 0;

/** Of each program that was begun, in turn. */
export const urlsOf = (serving: Serving) =>
  [...serving.said().matchAll(/listens on (\S+)/g)].map(([, url]) => url ?? '');

export const untilBegunTimes = (serving: Serving, times: number) =>
  expect.poll(() => urlsOf(serving).length, { timeout: 60_000 }).toBe(times);
