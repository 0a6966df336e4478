// Long work in slices: other work has its turn in between. Of several such works one after the other goes on.

/** So long they may keep all others waiting, in each round of the loop. */
const SLICE_MS = 5;

/** They take turns: however many look at pages or send what is old, alarms are decided. */
const LANES = {
  alarms: [] as (() => void)[],
  posts: [] as (() => void)[],
  history: [] as (() => void)[],
  pages: [] as (() => void)[],
};
type Lane = keyof typeof LANES;

/** The one that went on last comes last. */
let order = Object.values(LANES);
/** When the first of this round began; null: none has. */
let busySince: number | null = null;
let isGoingRound = false;

function goRound(): void {
  isGoingRound = false;
  busySince = null;
  const lane = order.find(({ length }) => length > 0);
  if (!lane) return;
  order = [...order.filter((one) => one !== lane), lane];
  busySince = performance.now();
  lane.shift()?.();
  comeRound();
}

function comeRound(): void {
  if (!isGoingRound) setImmediate(goRound);
  isGoingRound = true;
}

function hasWorkedLong(): boolean {
  comeRound();
  busySince ??= performance.now();
  return performance.now() - busySince >= SLICE_MS;
}

const waitForTurn = (lane: Lane): Promise<void> =>
  new Promise((resolve) => {
    LANES[lane].push(resolve);
  });

/** Goes on with what stops now and then. */
export async function inSlices<Value>(work: Generator<void, Value>, lane: Lane = 'pages'): Promise<Value> {
  for (;;) {
    if (hasWorkedLong()) await waitForTurn(lane);
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
