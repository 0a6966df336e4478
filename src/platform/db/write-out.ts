import pg from 'pg';
import type { Sql } from 'sql-template-tag';

/**
 * A statement with its values as literals. Several statements travel in one message only without bound values; the
 * literals are quoted by the driver, so that a value stays a value.
 */
export function writeOut({ strings, values }: Sql): string {
  return strings.reduce((text, part, index) => text + toLiteral(values[index - 1]) + part);
}

export function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return `'${value}'`;
  // The driver looks at every character, and most of what comes here is long lists of numbers.
  if (typeof value === 'string') return /['\\]/.test(value) ? pg.escapeLiteral(value) : `'${value}'`;
  if (value instanceof Date) return `${pg.escapeLiteral(value.toISOString())}::timestamptz`;
  if (Array.isArray(value) && value.every((one) => typeof one === 'number')) return `'{${value.join(',')}}'`;
  throw new TypeError('A value of this kind cannot be written out: bind it');
}
