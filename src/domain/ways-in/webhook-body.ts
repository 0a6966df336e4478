// What readers of JSON that others made up share.

import { parseJson } from '../json/parse-json.ts';
import type { Instant } from '../judging/judge.ts';
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

/** Everything in it under its path, joined by dots: `air.temperature`, `probes.0.value`. */
export function addAll(gathering: Gathering, value: unknown, path = '', depth = 0): void {
  // What is below a name that is too long would have one that is longer still: it is refused once.
  if (path.length > LONGEST_NAME) gathering.add(path, 0);
  else if (typeof value !== 'object' || value === null) gathering.add(path, value);
  else if (depth < DEEPEST)
    for (const name of Object.keys(value)) {
      if (gathering.isFull()) return;
      const inner = (value as JsonObject)[name];
      addAll(gathering, inner, path === '' ? name : `${path}.${name}`, depth + 1);
    }
}

export const isFilled = (payload: JsonObject): boolean => Object.keys(payload).length > 0;
