// A metric of OpenTelemetry, whichever encoding it came in.
import type { Instant } from '../instant.ts';

/** Attributes of a point or of what it was measured on: names and values in turn. */
export type Attributes = string[];

export interface MetricPoint {
  attributes: Attributes;
  at: Instant;
  /** null: the point says that there is none. */
  value: number | null;
}

export interface Metric {
  name: string;
  unit: string;
  resource: Attributes;
  /** What is neither gauge nor sum: so many points cannot be taken. */
  strange: number;
  points: MetricPoint[];
}

/** What a request is read as, one after the other; null: here others may be answered. */
export type OtlpPieces = Generator<Metric | BadMetric | null>;

/** Names and values, of a point or of what it was measured on. */
export const MOST_ATTRIBUTES = 2_000;

/** Something that is no metric; the rest goes on. */
export interface BadMetric {
  fault: string;
}

/** Set in its flags: a point without a value. */
export const NO_RECORDED_VALUE = 1;
export const NANOSECONDS_PER_MS = 1_000_000n;
