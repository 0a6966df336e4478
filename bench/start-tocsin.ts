import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../src/platform/project-root.ts';

/** The program as people start it, on this data folder. */
export async function startTocsin(dataDir: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(
    process.execPath,
    [...(process.env.BENCH_NODE_ARGS?.split(' ') ?? []), join(projectRoot, 'bin/tocsin.js'), 'serve'],
    {
      env: { ...process.env, TOCSIN_DATA: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const url = await new Promise<string>((resolve) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      const listening = /listens on (\S+)/.exec(said);
      if (listening?.[1]) resolve(listening[1]);
    });
  });
  return { url, child };
}
