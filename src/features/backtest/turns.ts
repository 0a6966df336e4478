import type { TakeTurn } from './try-edit.ts';

/** So many at a time, the others in the order they came; null once too many wait. */
export function createTurns({ atOnce, waiting }: { atOnce: number; waiting: number }): TakeTurn {
  let running = 0;
  const queue: (() => void)[] = [];
  const leave = () => {
    running -= 1;
    queue.shift()?.();
  };
  const enter = () =>
    new Promise<void>((resolve) => {
      const start = () => {
        running += 1;
        resolve();
      };
      if (running < atOnce) start();
      else queue.push(start);
    });
  return (work) => {
    if (running >= atOnce && queue.length >= waiting) return null;
    return enter().then(work).finally(leave);
  };
}
