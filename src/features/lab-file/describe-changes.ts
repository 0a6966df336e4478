const isDifferent = (one: unknown, other: unknown): boolean => (one ?? null) !== (other ?? null);

const show = (value: unknown): string =>
  value === null || value === undefined ? 'none' : JSON.stringify(value);

const toFileWord = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Such as `stale_after_minutes 15 -> 20`, in the words of the lab file, for each key of `after` that differs. */
export const describeChanges = (before: Record<string, unknown>, after: Record<string, unknown>): string[] =>
  Object.entries(after)
    .filter(([key, value]) => isDifferent(before[key], value))
    .map(([key, value]) => `${toFileWord(key)} ${show(before[key])} -> ${show(value)}`);

/** Only what differs is written, so that what the file leaves out is left alone even if it changes meanwhile. */
export const pickChanges = <Row extends object>(before: NoInfer<Row>, after: Row): Partial<Row> =>
  Object.fromEntries(
    Object.entries(after).filter(([key, value]) => isDifferent(before[key as keyof Row], value)),
  ) as Partial<Row>;
