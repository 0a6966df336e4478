// What readers of JSON that others made up share.

import { atOnce } from '../at-once.ts';
import type { Instant } from '../instant.ts';
import { parseJson } from '../json/parse-json.ts';
import { LONGEST_NAME } from '../names.ts';
import { readTime } from '../readings/telemetry.ts';
import type { Gathering } from './gather-readings.ts';

export type JsonObject = Record<string, unknown>;

/** What is no JSON is a word: messages of MQTT may be bare. */
export function parseWord(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** An empty one in the place of anything else. */
export const objectAt = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

/** null: none that can be read. */
export const timeAt = (value: unknown): Instant | null =>
  typeof value === 'string' ? readTime(value) : null;

const DEEPEST = 8;

/** So many are added in one go. */
const PIECE = 500;

/** Everything in it under its path, joined by dots: `air.temperature`, `probes.0.value`. Stops now and then. */
export function* addInPieces(
  gathering: Gathering,
  value: unknown,
  path = '',
  depth = 0,
): Generator<void, void> {
  // What is below a name that is too long would have one that is longer still: it is refused once.
  if (path.length > LONGEST_NAME) gathering.add(path, 0);
  else if (typeof value !== 'object' || value === null) gathering.add(path, value);
  else if (depth < DEEPEST)
    for (const [index, name] of Object.keys(value).entries()) {
      if (gathering.isFull()) return;
      const inner = (value as JsonObject)[name];
      const at = path === '' ? name : `${path}.${name}`;
      if (typeof inner === 'object') yield* addInPieces(gathering, inner, at, depth + 1);
      else gathering.add(at, at.length > LONGEST_NAME ? 0 : inner);
      if (index % PIECE === PIECE - 1) yield;
    }
}

/** Of what is short. */
export const addAll = (gathering: Gathering, value: unknown, path = ''): void =>
  atOnce(addInPieces(gathering, value, path));

export const isFilled = (payload: JsonObject): boolean => Object.keys(payload).length > 0;
