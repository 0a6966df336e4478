// The servers of the database are killed, stopped and exchanged under a lab at work. TOCSIN_CLUSTER_ROUNDS says how many
// times each; once by default, and then its times are told, not judged.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openPool } from '../../src/platform/db/database.ts';
import { whenFileIsDone } from '../support/when-file-is-done.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { openWatchedLab } from './watched-lab.ts';

const ROUNDS = Number(process.env.TOCSIN_CLUSTER_ROUNDS ?? 1);
const ONLY = process.env.TOCSIN_CLUSTER_FAULTS?.split(',');
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

interface Row {
  fault: string;
  times: number;
  gapMs: number;
  alarmMs: number;
}

const say = (line: string) => process.stderr.write(`${line}\n`);
const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7);

const describeRow = ({ fault, times, gapMs, alarmMs }: Row) =>
  [fault.padEnd(16), String(times).padStart(5), seconds(gapMs), seconds(alarmMs)].join('  ');

test('nothing that was answered is lost, whatever happens to a server of the database', async () => {
  const cluster = await startCluster();
  whenFileIsDone(cluster.stop);
  const lab = await openWatchedLab(cluster);
  const rows: Row[] = [];
  for (const [fault, harm] of Object.entries(FAULTS).filter(([name]) => !ONLY || ONLY.includes(name))) {
    const row = { fault, times: 0, gapMs: 0, alarmMs: 0 };
    rows.push(row);
    while (row.times < ROUNDS) {
      await lab.untilWell();
      lab.beginRound();
      const mend = await harm(cluster);
      await lab.untilWell();
      mend();
      await cluster.untilWhole();
      await lab.untilWell();
      const { gapMs, alarmMs } = lab.round();
      row.times += 1;
      row.gapMs = Math.max(row.gapMs, gapMs);
      row.alarmMs = Math.max(row.alarmMs, alarmMs);
      say(describeRow({ ...row, gapMs, alarmMs }));
    }
  }
  await lab.finish();
  const db = openPool({ connectionString: cluster.url }, () => {});
  whenFileIsDone(() => db.close());
  const { surprises, ...toll } = await lab.count(db);
  say('fault             times    gap s  alarm s');
  for (const row of rows) say(describeRow(row));
  say(`of ${JSON.stringify(lab.answered())}: ${JSON.stringify(toll)}`);

  expect(surprises).toEqual([]);
  expect(toll).toMatchObject({
    lostReadings: 0,
    lostAcknowledgements: 0,
    lostAlarms: 0,
    doubledReadings: 0,
    doubledAcknowledgements: 0,
    misled: 0,
  });
  for (const program of lab.programs) expect(program.process.exitCode).toBeNull();
  for (const row of ROUNDS > 1 ? rows : []) {
    expect.soft(row.gapMs, row.fault).toBeLessThanOrEqual(LONGEST_GAP_MS);
    expect.soft(row.alarmMs, row.fault).toBeLessThanOrEqual(LONGEST_WAY_OF_AN_ALARM_MS);
  }
});
