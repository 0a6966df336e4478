// A real mosquitto, where one is installed: apt-get install mosquitto.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findQuietPort } from './quiet-ports.ts';

export const NO_MOSQUITTO =
  'Tests with mosquitto are skipped: it is not installed (apt-get install mosquitto).\n';

/** Debian keeps it where only root looks. */
export const findMosquitto = (): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, 'mosquitto'))
    .find((path) => existsSync(path));

export interface Mosquitto {
  port: number;
  url: string;
  /** It keeps what it has, and starts with it. */
  restart(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** With all that it kept. */
  remove(): Promise<void>;
}

export async function startMosquitto(lines: string[] = []): Promise<Mosquitto> {
  const program = findMosquitto();
  if (!program) throw new Error(NO_MOSQUITTO);
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-mosquitto-'));
  const port = await findQuietPort();
  const settings = join(folder, 'mosquitto.conf');
  writeFileSync(
    settings,
    `listener ${port} 127.0.0.1
allow_anonymous true
user root
persistence true
persistence_location ${folder}/
autosave_interval 1
max_queued_messages 0
${lines.join('\n')}
`,
  );
  let child: ChildProcess | null = null;
  const start = async () => {
    child = spawn(program, ['-c', settings], { stdio: 'ignore' });
    await untilListening(port);
  };
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    const ending = child;
    child = null;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    ending.kill(signal);
    await once(ending, 'exit');
  };
  await start();
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    stop,
    async restart() {
      await stop();
      await start();
    },
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const socket = createConnection(port, '127.0.0.1');
    const isThere = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isThere) return;
    await sleep(50);
  }
  throw new Error('mosquitto does not listen');
}
