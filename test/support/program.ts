// The real program as a child process, the way people start it.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { projectRoot } from '../../src/platform/project-root.ts';

type Environment = Record<string, string>;

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Serving {
  url: string;
  process: ChildProcess;
  said(): string;
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

/** A data folder for one test, empty or a copy, open to the database's user when root runs the tests. */
export async function makeDataDir(original?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-program-'));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  // Owners have to come along, which only cp does.
  if (original) await promisify(execFile)('cp', ['-a', original, dataDir]);
  return dataDir;
}

const PROGRAM = [process.execPath, join(projectRoot, 'bin/tocsin.js')];
const NPM_START = ['npm', 'start', '--silent', '--'];

/** Another program than the checkout's, or another user. */
export interface Start {
  command?: string[];
  cwd?: string;
  uid?: number;
  gid?: number;
}

function start(args: string[], env: Environment, { command = PROGRAM, ...how }: Start = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, ...args], {
    // A test signals and kills the program itself, and looks at its memory.
    env: { PATH, HOME, LOG_LEVEL: 'warn', TOCSIN_RESTART: 'false', ...env },
    cwd: projectRoot,
    ...how,
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text;
  });
  const finished = once(child, 'close').then(([code]): Finished => ({ code, ...output }));
  return { child, output, finished };
}

/** Runs a command to its end. */
export async function runCommand(
  args: string[],
  env: Environment,
  input = '',
  how: Start = {},
): Promise<Finished> {
  const { child, finished } = start(args, env, how);
  child.stdin.end(input);
  return finished;
}

/** Starts the service on a free port and waits until it says that it listens. */
export const startServing = (env: Environment, args: string[] = [], how: Start = {}): Promise<Serving> =>
  waitUntilListening(start(['serve', ...args], { PORT: '0', ...env }, how));

/** The same by the README's command. */
export const startByNpm = (env: Environment): Promise<Serving> =>
  waitUntilListening(start([], { PORT: '0', TOCSIN_RESTART: 'true', ...env }, { command: NPM_START }));

async function waitUntilListening({ child, output, finished }: ReturnType<typeof start>): Promise<Serving> {
  const url = await Promise.race([
    new Promise<string>((resolve) => {
      child.stdout.on('data', () => {
        const listening = /(?:listens on|runs as) (\S+)/.exec(output.stdout);
        if (listening?.[1]) resolve(listening[1]);
      });
    }),
    finished.then(({ stdout, stderr }): never => {
      throw new Error(`The program ended instead of listening: ${stdout}${stderr}`);
    }),
  ]);
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return finished;
  };
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await stop();
  });
  return { url, process: child, said: () => output.stdout, stop };
}
