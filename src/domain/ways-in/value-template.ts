// Templates of Home Assistant, as far as they only say where a value stands: `{{ value_json.a['b'] | round(1) }}`.
import { isDigit, isSpace, isWordPart, openCursor, type TextCursor } from '../text-cursor.ts';

const LONGEST_TEMPLATE = 500;
const FILTERS = ['float', 'int', 'round'];

/** The steps that lead to the value, none: it is all there is; null: it is not understood. */
export function readTemplate(template: string): string[] | null {
  if (template.length > LONGEST_TEMPLATE) return null;
  const cursor = openCursor(template.trim());
  const skipSpace = () => cursor.takeWhile(isSpace);
  if (!cursor.take('{{')) return null;
  skipSpace();
  if (!cursor.take('value')) return null;
  const steps = cursor.take('_json') ? readSteps(cursor) : [];
  skipSpace();
  while (cursor.take('|')) {
    skipSpace();
    if (!FILTERS.some(cursor.take)) return null;
    skipSpace();
    if (cursor.take('(') && cursor.takeUntil(')') === null) return null;
    skipSpace();
  }
  return cursor.take('}}') && cursor.isAtEnd() ? steps : null;
}

/** `.a['b'][0]`; null: there is none, or one that is none. */
function readSteps(cursor: TextCursor): string[] | null {
  const steps: string[] = [];
  for (;;) {
    const step = cursor.take('.')
      ? cursor.takeWhile(isWordPart) || null
      : cursor.take('[')
        ? readIndex(cursor)
        : undefined;
    if (step === null) return null;
    if (step === undefined) return steps.length > 0 ? steps : null;
    steps.push(step);
  }
}

function readIndex(cursor: TextCursor): string | null {
  const quote = [`'`, '"'].find(cursor.take);
  const step = quote ? cursor.takeUntil(quote) : cursor.takeWhile(isDigit) || null;
  return cursor.take(']') ? step : null;
}
