// A real Prometheus, where one is installed: apt-get install prometheus.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';

export const NO_PROMETHEUS =
  'Tests with Prometheus are skipped: it is not installed (apt-get install prometheus).\n';

export const findPrometheus = (): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'prometheus'))
    .find((path) => existsSync(path));

/** Something to scrape, which says this. */
export async function exposeMetrics(read: () => string): Promise<string> {
  const server = createServer((_, response) => response.end(read()));
  onTestFinished(() => void server.close().closeAllConnections());
  return listen(server);
}

/** Scrapes the target every second; `remoteWrite` are the lines that let it write elsewhere. */
export async function startPrometheus(target: string, remoteWrite: string): Promise<{ log(): string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-prometheus-'));
  const settings = join(folder, 'prometheus.yml');
  const scrape = `scrape_configs:
  - job_name: lab
    scrape_interval: 1s
    static_configs: [{ targets: ['${target}'] }]
`;
  writeFileSync(settings, `${remoteWrite}\n${scrape}`);
  const free = createServer();
  const address = await listen(free);
  await once(free.close(), 'close');
  const child = spawn(
    findPrometheus() ?? 'prometheus',
    [`--config.file=${settings}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text;
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  return { log: () => log };
}

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
