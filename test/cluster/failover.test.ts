// The servers of the database are killed, stopped and exchanged under a lab at work. TOCSIN_CLUSTER_ROUNDS says how many
// times each; once by default, and then its times are told, not judged. TOCSIN_CLUSTER_RESULTS names a file that keeps every
// try, so that the table in the end is of all runs. Where TOCSIN_CLUSTER_MAY_NOT_START is set, a machine that is too slow for so
// many servers is told of, and is no failure.
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openPool } from '../../src/platform/db/database.ts';
import { whenFileIsDone } from '../support/when-file-is-done.ts';
import { type Cluster, ClusterDoesNotStart, startCluster } from './cluster.ts';
import { openWatchedLab, type Toll } from './watched-lab.ts';

const ROUNDS = Number(process.env.TOCSIN_CLUSTER_ROUNDS ?? 1);
const ONLY = process.env.TOCSIN_CLUSTER_FAULTS?.split(',');
const MAY_NOT_START = process.env.TOCSIN_CLUSTER_MAY_NOT_START !== undefined;
const RESULTS = process.env.TOCSIN_CLUSTER_RESULTS;
const LONGEST_GAP_MS = 30_000;
const LONGEST_WAY_OF_AN_ALARM_MS = 35_000;

/** Does harm, and answers with what puts it right. */
type Fault = (cluster: Cluster) => Promise<() => void>;

const FAULTS: Record<string, Fault> = {
  'primary killed': async (cluster) => {
    const machine = await cluster.primary();
    await machine.kill();
    return machine.start;
  },
  switchover: async (cluster) => {
    await cluster.switchOver();
    return () => {};
  },
  'etcd lost': async (cluster) => (await cluster.killEtcd()).start,
  'primary frozen': async (cluster) => {
    const machine = await cluster.primary();
    machine.freeze();
    // Longer than it takes the others to choose another one.
    await sleep(30_000);
    machine.thaw();
    return () => {};
  },
  'replica lost': async (cluster) => {
    const machine = await cluster.replica('synchronous');
    await machine.kill();
    return machine.start;
  },
  'replica frozen': async (cluster) => {
    const machine = await cluster.replica('synchronous');
    machine.freeze();
    await sleep(15_000);
    return machine.thaw;
  },
};

/** One fault, tried once. */
interface Try extends Toll {
  fault: string;
  gapMs: number;
  alarmMs: number;
}

const say = (line: string) => process.stderr.write(`${line}\n`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

const describeTry = ({ fault, gapMs, alarmMs }: Pick<Try, 'fault' | 'gapMs' | 'alarmMs'>) =>
  `${fault}: ${seconds(gapMs)} without a 200, alarm notified after ${seconds(alarmMs)} at most`;

/** As it stands in docs/high-availability.md. */
function makeTable(tries: readonly Try[]): string[] {
  const sum = (ofFault: readonly Try[], ...what: (keyof Toll)[]) =>
    ofFault.reduce((total, one) => total + what.reduce((part, key) => part + one[key], 0), 0);
  const longest = (ofFault: readonly Try[], what: 'gapMs' | 'alarmMs') =>
    seconds(Math.max(...ofFault.map((one) => one[what])));
  const rows = [...new Set(tries.map(({ fault }) => fault))].map((fault) => {
    const ofFault = tries.filter((one) => one.fault === fault);
    return [
      fault,
      ofFault.length,
      sum(ofFault, 'lostReadings', 'lostAcknowledgements', 'lostAlarms'),
      sum(ofFault, 'doubledReadings', 'doubledAcknowledgements'),
      sum(ofFault, 'doubledMails'),
      longest(ofFault, 'gapMs'),
      longest(ofFault, 'alarmMs'),
    ];
  });
  const heads = ['fault', 'tries', 'lost', 'stored twice', 'mails twice', 'longest gap', 'longest alarm'];
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** Those of earlier runs too, where they are kept. */
function keepTries(tries: readonly Try[]): Try[] {
  if (!RESULTS) return [...tries];
  appendFileSync(RESULTS, tries.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return readFileSync(RESULTS, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Try);
}

test('nothing that was answered is lost, whatever happens to a server of the database', async ({ skip }) => {
  const cluster = await startCluster().catch((error) => {
    if (!(MAY_NOT_START && error instanceof ClusterDoesNotStart)) throw error;
    say(error.message);
    return skip('the servers did not start on this machine');
  });
  whenFileIsDone(cluster.stop);
  const lab = await openWatchedLab(cluster);
  const measured: Pick<Try, 'fault' | 'gapMs' | 'alarmMs'>[] = [];
  for (const [fault, harm] of Object.entries(FAULTS).filter(([name]) => !ONLY || ONLY.includes(name)))
    for (let round = 0; round < ROUNDS; round += 1) {
      await lab.untilWell();
      lab.beginRound();
      const mend = await harm(cluster);
      await lab.untilWell();
      mend();
      await cluster.untilWhole();
      await lab.untilWell();
      const { gapMs, alarmMs } = lab.round();
      measured.push({ fault, gapMs, alarmMs });
      say(describeTry({ fault, gapMs, alarmMs }));
    }
  await lab.finish();
  const db = openPool({ connectionString: cluster.url }, () => {});
  whenFileIsDone(() => db.close());
  const tolls = await lab.count(db);
  const tries = measured.map((one, round) => ({ ...one, ...(tolls[round] as Toll) }));
  for (const line of makeTable(keepTries(tries))) say(line);
  say(`of ${JSON.stringify(lab.answered())}`);
  for (const line of await lab.explainLost(db)) say(line);

  expect(lab.surprises).toEqual([]);
  expect(lab.misled()).toBe(0);
  for (const { doubledMails: _, ...toll } of tolls)
    expect(toll).toEqual({
      lostReadings: 0,
      lostAcknowledgements: 0,
      lostAlarms: 0,
      doubledReadings: 0,
      doubledAcknowledgements: 0,
    });
  for (const program of lab.programs) expect(program.process.exitCode).toBeNull();
  for (const { fault, gapMs, alarmMs } of ROUNDS > 1 ? tries : []) {
    expect.soft(gapMs, fault).toBeLessThanOrEqual(LONGEST_GAP_MS);
    expect.soft(alarmMs, fault).toBeLessThanOrEqual(LONGEST_WAY_OF_AN_ALARM_MS);
  }
});
