import { readFile } from 'node:fs/promises';
import type { Requester } from '../../domain/accounts/requester.ts';
import { ok, type Result, refuse } from '../../domain/result.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Output, readAllInput } from '../../platform/terminal.ts';
import { applyLabFile } from './apply-lab-file.ts';
import type { LabFileFault } from './read/faults.ts';

export interface ApplyCommand {
  /** A path, or - for standard input. */
  file: string;
  isDryRun: boolean;
  isJson: boolean;
}

/** Answers with the exit code. */
export async function runApply(
  { db, requester, now }: { db: Database; requester: Requester; now: Date },
  { file, isDryRun, isJson }: ApplyCommand,
  out: Output,
): Promise<0 | 1> {
  const fileName = file === '-' ? 'standard input' : file;
  const text = await readText(file);
  if (!text.ok) {
    out.stderr(`${fileName} ${text.refusal}`);
    return 1;
  }
  const applied = await applyLabFile(db, requester, { text: text.value, fileName, isDryRun }, now);
  if (!applied.ok) {
    for (const fault of applied.refusal) out.stderr(toOneLine(describeFault(fileName, fault)));
    out.stderr('Nothing was saved.');
    return 1;
  }
  const { changes, ids } = applied.value;
  if (isJson) {
    out.stdout(JSON.stringify(ids));
    return 0;
  }
  for (const change of changes) out.stdout(toOneLine(change));
  if (changes.length === 0) out.stdout('Nothing to change.');
  if (isDryRun) out.stdout('Dry run: nothing was saved.');
  return 0;
}

const READ_FAILURES: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read: permission denied',
  EISDIR: 'is a folder, not a lab file',
};

async function readText(file: string): Promise<Result<string, string>> {
  try {
    const text = file === '-' ? await readAllInput() : await readFile(file, 'utf8');
    // What a text in another encoding turns into, mostly at the ° of °C.
    if (text.includes('\uFFFD')) return refuse('is not UTF-8 text: save it as UTF-8');
    return ok(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return refuse(READ_FAILURES[code] ?? `cannot be read: ${message}`);
  }
}

const describeFault = (fileName: string, { line, column, path, message }: LabFileFault): string =>
  [`${fileName}:${line}:${column}`, ...(path === '' ? [] : [path]), message].join(': ');

/** Names may hold line breaks and terminal codes. */
const toOneLine = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
