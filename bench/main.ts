import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findSystemBinaries } from '../test/support/postgres-binaries.ts';
import { measureBreaches, measureList, openReader } from './alarms-list.ts';
import { measureBesideApply, measureBesideEdits } from './beside.ts';
import { measureCharts } from './charts.ts';
import { openEmbeddedCluster } from './cluster.ts';
import { measureCodecs } from './codecs.ts';
import { measureDeciding } from './deciding.ts';
import { measureForetelling } from './foretelling.ts';
import { measureHistory } from './history.ts';
import { measureIngest, measureSingle, SERVICES } from './ingest.ts';
import { fillHistory, fillLab, hirePerson, prepareLab } from './lab.ts';
import { measureLadders } from './ladders.ts';
import { startGenerator } from './load.ts';
import { measureLone } from './lone.ts';
import { measureMqtt } from './mqtt.ts';
import { measureOnSystem } from './on-system.ts';
import { measurePacking } from './packing.ts';
import { measurePolling } from './poll.ts';
import { measurePrometheus } from './prometheus.ts';
import { measureRescue } from './rescue.ts';
import type { Stage } from './stage.ts';
import { startBare } from './start-bare.ts';
import { startTocsin, stopAll } from './start-tocsin.ts';
import { measureSustained } from './sustained.ts';
import { formatTable } from './table.ts';
import { measureWaysIn } from './ways-in.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, long: { type: 'boolean', default: false } },
});
const seconds = Number(positionals[0] ?? 15);
/** Stored before the alarms list is measured for the last time. */
const history = Number(positionals[1] ?? 10_000_000);

/** In this order: the last ones leave a larger lab behind. */
const STAGES: Record<string, (stage: Stage) => Promise<void>> = {
  ingest: measureIngest,
  single: measureSingle,
  lone: measureLone,
  'ways-in': measureWaysIn,
  prometheus: measurePrometheus,
  mqtt: measureMqtt,
  codecs: measureCodecs,
  async distribution(stage) {
    if (findSystemBinaries()) await measureOnSystem(stage);
    else process.stderr.write('No PostgreSQL is installed to compare with: apt-get install postgresql\n');
  },
  edits: measureBesideEdits,
  apply: measureBesideApply,
  breaches: measureBreaches,
  polling: measurePolling,
  async deciding({ bench, cluster, now }) {
    Object.assign(bench.figures, await measureDeciding(cluster.connection, now));
  },
  async ladders({ bench, cluster, now }) {
    Object.assign(bench.figures, await measureLadders(cluster.connection, now));
  },
  foretelling: measureForetelling,
  history: measureHistory,
  rescue: measureRescue,
  async lists(stage) {
    await fillLab(stage.db, 50_000, stage.now);
    await measureList(stage, '50000_services');
    await fillHistory(stage.db, SERVICES, history, stage.now);
    await measureList(stage, `${history}_readings`);
  },
  async charts({ bench, cluster, now }) {
    Object.assign(bench.figures, await measureCharts(cluster.connection, now));
  },
  async packing({ bench, cluster, now }) {
    const { perSecond, bytesAtRest } = await measurePacking(cluster.connection, now);
    Object.assign(bench.figures, {
      packing_per_second: perSecond,
      bytes_a_reading_at_rest: Number(bytesAtRest.toFixed(2)),
    });
  },
  sustained: measureSustained,
};
/** Takes as long as half of the others. */
const LONG = ['sustained'];

const names =
  values.only?.split(',') ?? Object.keys(STAGES).filter((name) => values.long || !LONG.includes(name));
const unknown = names.find((name) => !STAGES[name]);
if (unknown) throw new Error(`"${unknown}" is none of ${Object.keys(STAGES).join(', ')}`);

const cluster = await openEmbeddedCluster();
const now = new Date();
const db = await prepareLab(cluster, 200, now);
await hirePerson(db, now);
const bare = await startBare(cluster);
const { url, child } = await startTocsin(cluster.env);
const tocsin = { url, pid: child.pid ?? 0, databasePid: cluster.pid };
const bench: Stage['bench'] = { generator: startGenerator(), seconds, rows: [], polls: [], figures: {} };
try {
  const stage = { bench, cluster, db, bare, tocsin, reader: await openReader(url), now };
  // More than once: what comes first pays for the compiling.
  for (let turn = 0; turn < 3; turn += 1) await measureList(stage, '200_services');
  await fillLab(db, SERVICES, now);
  await measureList(stage, `${SERVICES}_services`);
  for (const name of names) {
    const startedAt = performance.now();
    await STAGES[name]?.(stage);
    const took = Math.round((performance.now() - startedAt) / 1000);
    process.stderr.write(`${name}: ${took} s, tocsin held ${memoryOf(tocsin.pid)} MB at most so far\n`);
  }
  bench.figures.memory_mb = memoryOf(tocsin.pid);
  for (const rows of [bench.rows, bench.polls]) if (rows.length > 0) process.stdout.write(formatTable(rows));
  process.stdout.write(`${JSON.stringify(bench.figures)}\n`);
} finally {
  bench.generator.end();
  await stopAll([child, bare.child]);
  await db.close();
  await cluster.stop();
}

function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
