// The program as it was before, built from the repository's history.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../src/platform/project-root.ts';
import { CHECKOUT } from './installation.ts';
import { whenFileIsDone } from './when-file-is-done.ts';

const run = promisify(execFile);
const git = async (...args: string[]): Promise<string> =>
  (await run('git', args, { cwd: projectRoot })).stdout.trim();

/** What was mended before anybody had it is no version that anybody comes from. */
const MOST_COMMITS_BACK = 200;

/**
 * TOCSIN_EARLIER, else the last commit before the newest migration whose migrations are still what they were, or the last
 * commit where that is not committed yet. null: there is no history, as in a packed program or a shallow clone.
 */
export async function findEarlier(): Promise<string | null> {
  const named = process.env.TOCSIN_EARLIER;
  if (named) return named;
  try {
    if ((await git('status', '--porcelain', 'migrations')) !== '') return await git('rev-parse', 'HEAD');
    const newest = await git('log', '-1', '--diff-filter=A', '--format=%H', '--', 'migrations');
    const before = await git('rev-list', `--max-count=${MOST_COMMITS_BACK}`, `${newest}^`);
    for (const commit of before.split('\n'))
      if ((await git('diff', '--name-only', '--diff-filter=MD', commit, 'HEAD', '--', 'migrations')) === '')
        return commit;
    return null;
  } catch {
    return null;
  }
}

/** The command that runs it, and the migrations that it knows. */
export async function buildEarlier(commit: string): Promise<{ command: string[]; migrations: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-earlier-'));
  whenFileIsDone(() => rm(folder, { recursive: true, force: true }));
  const target = join(folder, 'program');
  await mkdir(target);
  const archive = join(folder, 'program.tar');
  // What a checkout has today, that one need not have had.
  const had = await git('ls-tree', '--name-only', commit, '--', 'lists', ...CHECKOUT);
  await git('archive', '--output', archive, commit, ...had.split('\n'));
  await run('tar', ['-xf', archive, '-C', target]);
  await symlink(join(projectRoot, 'node_modules'), join(target, 'node_modules'));
  return {
    command: [process.execPath, join(target, 'bin/tocsin.js')],
    migrations: await readdir(join(target, 'migrations')),
  };
}
