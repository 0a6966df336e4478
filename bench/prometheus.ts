// Prometheus itself, which scrapes a lab faster than any would and writes all of it to us.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findQuietPort } from '../test/support/quiet-ports.ts';
import { cpuOfDatabase, cpuOfProgram } from './cpu.ts';
import { TELEMETRY } from './ingest.ts';
import { SECRET } from './lab.ts';
import { METRIC } from './remote-write.ts';
import type { Stage } from './stage.ts';

const PROMETHEUS = 'prometheus';
const DEVICES = 4_000;
const SIZE = 250;
const WARM_UP_SECONDS = 10;

export async function measurePrometheus({ bench, tocsin }: Stage): Promise<void> {
  if (spawnSync(PROMETHEUS, ['--version']).status !== 0) {
    process.stderr.write('Prometheus is not installed to measure with: apt-get install prometheus\n');
    return;
  }
  const target = createServer((_, response) => response.end(SCRAPED)).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-prometheus-'));
  const settings = join(folder, 'prometheus.yml');
  writeFileSync(settings, settingsOf(tocsin.url, (target.address() as AddressInfo).port));
  const address = `127.0.0.1:${await findQuietPort()}`;
  const child = spawn(
    PROMETHEUS,
    [`--config.file=${settings}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`],
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  const look = async () => ({
    at: performance.now(),
    sent: await countSent(address),
    cpu: [cpuOfProgram(tocsin.pid), cpuOfDatabase(tocsin.databasePid), cpuOfProgram(child.pid ?? 0)] as const,
  });
  try {
    await sleep(1_000 * WARM_UP_SECONDS);
    const before = await look();
    await sleep(1_000 * bench.seconds);
    const after = await look();
    const millions = (after.sent - before.sent) / 1_000_000;
    const perSecond = Math.round((1_000 * (after.sent - before.sent)) / (after.at - before.at));
    const cpu = (which: 0 | 1 | 2) => ((after.cpu[which] - before.cpu[which]) / millions).toFixed(1);
    const what = `Prometheus itself, posts of ${SIZE}`;
    bench.figures.prometheus_itself_per_second = perSecond;
    bench.rows.push({
      what,
      'readings/s': perSecond,
      'program CPU s/million': cpu(0),
      'database CPU s/million': cpu(1),
      'generator CPU s/million': cpu(2),
    });
    process.stderr.write(`${what}: ${perSecond} readings/s\n`);
  } finally {
    child.kill('SIGTERM');
    await exited;
    target.close().closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  }
}

const SCRAPED = Array.from({ length: DEVICES }, (_, index) => `${METRIC}{device="d${index + 1}"} -80\n`).join(
  '',
);

const settingsOf = (url: string, port: number) => `scrape_configs:
  - job_name: lab
    scrape_interval: 100ms
    scrape_timeout: 100ms
    static_configs: [{ targets: ['127.0.0.1:${port}'] }]
remote_write:
  - url: ${url}${TELEMETRY}/prometheus
    authorization: { credentials: '${SECRET}' }
    queue_config: { min_shards: 4, max_shards: 4, max_samples_per_send: ${SIZE}, capacity: 2500 }
    metadata_config: { send: false }
`;

/** That were answered as stored. */
async function countSent(address: string): Promise<number> {
  const text = await (await fetch(`http://${address}/metrics`)).text();
  const count = (name: string) =>
    Number(new RegExp(`^prometheus_remote_storage_${name}\\{.*\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  return count('samples_total') - count('samples_failed_total') - count('samples_retried_total');
}
