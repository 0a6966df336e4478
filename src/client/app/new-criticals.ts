/** Names of those that were not there before. */
export const findNew = (all: ReadonlyMap<string, string>, known: ReadonlySet<string>): string[] =>
  [...all].flatMap(([key, name]) => (known.has(key) ? [] : [name]));

/** As the title of the tab says it. */
export function sayCriticals(names: readonly string[]): string {
  const [name = ''] = names;
  const more = names.length > 1 ? ` and ${names.length - 1} more` : '';
  return `▲ Critical: ${name}${more}`;
}
