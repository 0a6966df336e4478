import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errorCode } from './embedded-database-error.ts';
import { isAlive } from './leftovers.ts';

/** Whether this process is a PostgreSQL server of this cluster, and not whoever got its pid after it. */
export async function isServerProcess(cluster: string, pid: number): Promise<boolean> {
  if (pid === 0 || !isAlive(pid)) return false;
  if (process.platform === 'linux') return isLinuxServer(cluster, pid);
  if (process.platform === 'win32')
    return (await output('tasklist', '/NH', '/FI', `PID eq ${pid}`)).includes('postgres');
  return (await output('ps', '-ww', '-o', 'command=', '-p', String(pid))).includes(cluster);
}

async function isLinuxServer(cluster: string, pid: number): Promise<boolean> {
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === cluster;
  } catch (error) {
    // Root in a container may not look into other users' processes, but sees their arguments.
    if (errorCode(error) !== 'EACCES') return false;
    const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return args.split('\0').includes(cluster);
  }
}

async function output(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args).catch(() => ({ stdout: '' }));
  return stdout;
}
