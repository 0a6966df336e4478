import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runProgram } from './run-program.ts';
import { readServer } from './server-file.ts';
import { isServerProcess } from './server-process.ts';
import type { Station } from './station.ts';

const PATIENCE_MS = 30_000;

/** Shuts the server down, open connections or not, and waits until it is gone. */
export async function stopServer(station: Station): Promise<void> {
  const { place, say } = station;
  const server = await readServer(place.cluster);
  // A server in another container cannot be signalled from here; it stops with its container.
  if (server.state === 'absent' || !(await isServerProcess(place.cluster, server.pid))) return;
  await requestFastShutdown(station, server.pid);
  if (await isGoneWithin(PATIENCE_MS, station, server.pid)) return;
  say('The embedded database does not stop; ending it. It will repair itself at the next start.');
  signal(server.pid, 'SIGQUIT');
  if (await isGoneWithin(PATIENCE_MS, station, server.pid)) return;
  say(`The embedded database (process ${server.pid}) still runs; giving up on it.`);
}

async function requestFastShutdown(station: Station, pid: number): Promise<void> {
  if (process.platform !== 'win32') return signal(pid, 'SIGINT');
  // Node can only terminate processes on Windows; pg_ctl knows how to ask.
  const pgCtl = join(await station.binaries(), 'pg_ctl');
  await runProgram(station.place, pgCtl, ['stop', '-m', 'fast', '-W', '-D', station.place.cluster]);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself meanwhile.
  }
}

async function isGoneWithin(limitMs: number, { place }: Station, pid: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    const server = await readServer(place.cluster);
    const isReplaced = server.state === 'absent' || server.pid !== pid;
    if (isReplaced && !(await isServerProcess(place.cluster, pid))) return true;
    await pause(20);
  }
  return false;
}
