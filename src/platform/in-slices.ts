// Long work in slices: other work has its turn in between, and of several such works one after the other goes on.

/** So long those of a lane may keep all others waiting, in each round of the loop. */
const SLICE_MS = 5;

/** However many look at pages, alarms are decided. */
interface Lane {
  waiting: (() => void)[];
  /** When the first of this round began; null: none has. */
  busySince: number | null;
}

const openLane = (): Lane => ({ waiting: [], busySince: null });
const LANES = { pages: openLane(), posts: openLane(), alarms: openLane() };
let isGoingRound = false;

function goRound(): void {
  isGoingRound = false;
  for (const lane of Object.values(LANES)) {
    const next = lane.waiting.shift();
    lane.busySince = next ? performance.now() : null;
    if (!next) continue;
    next();
    comeRound();
  }
}

function comeRound(): void {
  if (!isGoingRound) setImmediate(goRound);
  isGoingRound = true;
}

function hasWorkedLong(lane: Lane): boolean {
  comeRound();
  lane.busySince ??= performance.now();
  return performance.now() - lane.busySince >= SLICE_MS;
}

const waitForTurn = (lane: Lane): Promise<void> =>
  new Promise((resolve) => {
    lane.waiting.push(resolve);
  });

/** Goes on with what stops now and then. */
export async function inSlices<Value>(
  work: Generator<void, Value>,
  of: keyof typeof LANES = 'pages',
): Promise<Value> {
  const lane = LANES[of];
  for (;;) {
    if (hasWorkedLong(lane)) await waitForTurn(lane);
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Stops after each. */
export function* eachInTurn<Item, Value>(
  items: Iterable<Item>,
  make: (item: Item) => Value,
): Generator<void, Value[]> {
  const made: Value[] = [];
  for (const item of items) {
    made.push(make(item));
    yield;
  }
  return made;
}
