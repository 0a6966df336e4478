// Posts that arrive while a transaction is under way share the next one. A lone post starts at once.
import { setImmediate } from 'node:timers';

interface Waiting<Post, Outcome> {
  post: Post;
  size: number;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

export interface Gatherer<Post, Outcome> {
  take(post: Post, size: number): Promise<Outcome>;
}

export interface GathererOptions {
  /** Transactions under way at the same time. */
  lanes: number;
  /** A batch is closed when it holds this much. */
  mostPerBatch: number;
}

export function createGatherer<Post, Outcome>(
  handle: (posts: Post[]) => Promise<Outcome[]>,
  { lanes, mostPerBatch }: GathererOptions,
): Gatherer<Post, Outcome> {
  const queue: Waiting<Post, Outcome>[] = [];
  let busy = 0;

  function nextBatch(): Waiting<Post, Outcome>[] {
    let size = 0;
    let count = 0;
    for (const waiting of queue) {
      if (count > 0 && size + waiting.size > mostPerBatch) break;
      size += waiting.size;
      count += 1;
    }
    return queue.splice(0, count);
  }

  async function work(batch: Waiting<Post, Outcome>[]): Promise<void> {
    try {
      const outcomes = await handle(batch.map(({ post }) => post));
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function startLanes(): void {
    while (busy < lanes && queue.length > 0) {
      busy += 1;
      work(nextBatch()).finally(() => {
        busy -= 1;
        startLanes();
      });
    }
  }

  return {
    take: (post, size) =>
      new Promise((resolve, reject) => {
        queue.push({ post, size, resolve, reject });
        // Whatever else this turn of the event loop brings may come along.
        if (queue.length === 1) setImmediate(startLanes);
      }),
  };
}
