// Work that is due because time passes. Every task carries its own coordination, so any number of programs may run it.
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

export interface ClockTask {
  name: string;
  everySeconds: number;
  run(now: Date): Promise<unknown>;
}

export interface ClockLoop {
  /** Runs what is due now. The loop calls it every second; tests call it after moving the clock. */
  tick(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const TICK_MS = 1000;

export function createClockLoop(deps: { clock: Clock; log: Log }, tasks: ClockTask[]): ClockLoop {
  const lastRunAt = new Map<string, Date>();
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function tick(): Promise<void> {
    const now = deps.clock();
    for (const task of tasks) {
      const last = lastRunAt.get(task.name);
      // A clock that was set back must not silence a task until it has caught up.
      const elapsed = last && Math.abs(now.getTime() - last.getTime());
      if (elapsed !== undefined && elapsed < task.everySeconds * 1000) continue;
      lastRunAt.set(task.name, now);
      try {
        await task.run(now);
      } catch (error) {
        deps.log.error({ err: error, task: task.name }, 'clock task failed');
      }
    }
  }

  function scheduleNext(): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = tick().finally(scheduleNext);
    }, TICK_MS);
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
