// Orders from the generator what it is to send.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../src/platform/project-root.ts';
import type { PostPlan } from './posts.ts';

export interface LoadOrder {
  /** Posts of one name go on where they ended. */
  name: string;
  url: string;
  headers: Record<string, string>;
  connections: number;
  /** Posts under way at a time on each of them. */
  pipelined: number;
  posts: PostPlan;
}

export interface LoadResult {
  requests: number;
  seconds: number;
  /** The share of the time in which the generator had something to do: close to 1 it measured itself. */
  busy: number;
  /** How many answers were another status than 200, or of readings that were not stored. */
  failures: Record<string, number>;
  /** Milliseconds from request to answer. */
  p50: number;
  p95: number;
  longest: number;
}

export interface Generator {
  /** For so many seconds, or for as long as something else takes. */
  drive(order: LoadOrder, until: number | (() => Promise<unknown>)): Promise<LoadResult>;
  end(): void;
}

export function startGenerator(): Generator {
  const child: ChildProcess = fork(join(projectRoot, 'build/bench/generator.js'));
  const ended = once(child, 'exit').then((): never => {
    throw new Error('The generator has ended');
  });
  ended.catch(() => {});
  const nextMessage = async () => (await Promise.race([once(child, 'message'), ended]))[0];
  return {
    async drive(order, until) {
      child.send(order);
      await nextMessage();
      const result: Promise<LoadResult> = nextMessage();
      await (typeof until === 'number' ? sleep(until * 1000) : until());
      child.send('stop');
      return result;
    },
    end: () => child.disconnect(),
  };
}

export const percentile = (sorted: number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;

export const median = (numbers: readonly number[]): number =>
  percentile(
    numbers.toSorted((one, other) => one - other),
    0.5,
  );
