// JSON of others that is short enough to be parsed in one go.
import type { Refused } from '../readings/refused.ts';
import { findExcess, NOT_JSON } from './find-excess.ts';

/** undefined: it is none, or has too much of something. */
export function parseJson(text: string, revive?: (name: string, value: unknown) => unknown): unknown {
  if (findExcess(text) !== null) return undefined;
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}

/** Why it could not be parsed. */
export const findJsonFault = (text: string): Refused => findExcess(text) ?? NOT_JSON;
