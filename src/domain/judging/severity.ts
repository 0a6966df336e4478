/** What a value alarm can be. Stale stands beside it, see staleness.ts. */
export type Severity = 'normal' | 'warning' | 'critical';

const RANK: Record<Severity, number> = { normal: 0, warning: 1, critical: 2 };

export const isWorse = (one: Severity, other: Severity): boolean => RANK[one] > RANK[other];
