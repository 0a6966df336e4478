// Posts that arrive while a transaction is under way share the next one with others of their line, and of no other: what
// holds up one line is nobody else's business. A lone post starts at once. Beside a transaction of its own line another
// one begins only for as much as pays for it, or for posts that have waited long. Lines take turns.
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';

interface Waiting<Post, Outcome> {
  post: Post;
  size: number;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

interface Line<Post, Outcome> {
  name: unknown;
  waiting: Waiting<Post, Outcome>[];
  waitingSize: number;
  busy: number;
  patience: NodeJS.Timeout | null;
  hasWaited: boolean;
}

export interface Gatherer<Post, Outcome> {
  take(post: Post, size: number): Promise<Outcome>;
}

export interface GathererOptions<Post> {
  /** Transactions under way at the same time. */
  lanes: number;
  /** A line gets a second one only while there are fewer than this many, so that some are left for others. */
  lanesBeside?: number;
  /** Left out: all in one. */
  lineOf?(post: Post): unknown;
  /** What a transaction beside another one is begun for. Left out: any post. */
  worthALane?: number;
  patienceMs?: number;
  /** A batch is closed when it holds this much. */
  mostPerBatch: number;
  /** Whether one post may have failed the others that shared its transaction: then each is done alone. */
  isFaultOfOne?(error: unknown): boolean;
}

export function createGatherer<Post, Outcome>(
  handle: (posts: Post[]) => Promise<Outcome[]>,
  options: GathererOptions<Post>,
): Gatherer<Post, Outcome> {
  const { lanes, lanesBeside = lanes, worthALane = 0, patienceMs = 50, mostPerBatch } = options;
  const { lineOf = () => null, isFaultOfOne = () => false } = options;
  const lines = new Map<unknown, Line<Post, Outcome>>();
  /** Those in which somebody waits, in the order of their turns. */
  const queue = new Set<Line<Post, Outcome>>();
  let busy = 0;
  let isComing = false;

  function findLine(post: Post): Line<Post, Outcome> {
    const name = lineOf(post);
    const known = lines.get(name);
    if (known) return known;
    const line = { name, waiting: [], waitingSize: 0, busy: 0, patience: null, hasWaited: false };
    lines.set(name, line);
    return line;
  }

  function nextBatch(line: Line<Post, Outcome>): Waiting<Post, Outcome>[] {
    let size = 0;
    let count = 0;
    for (const waiting of line.waiting) {
      if (count > 0 && size + waiting.size > mostPerBatch) break;
      size += waiting.size;
      count += 1;
    }
    line.waitingSize -= size;
    return line.waiting.splice(0, count);
  }

  async function work(batch: Waiting<Post, Outcome>[]): Promise<void> {
    try {
      const outcomes = await handle(batch.map(({ post }) => post));
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      if (batch.length > 1 && isFaultOfOne(error)) for (const one of batch) await work([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  const mayStart = (line: Line<Post, Outcome>): boolean =>
    line.busy === 0 || (busy < lanesBeside && (line.hasWaited || line.waitingSize >= worthALane));

  function findNext(): Line<Post, Outcome> | null {
    // Only lines with a transaction under way are passed over, and of them there are no more than lanes.
    if (busy < lanes) for (const line of queue) if (mayStart(line)) return line;
    return null;
  }

  function startLanes(): void {
    for (let line = findNext(); line; line = findNext()) start(line);
  }

  function start(line: Line<Post, Outcome>): void {
    const batch = nextBatch(line);
    busy += 1;
    line.busy += 1;
    queue.delete(line);
    if (line.patience) clearTimeout(line.patience);
    line.patience = null;
    line.hasWaited = false;
    if (line.waiting.length > 0) enqueue(line);
    work(batch).finally(() => {
      busy -= 1;
      line.busy -= 1;
      if (line.busy === 0 && line.waiting.length === 0) lines.delete(line.name);
      startSoon();
    });
  }

  /** Whatever else this turn of the event loop brings may come along. */
  function startSoon(): void {
    if (isComing) return;
    isComing = true;
    setImmediate(() => {
      isComing = false;
      startLanes();
    });
  }

  function enqueue(line: Line<Post, Outcome>): void {
    queue.add(line);
    if (line.busy > 0) line.patience ??= setTimeout(() => losePatience(line), patienceMs);
  }

  function losePatience(line: Line<Post, Outcome>): void {
    line.hasWaited = true;
    startLanes();
  }

  return {
    take: (post, size) =>
      new Promise((resolve, reject) => {
        const line = findLine(post);
        line.waiting.push({ post, size, resolve, reject });
        line.waitingSize += size;
        enqueue(line);
        startSoon();
      }),
  };
}
