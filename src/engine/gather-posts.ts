// Posts that arrive while a transaction is under way share the next one. A lone post starts at once. Beside a transaction
// another one begins only for as much as pays for it, or for posts that have waited long: it may be held up by a lock.
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';

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
  /** What a transaction beside another one is begun for. Left out: any post. */
  worthALane?: number;
  patienceMs?: number;
  /** A batch is closed when it holds this much. */
  mostPerBatch: number;
}

export function createGatherer<Post, Outcome>(
  handle: (posts: Post[]) => Promise<Outcome[]>,
  { lanes, worthALane = 0, patienceMs = 50, mostPerBatch }: GathererOptions,
): Gatherer<Post, Outcome> {
  const queue: Waiting<Post, Outcome>[] = [];
  let busy = 0;
  let waitingSize = 0;
  let isComing = false;
  let patience: NodeJS.Timeout | null = null;

  function nextBatch(): Waiting<Post, Outcome>[] {
    let size = 0;
    let count = 0;
    for (const waiting of queue) {
      if (count > 0 && size + waiting.size > mostPerBatch) break;
      size += waiting.size;
      count += 1;
    }
    waitingSize -= size;
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

  function startLanes(hasWaited = false): void {
    const isWorthIt = () => busy === 0 || hasWaited || waitingSize >= worthALane;
    while (busy < lanes && queue.length > 0 && isWorthIt()) {
      busy += 1;
      work(nextBatch()).finally(() => {
        busy -= 1;
        startLanes();
      });
    }
    if (queue.length > 0) patience ??= setTimeout(losePatience, patienceMs);
    else if (patience) {
      clearTimeout(patience);
      patience = null;
    }
  }

  function losePatience(): void {
    patience = null;
    startLanes(true);
  }

  return {
    take: (post, size) =>
      new Promise((resolve, reject) => {
        queue.push({ post, size, resolve, reject });
        waitingSize += size;
        if (isComing) return;
        isComing = true;
        // Whatever else this turn of the event loop brings may come along.
        setImmediate(() => {
          isComing = false;
          startLanes();
        });
      }),
  };
}
