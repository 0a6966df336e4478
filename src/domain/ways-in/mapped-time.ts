import type { Instant } from '../instant.ts';
import { readTime } from '../readings/telemetry.ts';
import { readByFormat } from './time-format.ts';

const UNITS_PER_MS: Record<string, number> = { s: 1 / 1_000, ms: 1, us: 1_000, ns: 1_000_000 };
const LONGEST_TIME = 200;

/** null: it cannot be read. */
export function readMappedTime(value: unknown, format: string): Instant | null {
  if (typeof value === 'string' && value.length > LONGEST_TIME) return null;
  const unit = Object.hasOwn(UNITS_PER_MS, format) ? UNITS_PER_MS[format] : undefined;
  if (unit !== undefined) {
    const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof count === 'number' ? readTime(Math.floor(count / unit)) : null;
  }
  if (typeof value !== 'string') return null;
  return readTime(format === 'iso' ? value.trim().replace(' ', 'T') : (readByFormat(value, format) ?? ''));
}
