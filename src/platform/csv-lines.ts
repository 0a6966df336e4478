import { writeCsvText } from './csv.ts';

export type CsvCell = string | number | null;

export const minutes = (ms: number | null): number | null =>
  ms === null ? null : Math.round(ms / 600) / 100;

/** A number is no formula, also below zero. */
const writeCell = (cell: CsvCell): string =>
  typeof cell === 'number' ? String(cell) : writeCsvText(cell ?? '');

export const writeLine = (cells: CsvCell[]): string => `${cells.map(writeCell).join(',')}\r\n`;
