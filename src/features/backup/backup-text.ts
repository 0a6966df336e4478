// The text of a backup as it comes, in pieces of any size: lines, and rows until their end mark.
import { END_MARK, UnusableBackup } from './format.ts';

export interface BackupText {
  /** What follows a mark at the beginning of the next line. */
  line(mark: string): Promise<string>;
  /** Rows, in pieces of any size. */
  rows(): AsyncGenerator<Buffer>;
  /** Nothing may follow. */
  end(): Promise<void>;
}

export const DAMAGED = 'is damaged: its checksum does not fit';
export const NOT_A_BACKUP = 'is not a backup of Tocsin';

const LONGEST_LINE = 64 * 1024 * 1024;
const NEWLINE = Buffer.from('\n');
const AFTER_ROWS = Buffer.from(`\n${END_MARK}`);

export function readText(pieces: AsyncIterable<Buffer>): BackupText {
  const iterator = pieces[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let lines = 0;

  const complain = () => new UnusableBackup(lines === 0 ? NOT_A_BACKUP : DAMAGED);
  /** Answers whether there was more. */
  const readOn = async (): Promise<boolean> => {
    const { value, done } = await iterator.next().catch((error: Error & { code?: string }) => {
      throw error.code?.startsWith('Z_') ? complain() : error;
    });
    if (!done) rest = rest.length > 0 ? Buffer.concat([rest, value]) : value;
    return !done;
  };

  return {
    async line(mark) {
      const wanted = Buffer.from(mark);
      for (;;) {
        const end = rest.indexOf(NEWLINE);
        const begin = rest.subarray(0, Math.min(wanted.length, end >= 0 ? end : rest.length));
        if (!begin.equals(wanted.subarray(0, begin.length))) throw complain();
        if (end >= wanted.length) {
          const line = rest.toString('utf8', wanted.length, end);
          rest = rest.subarray(end + 1);
          lines += 1;
          return line;
        }
        if (end >= 0 || rest.length > LONGEST_LINE || !(await readOn())) throw complain();
      }
    },

    async *rows() {
      // As if a row came before the first: then the mark always stands behind a newline.
      rest = Buffer.concat([NEWLINE, rest]);
      for (let begin = 1; ; ) {
        const mark = rest.indexOf(AFTER_ROWS);
        // A mark may have begun in the last bytes.
        const until = mark >= 0 ? mark + 1 : rest.length - AFTER_ROWS.length + 1;
        if (until > begin) {
          yield rest.subarray(begin, until);
          begin = 0;
        }
        if (mark >= 0) {
          rest = rest.subarray(mark + AFTER_ROWS.length);
          return;
        }
        if (begin === 0) rest = rest.subarray(Math.max(0, until));
        if (!(await readOn())) throw complain();
      }
    },

    async end() {
      if (rest.length > 0 || (await readOn())) throw complain();
    },
  };
}
