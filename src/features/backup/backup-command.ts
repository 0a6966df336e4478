// `tocsin backup`: writes a backup, or looks whether one is whole.

import type { Readable, Writable } from 'node:stream';
import { english } from '../../domain/language/english.ts';
import type { Database } from '../../platform/db/database.ts';
import { formatBytes } from '../../platform/format-bytes.ts';
import { writeWholeFile } from '../../platform/whole-file.ts';
import { openProgress } from './progress.ts';
import { findSource, readSource } from './read-source.ts';
import { type CommandDeps, type ExitCode, runToEnd } from './run-to-end.ts';
import { takeSnapshot } from './take-snapshot.ts';
import { verifyBackup } from './verify-backup.ts';
import { writeBackup } from './write-backup.ts';

export interface BackupCommand {
  /** A path, or - for standard output or input. */
  file: string;
  isJson: boolean;
}

export const runBackup = (
  deps: CommandDeps & { db: Database; stdout: Writable },
  { file, isJson }: BackupCommand,
): Promise<ExitCode> =>
  runToEnd(deps, async (seconds) => {
    const { db, clock, out, bar, signal, stdout } = deps;
    const progress = openProgress(bar, clock, 'Backing up');
    const watch = { onRead: progress.update, signal };
    const written = await db
      .alone(async (session) => {
        const snapshot = await takeSnapshot(session, clock());
        const write = (sink: Writable) => writeBackup(session, snapshot, sink, watch);
        return file === '-' ? write(stdout) : writeWholeFile(file, write);
      })
      .finally(progress.end);
    // Standard output is the backup itself.
    const tell = file === '-' ? out.stderr : out.stdout;
    const { rows, tables, bytes } = written;
    if (isJson) tell(JSON.stringify({ file, ...written, seconds: seconds() }));
    else
      tell(
        `${file}: ${rows} rows of ${tables} tables in ${formatBytes(bytes, english)}, ${seconds()} seconds.`,
      );
  });

export const runVerify = (
  deps: CommandDeps & { stdin: Readable },
  { file, isJson }: BackupCommand,
): Promise<ExitCode> =>
  runToEnd(deps, async (seconds) => {
    const { out, stdin } = deps;
    const source = await findSource(file, stdin);
    const { header, rows } = await readSource(deps, source, 'Checking', verifyBackup);
    const { takenAt, tocsin, postgres, tables } = header;
    const facts = { taken_at: takenAt, tocsin, postgres, tables: tables.length, rows };
    if (isJson) out.stdout(JSON.stringify({ file, ...facts, seconds: seconds() }));
    else
      out.stdout(
        `${source.name} is whole: ${rows} rows of ${tables.length} tables, taken ${takenAt} by Tocsin ${tocsin} on PostgreSQL ${postgres}.`,
      );
  });
