/** The name that was most likely meant, or null when none is near. */
export function findNearest(word: string, names: readonly string[]): string | null {
  let nearest: string | null = null;
  let nearestEdits = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const edits = countEdits(word.toLowerCase(), name.toLowerCase());
    const mostEdits = Math.max(2, Math.floor(Math.max(word.length, name.length) / 3));
    if (edits > mostEdits || edits >= nearestEdits) continue;
    nearest = name;
    nearestEdits = edits;
  }
  return nearest;
}

/** Levenshtein: letters to insert, drop or replace to get from one word to the other. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
