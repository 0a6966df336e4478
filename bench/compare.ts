// Programs under the same load in turns, because the machine's speed changes from minute to minute: each round gives a
// ratio, and the middle one counts.
import { cpuOfDatabase, cpuOfProgram } from './cpu.ts';
import { SECRET } from './lab.ts';
import { type Generator, type LoadResult, median } from './load.ts';
import type { PostPlan } from './posts.ts';
import type { Row } from './table.ts';

/** Above this the generator hardly ever waited for an answer. */
const GENERATOR_IS_BUSY = 0.9;
const WARM_UP_SECONDS = 3;

export interface Bench {
  generator: Generator;
  /** That each program is under load, all rounds together. */
  seconds: number;
  rows: Row[];
  /** Of the alarms list. */
  polls: Row[];
  figures: Record<string, number | string>;
}

/** Its process, and the first one of its database's. */
export interface Program {
  url: string;
  pid: number;
  databasePid: number;
}

export interface Rival {
  what: string;
  program: Program;
  path: string;
  posts: PostPlan;
  /** What goes on meanwhile; a round then lasts as long as it does. */
  beside?: (seconds: number) => Promise<unknown>;
}

interface Load {
  connections: number;
  pipelined?: number;
  rounds?: number;
}

type Round = LoadResult & { programCpu: number; databaseCpu: number };

export interface MeasuredSpeed {
  /** Readings a second, round by round. */
  speeds: number[];
  longestMs: number;
}

export const speedOf = ({ speeds }: MeasuredSpeed): number => Math.round(median(speeds));

export const ratioOf = (own: MeasuredSpeed, other: MeasuredSpeed): number =>
  Number(median(own.speeds.map((speed, round) => speed / (other.speeds[round] ?? Number.NaN))).toFixed(3));

/** One outcome for each rival; in the table the others stand beside the first. */
export async function comparePosts<Rivals extends [Rival, ...Rival[]]>(
  bench: Bench,
  what: string,
  { connections, pipelined = 1, rounds = 5 }: Load,
  rivals: Rivals,
): Promise<{ [Key in keyof Rivals]: MeasuredSpeed }> {
  const play = async ({ program, path, posts, beside }: Rival, seconds: number): Promise<Round> => {
    const url = program.url + path;
    const headers = { authorization: `Bearer ${SECRET}` };
    const order = { name: `${url} ${JSON.stringify(posts)}`, url, headers, connections, pipelined, posts };
    const cpuBefore = [cpuOfProgram(program.pid), cpuOfDatabase(program.databasePid)] as const;
    const result = await bench.generator.drive(order, beside ? () => beside(seconds) : seconds);
    return {
      ...result,
      programCpu: cpuOfProgram(program.pid) - cpuBefore[0],
      databaseCpu: cpuOfDatabase(program.databasePid) - cpuBefore[1],
    };
  };
  for (const { beside: _, ...rival } of rivals) await play(rival, WARM_UP_SECONDS);
  const played = rivals.map((rival) => ({ rival, rounds: [] as Round[] }));
  for (let round = 0; round < rounds; round += 1)
    for (const { rival, rounds: own } of played) own.push(await play(rival, bench.seconds / rounds));

  const outcomes = played.map(({ rival, rounds: own }) => ({
    speeds: own.map(({ requests, seconds }) => (requests * rival.posts.size) / seconds),
    longestMs: Math.round(Math.max(...own.map(({ longest }) => longest))),
  }));
  for (const [index, { rival, rounds: own }] of played.entries()) {
    const [first, outcome] = [outcomes[0], outcomes[index]] as [MeasuredSpeed, MeasuredSpeed];
    const row = {
      what: `${rival.what}, ${what}`,
      'readings/s': speedOf(outcome),
      'posts/s': Math.round(speedOf(outcome) / rival.posts.size),
      'of the first': outcome === first ? '' : ratioOf(outcome, first).toFixed(2),
      ...describeRounds(own, rival.posts.size),
    };
    bench.rows.push(row);
    process.stderr.write(`${row.what}: ${row['readings/s']} readings/s\n`);
  }
  return outcomes as { [Key in keyof Rivals]: MeasuredSpeed };
}

function describeRounds(rounds: Round[], size: number): Row {
  const middle = (pick: (round: Round) => number) => median(rounds.map(pick));
  const sum = (pick: (round: Round) => number) => rounds.reduce((total, round) => total + pick(round), 0);
  const millions = sum(({ requests }) => requests * size) / 1_000_000;
  const busy = middle((round) => round.busy);
  const failures = rounds.flatMap((round) => Object.entries(round.failures));
  return {
    'p50 ms': middle(({ p50 }) => p50).toFixed(1),
    'p95 ms': middle(({ p95 }) => p95).toFixed(1),
    'longest ms': Math.max(...rounds.map(({ longest }) => longest)).toFixed(0),
    'program CPU s/million': (sum(({ programCpu }) => programCpu) / millions).toFixed(1),
    'database CPU s/million': (sum(({ databaseCpu }) => databaseCpu) / millions).toFixed(1),
    'generator busy': `${Math.round(busy * 100)} %${busy > GENERATOR_IS_BUSY ? ', the limit' : ''}`,
    failed: failures.map(([status, count]) => `${count} × ${status}`).join(', '),
  };
}
