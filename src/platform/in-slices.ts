// Long work in slices: other work has its turn in between. Of several such works one goes on in each round of the loop, and all
// that are long leave a part of the thread to what is short: readings, alarms, pages that are looked at in passing.

/** So long they may keep all others waiting, in each round of the loop. Whoever has had as much in all is long. */
const SLICE_MS = 2;
/** The part of the thread that the long ones have together. What they left is theirs later, up to a point. */
const SHARE_OF_LONG = 0.35;
const MOST_SAVED_MS = 500;

interface Lane {
  /** Before those who have worked for long. */
  short: (() => void)[];
  long: (() => void)[];
  /** Alarms are never too many. */
  mayRest: boolean;
}

const openLane = (mayRest: boolean): Lane => ({ short: [], long: [], mayRest });

/** They take turns: however many look at pages or send what is old, alarms are decided and told. */
const LANES = {
  alarms: openLane(false),
  letters: openLane(false),
  posts: openLane(true),
  history: openLane(true),
  pages: openLane(true),
};
type LaneName = keyof typeof LANES;

/** The one that went on last comes last. */
let order = Object.values(LANES);
/** When the first of this round began; null: none has. */
let busySince: number | null = null;
let isGoingRound = false;
let resting: NodeJS.Timeout | null = null;

/** How long the long ones may still work; below zero: they have worked ahead. */
let savedMs = MOST_SAVED_MS;
let savedAt = performance.now();

function save(now: number): void {
  savedMs = Math.min(MOST_SAVED_MS, savedMs + (now - savedAt) * SHARE_OF_LONG);
  savedAt = now;
}

const mustRest = ({ mayRest }: Lane): boolean => mayRest && savedMs <= 0;

function goRound(): void {
  isGoingRound = false;
  busySince = null;
  const now = performance.now();
  save(now);
  const lane = order.find((one) => one.short.length > 0 || (one.long.length > 0 && !mustRest(one)));
  if (!lane) {
    restForLong();
    return;
  }
  order = [...order.filter((one) => one !== lane), lane];
  busySince = now;
  (lane.short.shift() ?? lane.long.shift())?.();
  comeRound();
}

function restForLong(): void {
  if (resting || order.every(({ long }) => long.length === 0)) return;
  resting = setTimeout(
    () => {
      resting = null;
      comeRound();
    },
    Math.ceil(-savedMs / SHARE_OF_LONG) + 1,
  );
}

function comeRound(): void {
  if (!isGoingRound) setImmediate(goRound);
  isGoingRound = true;
}

/** Goes on with what stops now and then. */
export async function inSlices<Value>(
  work: Generator<void, Value>,
  laneName: LaneName = 'pages',
): Promise<Value> {
  const lane = LANES[laneName];
  let workedMs = 0;
  for (;;) {
    const isLong = workedMs >= SLICE_MS;
    comeRound();
    let beganAt = performance.now();
    busySince ??= beganAt;
    if (beganAt - busySince >= SLICE_MS || (isLong && mustRest(lane))) {
      await new Promise<void>((resolve) => {
        lane[isLong ? 'long' : 'short'].push(resolve);
      });
      beganAt = performance.now();
    }
    const step = work.next();
    const tookMs = performance.now() - beganAt;
    workedMs += tookMs;
    if (isLong && lane.mayRest) savedMs -= tookMs;
    if (step.done) return step.value;
  }
}

/** Begins in a round that has time left for it. */
export const inTurn = <Value>(begin: () => Promise<Value>, laneName: LaneName): Promise<Value> =>
  inSlices(oneStep(begin), laneName).then((begun) => begun);

// biome-ignore lint/correctness/useYield: whoever stopped after it would have nothing to go on with.
function* oneStep<Value>(make: () => Value): Generator<void, Value> {
  return make();
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
