// Lines of Node, by the calendar of its makers: how long each is mended.

/** The day after the last; odd ones have half a year. */
const ENDS: Record<number, string> = {
  20: '2026-05-01',
  21: '2024-06-02',
  22: '2027-05-01',
  23: '2025-06-02',
  24: '2028-05-01',
  25: '2026-06-02',
};
const RECOMMENDED = 24;

/** null: its line is mended, or not known here yet. */
export function sayNodeEnded(version: string, now: Date): string | null {
  const major = Number(version.replace('v', '').split('.')[0]);
  const end = ENDS[major];
  if (end === undefined || now < new Date(end)) return null;
  return `node: ${version} gets no mends any more since ${end}: install Node ${RECOMMENDED}`;
}
