// Runs the PostgreSQL programs: as the server's user, and without the secrets of this program's environment.
import { type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { EmbeddedDatabaseError, errorCode } from './embedded-database-error.ts';
import type { ClusterPlace } from './settle-place.ts';

const KEPT_VARIABLES = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'LD_LIBRARY_PATH'];

export function spawnOptions(place: ClusterPlace): SpawnOptions {
  const kept = KEPT_VARIABLES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    // The program's own folder may be closed to the server's user.
    cwd: place.home,
    env: { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' },
    windowsHide: true,
    ...(place.account ? { uid: place.account.uid, gid: place.account.gid } : {}),
  };
}

/** Runs a program to its end; `input` goes to its standard input. */
export async function runProgram(
  place: ClusterPlace,
  program: string,
  args: string[],
  input = '',
): Promise<void> {
  const child = spawn(program, args, { ...spawnOptions(place), stdio: ['pipe', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  // A program that ends early closes its input: its exit code says more than this error.
  child.stdin?.on('error', () => {}).end(input);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(explainSpawnFailure(error, program, place)));
    child.once('close', resolve);
  });
  if (exitCode !== 0) {
    const reason = lastComplaint(complaints) ?? `exit code ${exitCode}`;
    throw new EmbeddedDatabaseError(`The embedded database could not be created: ${reason}`);
  }
}

/** The line of PostgreSQL's output that says what went wrong. */
export function lastComplaint(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const line = lines.findLast((text) => /\b(FATAL|PANIC|ERROR|error):/.test(text)) ?? lines.at(-1);
  return line?.replace(/^.*?\b(FATAL|PANIC|ERROR|error):\s*/, '').trim();
}

export function explainSpawnFailure(
  error: Error,
  program: string,
  place: ClusterPlace,
): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(`The embedded database cannot be run: ${explain(error, program, place)}`, {
    cause: error,
  });
}

function explain(error: Error, program: string, place: ClusterPlace): string {
  const code = errorCode(error);
  if (code === 'ENOENT' && existsSync(program)) {
    return 'its binaries need glibc, which this system (Alpine?) does not have. Set DATABASE_URL to a PostgreSQL server.';
  }
  if (code === 'EACCES') return `${program} may not be executed here (is its file system mounted noexec?).`;
  if (place.account && (code === 'EPERM' || code === 'EINVAL')) {
    return `root is not allowed to switch to the user ${place.account.name} here. Run as an ordinary user, or set DATABASE_URL.`;
  }
  return error.message;
}
