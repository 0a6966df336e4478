// Work that is due because time passes. Each task has a rhythm of its own: one that is slow, fails or hangs holds up no
// other. Every task carries its own coordination, so any number of programs may run it.
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

export interface ClockTask {
  name: string;
  everySeconds: number;
  run(now: Date): Promise<unknown>;
}

export interface ClockLoop {
  /** Runs what is due now and does not run yet. The loop does so every second; tests call it after moving the clock. */
  tick(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

interface ClockDeps {
  clock: Clock;
  log: Log;
}

const TICK_MS = 1000;

export function createClockLoop(deps: ClockDeps, tasks: ClockTask[]): ClockLoop {
  const rounds = tasks.map((task) => createRound(deps, task));
  return {
    tick: async () => void (await Promise.all(rounds.map((round) => round.tick()))),
    // Spread over the second, so that they do not wait for connections behind each other, and posts behind them all.
    start() {
      for (const [index, round] of rounds.entries()) round.start((index * TICK_MS) / rounds.length);
    },
    stop: async () => void (await Promise.all(rounds.map((round) => round.stop()))),
  };
}

interface Round extends Omit<ClockLoop, 'start'> {
  start(afterMs: number): void;
}

/** One task, again and again, never beside itself. */
function createRound({ clock, log }: ClockDeps, task: ClockTask): Round {
  let lastRunAt: Date | null = null;
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function run(now: Date): Promise<void> {
    lastRunAt = now;
    try {
      await task.run(now);
    } catch (error) {
      log.error({ err: error, task: task.name }, 'clock task failed');
    }
  }

  async function tick(): Promise<void> {
    const now = clock();
    // A clock that was set back must not stop a task until it has caught up.
    const elapsed = lastRunAt && Math.abs(now.getTime() - lastRunAt.getTime());
    if (elapsed !== null && elapsed < task.everySeconds * 1000) return running ?? undefined;
    running ??= run(now).finally(() => {
      running = null;
    });
    await running;
  }

  /** From beginning to beginning: what took long goes on at once. */
  function scheduleNext(pauseMs: number): void {
    if (isStopped) return;
    timer = setTimeout(async () => {
      const begunAt = performance.now();
      await tick();
      scheduleNext(Math.max(0, TICK_MS - (performance.now() - begunAt)));
    }, pauseMs);
  }

  return {
    tick,
    start: scheduleNext,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
