// The file of last words, as the parent holds it. It has no name: it goes with its last holder.
import { randomUUID } from 'node:crypto';
import { ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LastWords, readLastWords, WORDS_BYTES } from './last-words.ts';

interface LastWordsFile {
  /** null: there is no room for one. */
  fd: number | null;
  clear(): void;
  read(): LastWords;
}

export function openLastWords(): LastWordsFile {
  const fd = openNameless();
  return {
    fd,
    clear: () => void (fd === null || ftruncateSync(fd, 0)),
    read() {
      const bytes = Buffer.alloc(WORDS_BYTES);
      if (fd !== null) readSync(fd, bytes, 0, bytes.length, 0);
      return readLastWords(bytes);
    },
  };
}

function openNameless(): number | null {
  try {
    const path = join(tmpdir(), `tocsin-${randomUUID()}`);
    const fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return fd;
  } catch {
    return null;
  }
}
