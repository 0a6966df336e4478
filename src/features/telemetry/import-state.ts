// How far an import came, kept beside the file: whoever starts it again goes on from there.
import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/** Of which file, and whose readings they are. Any difference, and the state is not about this import. */
export interface ImportIdentity {
  size: number;
  mtimeMs: number;
  organization: string;
  target: string | null;
}

interface ImportCounts {
  accepted: number;
  duplicates: number;
  refused: number;
}

export interface ImportPosition extends ImportCounts {
  /** Bytes whose readings are committed. */
  offset: number;
  /** The line that begins there. */
  line: number;
}

export interface ImportMemory {
  /** 'other': there is a state, but of another file or for other readings. */
  recall(): Promise<ImportPosition | 'none' | 'other'>;
  /** False when the folder does not let us write. */
  keep(position: ImportPosition): Promise<boolean>;
  drop(): Promise<void>;
}

export function rememberImport(file: string, identity: ImportIdentity): ImportMemory {
  const path = `${file}.tocsin-import`;
  return {
    async recall() {
      const stored = await readFile(path, 'utf8').then(parse, () => null);
      if (stored === null) return 'none';
      const isSame = Object.entries(identity).every(([name, value]) => stored[name] === value);
      return isSame && isPosition(stored, identity.size) ? stored : 'other';
    },
    async keep(position) {
      const aside = `${path}.${process.pid}`;
      try {
        // Moved in whole: whatever ends the program, there is a readable state.
        await writeFile(aside, `${JSON.stringify({ ...identity, ...position })}\n`);
        await rename(aside, path);
        return true;
      } catch {
        await rm(aside, { force: true }).catch(() => {});
        return false;
      }
    },
    drop: () => rm(path, { force: true }).catch(() => {}),
  };
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isPosition(stored: object, size: number): stored is ImportPosition {
  const { offset, line, accepted, duplicates, refused } = stored as ImportPosition;
  return [offset, line, accepted, duplicates, refused].every(Number.isSafeInteger) && offset <= size;
}
