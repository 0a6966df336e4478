import { ok, type Result, refuse } from '../../domain/result.ts';

const LONGEST_MINUTES = 366 * 24 * 60;

/** Minutes above 0, with or without decimals; null: nothing typed. */
export function readInterval(typed: string): Result<number | null, 'not_an_interval'> {
  const text = typed.trim();
  if (text === '') return ok(null);
  const minutes = /^[0-9]+([.][0-9]+)?$/.test(text) ? Number(text) : 0;
  return minutes > 0 && minutes <= LONGEST_MINUTES ? ok(minutes) : refuse('not_an_interval');
}
