/** What is different afterwards, by name; what stayed is left out. */
export type Changes = Record<string, { before: unknown; after: unknown }>;

export const findChanges = (before: Record<string, unknown>, after: Record<string, unknown>): Changes =>
  Object.fromEntries(
    Object.keys(after)
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, { before: before[name], after: after[name] }]),
  );
