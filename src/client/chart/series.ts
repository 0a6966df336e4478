// What the server answers about one channel. Instants are epoch milliseconds.
import type { OverCurve } from '../../domain/chart/over-scale.ts';
import type { BandName } from '../../domain/judging/band.ts';

export interface ChartData {
  label: string;
  unit: string | null;
  kind: 'metric' | 'setpoint' | 'state' | 'diagnostic';
  words: { off: string; on: string } | null;
  from: number;
  to: number;
  stepMs: number | null;
  at: number[];
  min: number[];
  max: number[];
  mean: number[];
  setpoint: { label: string; at: number[]; value: number[] } | null;
  over: OverCurve[];
  limits: { band: BandName; value: number; from: number; to: number }[];
  spans: { kind: 'critical' | 'warning' | 'stale' | 'downtime' | 'damaged'; from: number; to: number }[];
  marks: { at: number; words: string }[];
}

/** Which channel, and ids of those over it. */
export interface Channels {
  channel: string;
  over: string;
}

/** A named span that ends now, or one from and to an instant. */
export type Span = { range: string } | { from: number; to: number };

/** As an address says it; the same on the page and for the data. */
export function writeSpan(span: Span): Record<string, string> {
  if ('range' in span) return { range: span.range };
  const write = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
  return { from: write(span.from), to: write(span.to) };
}

/** null: the session is over. */
export async function fetchSeries(
  address: string,
  channels: Channels,
  span: Span,
  signal: AbortSignal,
): Promise<ChartData | null> {
  const answer = await fetch(`${address}?${new URLSearchParams({ ...channels, ...writeSpan(span) })}`, {
    signal,
  });
  if (answer.redirected || answer.status === 401) return null;
  if (!answer.ok) throw new Error(`The chart was answered with ${answer.status}`);
  return (await answer.json()) as ChartData;
}
