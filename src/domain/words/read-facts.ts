// The facts in a sentence that is stored in English because nothing else is kept of it, by the message that wrote it.

/** How long a fact is that does not end where the text behind it begins; null: where it begins. */
type FindLength = (name: string, rest: string) => number | null;

const pieces = new Map<string, readonly string[]>();

/** Text, name, text, and so on. Messages are those of the program: there are not many. */
function piecesOf(message: string): readonly string[] {
  const known = pieces.get(message) ?? message.split(/\{(\w+)\}/);
  pieces.set(message, known);
  return known;
}

/** By name; null: the message did not write it. A fact that stands there twice is the same twice. */
export function readFacts(
  text: string,
  message: string,
  findLength: FindLength = () => null,
): Record<string, string> | null {
  const [begin = '', ...rest] = piecesOf(message);
  if (!text.startsWith(begin)) return null;
  const facts: Record<string, string> = {};
  let at = begin.length;
  for (let index = 0; index < rest.length; index += 2) {
    const [name = '', literal = ''] = [rest[index], rest[index + 1]];
    const isLast = index + 2 === rest.length;
    const length = isLast ? null : findLength(name, text.slice(at));
    const end = isLast
      ? text.length - literal.length
      : length === null
        ? text.indexOf(literal, at)
        : at + length;
    if (end <= at || !text.startsWith(literal, end)) return null;
    const fact = text.slice(at, end);
    if ((facts[name] ?? fact) !== fact) return null;
    facts[name] = fact;
    at = end + literal.length;
  }
  return at === text.length ? facts : null;
}
