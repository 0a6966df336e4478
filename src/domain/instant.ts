/** design.md 3.2: `2026-11-15T02:00:00.000+00:00`, always UTC, always with a numeric offset. */
export const formatInstant = (at: Date): string => at.toISOString().replace('Z', '+00:00');
