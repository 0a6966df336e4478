// What people see of a result besides its bands. Programs of others may deliver anything: shown is what can be shown.
import type { BacktestFigures } from '../../domain/advisor/recommendation.ts';

/** One paragraph each; a string, a list, or something odd. */
export function readReasoning(result: object): string[] {
  const { reasoning } = result as { reasoning?: unknown };
  return [reasoning]
    .flat()
    .map(asText)
    .filter((text) => text.trim() !== '');
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    // Nested deeper than the stack.
    return '';
  }
}

export interface ShownBacktest {
  /** null: the result does not say, or not so that it can be read. */
  from: Date | null;
  to: Date | null;
  readings: number | null;
  current: BacktestFigures;
  proposed: BacktestFigures;
}

/** null: there is none, or its figures cannot be read. */
export function readBacktest(result: object): ShownBacktest | null {
  const { backtest } = result as { backtest?: unknown };
  if (!isObject(backtest)) return null;
  const current = readFigures(backtest.current);
  const proposed = readFigures(backtest.proposed);
  if (!current || !proposed) return null;
  const { readings } = backtest;
  return {
    from: readDate(backtest.from),
    to: readDate(backtest.to),
    readings: isFiniteNumber(readings) ? readings : null,
    current,
    proposed,
  };
}

function readFigures(figures: unknown): BacktestFigures | null {
  if (!isObject(figures)) return null;
  const { alarms, alarm_minutes, longest_minutes } = figures;
  return isFiniteNumber(alarms) && isFiniteNumber(alarm_minutes) && isFiniteNumber(longest_minutes)
    ? { alarms, alarm_minutes, longest_minutes }
    : null;
}

function readDate(value: unknown): Date | null {
  const isWritten = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  const at = isWritten ? new Date(value) : null;
  return at && !Number.isNaN(at.getTime()) ? at : null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);
