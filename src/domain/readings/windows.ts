import { DAY_MS, type Span } from './span.ts';

interface DayCount {
  /** Since the epoch. */
  day: number;
  count: number;
}

/**
 * A long span in pieces, one after the other without a gap, so that each holds about `most` readings, or those of one day
 * where that holds more. `counts`: days with readings, ascending.
 */
export function cutIntoWindows(span: Span, counts: readonly DayCount[], most: number): Span[] {
  const cuts: number[] = [];
  let held = 0;
  for (const { day, count } of counts) {
    if (held > 0 && held + count > most) {
      cuts.push(day * DAY_MS);
      held = 0;
    }
    held += count;
  }
  const inside = cuts.filter((cut) => cut > span.from && cut < span.to);
  const ends = [...inside, span.to];
  return ends.map((to, index) => ({ from: ends[index - 1] ?? span.from, to }));
}
