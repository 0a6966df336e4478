// The lines of an import that were refused: the first ones are shown, all of them can be kept in a file.
import { type FileHandle, open } from 'node:fs/promises';

export interface RefusedLines {
  add(refused: ReadonlyMap<number, readonly string[]>): Promise<void>;
  close(): Promise<void>;
}

const MOST_SHOWN = 100;

/** `isContinued`: the file goes on where the import that was interrupted left it. */
export async function openRefusedLines(
  path: string | null,
  isContinued: boolean,
  say: (line: string) => void,
): Promise<RefusedLines> {
  const file = path === null ? null : await open(path, isContinued ? 'a' : 'w');
  if (file && (await file.stat()).size === 0) await file.appendFile('line,reason\n');
  let shown = 0;
  return {
    async add(refused) {
      const lines = [...refused].sort(([one], [other]) => one - other);
      for (const [line, reasons] of lines) {
        if (shown === MOST_SHOWN) say('More lines were refused; they are not shown here.');
        if (shown < MOST_SHOWN) say(`line ${line}: ${toOneLine(reasons.join('; '))}`);
        shown += 1;
      }
      await append(file, lines);
    },
    close: async () => file?.close(),
  };
}

const append = async (file: FileHandle | null, lines: (readonly [number, readonly string[]])[]) =>
  file?.appendFile(
    lines.map(([line, reasons]) => `${line},${quote(toOneLine(reasons.join('; ')))}\n`).join(''),
  );

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Cells may hold line breaks and terminal codes. */
const toOneLine = (text: string) =>
  text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
