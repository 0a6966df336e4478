const show = (value: unknown): string =>
  value === null || value === undefined ? 'none' : JSON.stringify(value);

/** Such as `stale_after_minutes 15 -> 20`, in the words of the lab file, for each key of `after` that differs. */
export const describeChanges = (before: Record<string, unknown>, after: Record<string, unknown>): string[] =>
  Object.entries(after)
    .filter(([key, value]) => (before[key] ?? null) !== (value ?? null))
    .map(([key, value]) => `${toFileWord(key)} ${show(before[key])} -> ${show(value)}`);

const toFileWord = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
