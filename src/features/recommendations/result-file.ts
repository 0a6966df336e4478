import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { ok, type Result, refuse } from '../../domain/result.ts';

const READ_FAILURES: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read: permission denied',
  EISDIR: 'is a folder, not a file',
};

/** The text of one JSON object, to the letter; or in one line why it is none. `-` is standard input. */
export async function readResultFile(file: string): Promise<Result<string, string>> {
  const name = file === '-' ? 'Standard input' : file;
  const bytes = await readBytes(file);
  if (!bytes.ok) return refuse(`${name} ${bytes.refusal}`);
  if (!isUtf8(bytes.value)) return refuse(`${name} is not UTF-8 text: save it as UTF-8`);
  const text = bytes.value.toString('utf8').replace(/^\uFEFF/, '');
  try {
    const result: unknown = JSON.parse(text);
    const isJsonObject = typeof result === 'object' && result !== null && !Array.isArray(result);
    return isJsonObject ? ok(text) : refuse(`${name} is not a JSON object`);
  } catch {
    return refuse(`${name} is not JSON`);
  }
}

async function readBytes(file: string): Promise<Result<Buffer, string>> {
  try {
    return ok(file === '-' ? await buffer(process.stdin) : await readFile(file));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return refuse(READ_FAILURES[code] ?? `cannot be read: ${message}`);
  }
}
