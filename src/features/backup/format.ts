// A backup is gzip of text: a line about it, then each table as PostgreSQL's COPY writes it, a line that counts the rows, and
// a checksum of everything before it. `zcat` shows all of it.
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import type { AppliedMigration } from '../../platform/db/migrations.ts';

export const FORMAT = 1;

export interface BackupHeader {
  format: number;
  /** The version that wrote it. */
  tocsin: string;
  postgres: string;
  takenAt: string;
  migrations: AppliedMigration[];
  /** Only those that were used. */
  sequences: { name: string; last: string }[];
  tables: BackupTable[];
}

export interface BackupTable {
  name: string;
  columns: string[];
  /** Made by no migration: which table it belongs to, and with what. */
  partition: { of: string; bound: string } | null;
}

/** By table. */
export type RowCounts = Record<string, number>;

/** What is wrong with a file, to be read after its name. */
export class UnusableBackup extends Error {}

export const HEADER_MARK = '-- tocsin backup ';
export const COUNTS_MARK = '-- rows ';
/** COPY escapes backslashes, so no row looks like this. */
export const END_MARK = '\\.\n';

export const copiedPart = ({ name, columns }: BackupTable): string =>
  `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`;

export const announceTable = (table: BackupTable): string => `copy ${copiedPart(table)} from stdin;\n`;

/** Not compressed, so that it is always as long. */
export const sealWith = (sha256: string): Buffer => gzipSync(`-- sha256 ${sha256}\n`, { level: 0 });

export const SEAL_BYTES = sealWith('0'.repeat(64)).length;
