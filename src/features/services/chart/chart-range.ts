// The span of time that a chart or an export is about, as its address says it.
import { message } from '../../../domain/language/message.ts';
import { parseTypedTime } from '../../../domain/local-time.ts';
import { HOUR_MS } from '../../../domain/readings/span.ts';
import { ok, type Result, refuse } from '../../../domain/result.ts';

export const RANGES = {
  // For translators: spans of time to choose from: hours, days, a year
  '1h': [message('1 h'), HOUR_MS],
  '6h': [message('6 h'), 6 * HOUR_MS],
  '24h': [message('24 h'), 24 * HOUR_MS],
  '7d': [message('7 d'), 7 * 24 * HOUR_MS],
  '30d': [message('30 d'), 30 * 24 * HOUR_MS],
  '1y': [message('1 y'), 365 * 24 * HOUR_MS],
} as const;
export type RangeName = keyof typeof RANGES;

export interface ChartRange {
  from: Date;
  /** Exclusive. */
  to: Date;
  /** null: chosen by hand. */
  name: RangeName | null;
}

export type RangeFault = 'unparsable_from' | 'unparsable_to' | 'from_not_before_to';

export const RANGE_FAULTS = {
  unparsable_from: message(
    '`from` is not a time. Write it like 2026-11-15 or 2026-11-15T02:00, with Z or +01:00 if it is not in your own zone.',
  ),
  unparsable_to: message(
    '`to` is not a time. Write it like 2026-11-15 or 2026-11-15T02:00, with Z or +01:00 if it is not in your own zone.',
  ),
  from_not_before_to: message('`from` has to be before `to`.'),
} satisfies Record<RangeFault, string>;

type Query = Record<string, string | undefined>;

/** `from` and `to` beat `range`. What is left out: up to now, and as long as `unlessGiven`. */
export function readRange(
  query: Query,
  { now, timeZone, unlessGiven }: { now: Date; timeZone: string; unlessGiven: RangeName },
): Result<ChartRange, RangeFault> {
  const name = readRangeName(query.range) ?? unlessGiven;
  const { from: fromText = '', to: toText = '' } = query;
  if (fromText === '' && toText === '')
    return ok({ from: new Date(now.getTime() - RANGES[name][1]), to: now, name });
  const to = toText === '' ? ok(now) : parseTypedTime(toText, timeZone);
  if (!to.ok) return refuse('unparsable_to');
  const from =
    fromText === '' ? ok(new Date(to.value.getTime() - RANGES[name][1])) : parseTypedTime(fromText, timeZone);
  if (!from.ok) return refuse('unparsable_from');
  if (from.value >= to.value) return refuse('from_not_before_to');
  return ok({ from: from.value, to: to.value, name: null });
}

const readRangeName = (text: string | undefined): RangeName | null =>
  text !== undefined && Object.hasOwn(RANGES, text) ? (text as RangeName) : null;
