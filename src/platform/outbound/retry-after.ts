const LONGEST_MS = 24 * 60 * 60 * 1000;

/** `Retry-After` in seconds or as a date. null: nothing that can be read. Never more than a day. */
export function readRetryAfter(text: string | undefined, now: Date): number | null {
  if (text === undefined) return null;
  const wait = readWait(text.trim(), now);
  return Number.isNaN(wait) ? null : Math.min(Math.max(Math.ceil(wait), 0), LONGEST_MS);
}

function readWait(text: string, now: Date): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  return /^[A-Z][a-z]{2}, .* GMT$/.test(text) ? Date.parse(text) - now.getTime() : Number.NaN;
}
