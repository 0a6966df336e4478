// JSON that somebody else wrote is measured before it is parsed: how deep it is, and of how many parts. Otherwise few
// bytes of it take as long as many.

import { message } from '../language/message.ts';
import { fault, type Refused } from '../readings/refused.ts';

/** Far more than any device or provider sends. */
export const DEEPEST_JSON = 50;
export const MOST_JSON_PARTS = 60_000;

export const NOT_JSON = fault(message('the body is not valid JSON'));
export const TOO_DEEP = fault(message('the JSON is more than {most} levels deep'), { most: DEEPEST_JSON });
export const tooManyParts = (most: number): Refused =>
  fault(message('the JSON has more than {most} parts: send fewer at once'), { most });

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What there is too much of, for whoever sent it; null: nothing. What is no JSON is left to the parser. */
export function findExcess(text: string): Refused | null {
  let depth = 0;
  let parts = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) isInText = true;
    else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      parts += 1;
      if (depth > DEEPEST_JSON) return TOO_DEEP;
    } else if (code === COMMA || code === COLON) parts += 1;
    if (parts > MOST_JSON_PARTS) return tooManyParts(MOST_JSON_PARTS);
  }
  return null;
}
