import { DAMAGED } from './backup-text.ts';
import { type BackupHeader, type RowCounts, UnusableBackup } from './format.ts';
import { type OnBytes, openBackup } from './open-backup.ts';

export interface VerifiedBackup {
  header: BackupHeader;
  rows: number;
}

/** Reads all of it, as a restore would, and counts. */
export async function verifyBackup(source: AsyncIterable<Buffer>, onBytes: OnBytes): Promise<VerifiedBackup> {
  const backup = await openBackup(source, onBytes);
  const counted: RowCounts = {};
  for (const table of backup.header.tables) {
    let lines = 0;
    for await (const rows of backup.rowsOf(table)) lines += countLines(rows);
    counted[table.name] = lines;
  }
  return { header: backup.header, rows: compareCounts(counted, await backup.finish()) };
}

/** Answers with the sum. */
export function compareCounts(counted: RowCounts, stated: RowCounts): number {
  for (const [table, rows] of Object.entries(counted)) {
    if (stated[table] !== rows) throw new UnusableBackup(DAMAGED);
  }
  return Object.values(counted).reduce((sum, rows) => sum + rows, 0);
}

function countLines(rows: Buffer): number {
  let lines = 0;
  for (let at = rows.indexOf(10); at >= 0; at = rows.indexOf(10, at + 1)) lines += 1;
  return lines;
}
