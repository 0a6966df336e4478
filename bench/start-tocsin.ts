import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../src/platform/project-root.ts';

/** The program as people start it, on the data folder or the database that the environment names. */
export async function startTocsin(
  env: Record<string, string>,
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(
    process.execPath,
    [...(process.env.BENCH_NODE_ARGS?.split(' ') ?? []), join(projectRoot, 'bin/tocsin.js'), 'serve'],
    {
      env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', TOCSIN_RESTART: 'false', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      const listening = /listens on (\S+)/.exec(said);
      if (listening?.[1]) resolve(listening[1]);
    });
    child.once('exit', () => reject(new Error(`The program ended instead of listening: ${said}`)));
  });
  return { url, child };
}

/** Ends programs the way people do. */
export async function stopAll(children: ChildProcess[]): Promise<void> {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(
    children.map(
      (child) => child.exitCode ?? child.signalCode ?? new Promise((resolve) => child.once('exit', resolve)),
    ),
  );
}
