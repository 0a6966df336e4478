// The readings of one channel, as the advisors take them: a month of minutes fits in two arrays of numbers.
import type { Measurement } from '../judging/measurement.ts';
import type { Span } from '../readings/span.ts';

export type { Span } from '../readings/span.ts';

/** Ascending epoch milliseconds and the values measured then; both of the same length. */
export interface ChannelHistory {
  at: Float64Array;
  value: Float64Array;
}

export function keepReadings(history: ChannelHistory, isKept: (index: number) => boolean): ChannelHistory {
  const at = new Float64Array(history.at.length);
  const value = new Float64Array(history.at.length);
  let kept = 0;
  for (let index = 0; index < history.at.length; index += 1) {
    if (!isKept(index)) continue;
    at[kept] = history.at[index] as number;
    value[kept] = history.value[index] as number;
    kept += 1;
  }
  return { at: at.subarray(0, kept), value: value.subarray(0, kept) };
}

/** Sorted and without overlaps. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else if (from < to) merged.push({ from, to });
  }
  return merged;
}

export function withoutSpans(history: ChannelHistory, spans: readonly Span[]): ChannelHistory {
  const merged = mergeSpans(spans);
  let next = 0;
  return keepReadings(history, (index) => {
    const at = history.at[index] as number;
    while (next < merged.length && (merged[next] as Span).to <= at) next += 1;
    const span = merged[next];
    return span === undefined || at < span.from;
  });
}

export const within = (history: ChannelHistory, { from, to }: Span): ChannelHistory =>
  keepReadings(history, (index) => {
    const at = history.at[index] as number;
    return at >= from && at < to;
  });

/** The channels' readings as the judge takes them: in order of time, those of one time together. */
export function* mergeMeasurements(histories: ReadonlyMap<string, ChannelHistory>): Generator<Measurement> {
  const cursors = [...histories].map(([channel, history]) => ({ channel, history, index: 0 }));
  for (;;) {
    let at = Number.POSITIVE_INFINITY;
    for (const { history, index } of cursors) at = Math.min(at, history.at[index] ?? at);
    if (at === Number.POSITIVE_INFINITY) return;
    const values: [string, number][] = [];
    for (const cursor of cursors) {
      const { channel, history } = cursor;
      if (history.at[cursor.index] !== at) continue;
      values.push([channel, history.value[cursor.index] as number]);
      // The same time twice: the first is kept.
      while (history.at[cursor.index] === at) cursor.index += 1;
    }
    yield { at, values };
  }
}
