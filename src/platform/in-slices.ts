// Long work in slices: other work has its turn in between. Of several such works as many go on in each round of the loop as
// share one slice, and all that are long leave most of the thread to what is short: readings, alarms, pages that are looked at in
// passing.
import { performance } from 'node:perf_hooks';

/** So long they may keep all others waiting, in each round of the loop. Whoever has had as much in all is long. */
const SLICE_MS = 2;
/** Most works are done by then: whoever begins waits for nobody, until the round had as many of them as this. */
const FIRST_MS = 0.5;
const BEGINNERS_MS = 6;
/** What the long ones have together, beside all that nobody else wants of the thread. */
const SHARE_OF_LONG = 0.1;
/** What they left is theirs later, up to a point. */
const MOST_SAVED_MS = 500;
/** So long they rest before they ask again whether there is time for them. */
const REST_MS = 2;
/** And however many short ones come, one of them goes on after so long. */
const PATIENCE_MS = 50;

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
let idleUntilThen = performance.nodeTiming.idleTime;
/** When one of them went on last. */
let longAt = performance.now();

function save(now: number): void {
  const { idleTime } = performance.nodeTiming;
  const gained = (now - savedAt) * SHARE_OF_LONG + (idleTime - idleUntilThen);
  savedMs = Math.min(MOST_SAVED_MS, savedMs + gained);
  savedAt = now;
  idleUntilThen = idleTime;
}

const mustRest = ({ mayRest }: Lane): boolean => mayRest && savedMs <= 0;

/** Alarms and what is short, then what is long; or, if that has waited for so long, the other way round. */
function findNext(): (() => void) | undefined {
  const isPressing = ({ short, long, mayRest }: Lane) => short.length > 0 || (long.length > 0 && !mayRest);
  const pressing = order.find(isPressing);
  const long = order.find((lane) => lane.long.length > 0 && !mustRest(lane));
  const isLongNext = performance.now() - longAt >= PATIENCE_MS;
  const lane = isLongNext ? (long ?? pressing) : (pressing ?? long);
  if (!lane) return undefined;
  order = [...order.filter((one) => one !== lane), lane];
  return isLongNext && lane === long ? lane.long.shift() : (lane.short.shift() ?? lane.long.shift());
}

function goRound(): void {
  isGoingRound = false;
  const now = performance.now();
  save(now);
  busySince = now;
  if (wakeNext()) comeRound();
  else {
    busySince = null;
    restForLong();
  }
}

function wakeNext(): boolean {
  const wake = findNext();
  wake?.();
  return wake !== undefined;
}

/** Whoever ends early leaves the rest of the slice to the next. */
function handOn(): void {
  if (busySince !== null && performance.now() - busySince < SLICE_MS) wakeNext();
}

function restForLong(): void {
  if (resting || order.every(({ long }) => long.length === 0)) return;
  resting = setTimeout(() => {
    resting = null;
    comeRound();
  }, REST_MS);
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
    const roundMs = workedMs < FIRST_MS ? BEGINNERS_MS : SLICE_MS;
    if (beganAt - busySince >= roundMs || (isLong && mustRest(lane))) {
      await new Promise<void>((resolve) => {
        lane[isLong ? 'long' : 'short'].push(resolve);
      });
      beganAt = performance.now();
    }
    const step = work.next();
    const tookMs = performance.now() - beganAt;
    workedMs += tookMs;
    if (isLong && lane.mayRest) {
      savedMs -= tookMs;
      longAt = beganAt;
    }
    if (step.done) {
      handOn();
      return step.value;
    }
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
