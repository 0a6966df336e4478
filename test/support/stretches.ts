// How long the thread is kept at a stretch, in CPU time: what others do on the machine meanwhile counts little.

export interface Stretch {
  name: string;
  /** The longest, in the better of two rounds. */
  ms: number;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** A reader: everything at once, or from one stop to the next. What it is given is made before. */
export function measureReader(name: string, prepare: () => () => unknown): Stretch {
  const measure = (): number => {
    const begin = prepare();
    let longest = 0;
    let [cpuAt, cpu] = [performance.now(), cpuMs()];
    const during = <Value>(work: () => Value): Value => {
      const startedAt = performance.now();
      // To ask for it takes longer than many a step.
      if (startedAt - cpuAt > 0.5) [cpuAt, cpu] = [startedAt, cpuMs()];
      const value = work();
      const ms = performance.now() - startedAt;
      // Threads of the runtime count as CPU time, others on the machine as time.
      if (ms > longest) longest = Math.max(longest, Math.min(cpuMs() - cpu, ms));
      return value;
    };
    const made = during(begin);
    if (isGenerator(made)) while (!during(() => made.next()).done);
    return longest;
  };
  const first = measure();
  return { name, ms: first <= SHORT_MS ? first : Math.min(first, measure()) };
}

/** What is as short as that is not done twice. */
const SHORT_MS = 5;

const isGenerator = (value: unknown): value is Generator =>
  typeof value === 'object' && value !== null && 'next' in value;

/** Something that waits in between, such as a page or a task: from one turn of the loop to the next. */
export async function measureTask(
  name: string,
  work: () => Promise<unknown>,
  { rounds: count = 2 } = {},
): Promise<Stretch> {
  const rounds: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const begunAt = performance.now();
    let isDone = false;
    let longest = 0;
    let [lastAt, lastCpu] = [performance.now(), cpuMs()];
    const beat = () => {
      const [at, cpu] = [performance.now(), cpuMs()];
      longest = Math.max(longest, Math.min(cpu - lastCpu, at - lastAt));
      [lastAt, lastCpu] = [at, cpu];
      if (!isDone) setTimeout(beat, 1);
    };
    // Not in each round: a loop that never rests has no idle time to give to long works.
    setTimeout(beat, 1);
    await work();
    isDone = true;
    await new Promise((resolve) => setTimeout(resolve, 2));
    rounds.push(longest);
    if (longest <= SHORT_MS || performance.now() - begunAt > LONG_ROUND_MS) break;
  }
  return { name, ms: Math.min(...rounds) };
}

/** What takes longer is not done twice. */
const LONG_ROUND_MS = 1_000;

/** For whoever looks after it: the longest first. */
export const sayWorst = (stretches: readonly Stretch[], count = 10): string =>
  stretches
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, count)
    .map(({ name, ms }) => `${ms.toFixed(1).padStart(8)} ms  ${name}`)
    .join('\n');
