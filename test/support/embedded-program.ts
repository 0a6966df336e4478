// Starts `embedded-holder.ts` as a process of its own, under another user if wanted, and talks with it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { nodeForEverybody } from './someone-else.ts';

export interface EmbeddedProgram {
  pid: number;
  /** Hands the program a line and answers with what it says to it. */
  ask<Answer = unknown>(line: string): Promise<Answer>;
  kill(): Promise<void>;
  /** Lets the program close the database and end. */
  finish(): Promise<void>;
}

export interface Launcher {
  node: string;
  script: string;
}

/** Puts program and node where every user can reach them. */
export async function buildEmbeddedProgram(folder: string): Promise<Launcher> {
  const script = join(folder, 'embedded-holder.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('embedded-holder.ts', import.meta.url))],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['pg-native', 'pg-cloudflare'],
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
    },
    logLevel: 'error',
  });
  await chmod(script, 0o755);
  return { node: await nodeForEverybody(folder), script };
}

export function startEmbeddedProgram(
  launcher: Launcher,
  options: { dataDir: string; packageDir: string; uid?: number; gid?: number; inside?: string[] },
): EmbeddedProgram {
  const { dataDir, packageDir, inside = [], ...user } = options;
  const [command = '', ...args] = [...inside, launcher.node, launcher.script, dataDir, packageDir];
  const child = spawn(command, args, { ...user, cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    async ask<Answer>(line: string) {
      child.stdin.write(`${line}\n`);
      const { value } = await answers.next();
      if (value === undefined) throw new Error(`the program ended instead of answering "${line}"`);
      return JSON.parse(value) as Answer;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async finish() {
      if (hasEnded(child)) return;
      child.stdin.end();
      await ended;
    },
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
