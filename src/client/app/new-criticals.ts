import type { Language } from '../../domain/language/speak.ts';

/** Names of those that were not there before. */
export const findNew = (all: ReadonlyMap<string, string>, known: ReadonlySet<string>): string[] =>
  [...all].flatMap(([key, name]) => (known.has(key) ? [] : [name]));

/** As the title of the tab says it. */
export function sayCriticals(names: readonly string[], { say }: Language): string {
  const [name = ''] = names;
  const more = names.length - 1;
  return more > 0
    ? say('▲ Critical: {name} and {more, plural, other {# more}}', { name, more })
    : say('▲ Critical: {name}', { name });
}
