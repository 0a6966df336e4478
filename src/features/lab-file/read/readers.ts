// Small readers that a file's shape is put together from. Each notes what is wrong and goes on.
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { findNearest } from './nearest-name.ts';
import { joinPath, type YamlPlace, type YamlText } from './yaml-text.ts';

/** undefined: unreadable, and the fault is noted. */
export type Reader<Value> = (place: YamlPlace, yaml: YamlText) => Value | undefined;
export type ValueOf<R> = R extends Reader<infer Value> ? Value : never;

type Readers = Record<string, Reader<unknown>>;

/** A mapping that was read, with its own path for the checks that come later. */
export type Entry<Required extends Readers, Optional extends Readers> = { path: string } & {
  [Key in keyof Required]: ValueOf<Required[Key]>;
} & { [Key in keyof Optional]?: ValueOf<Optional[Key]> };

// Longer texts do not fit into the database's indexes.
const LONGEST_TEXT_BYTES = 2000;

const scalarAt = ({ node }: YamlPlace): unknown => (isScalar(node) ? node.value : undefined);

const isNull = ({ node }: YamlPlace): boolean => node === null || (isScalar(node) && node.value === null);

/** Text that may be blank. */
export const anyText: Reader<string> = (...given) => longText(LONGEST_TEXT_BYTES)(...given);

/** Of what no index holds. */
export const longText =
  (mostBytes: number): Reader<string> =>
  (place, { faults }) => {
    const value = scalarAt(place);
    const problem = findTextProblem(value, mostBytes);
    if (problem === null) return value as string;
    faults.add(place.path, problem);
    return undefined;
  };

function findTextProblem(value: unknown, mostBytes: number): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return 'must be text: put it in quotes';
  if (typeof value !== 'string') return 'must be text';
  if (value.includes('\0')) return 'must not contain NUL characters';
  if (!value.isWellFormed()) return 'must not contain half a character';
  if (Buffer.byteLength(value) > mostBytes) {
    return `must not be longer than ${mostBytes} bytes`;
  }
  return null;
}

export const flag: Reader<boolean> = (place, { faults }) => {
  const value = scalarAt(place);
  if (typeof value === 'boolean') return value;
  faults.add(place.path, 'must be true or false');
  return undefined;
};

export const number: Reader<number> = (place, { faults }) => {
  const value = scalarAt(place);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  faults.add(place.path, typeof value === 'number' ? 'must be a finite number' : 'must be a number');
  return undefined;
};

export const oneOf =
  <const Word extends string>(words: readonly Word[]): Reader<Word> =>
  (place, { faults }) => {
    const value = scalarAt(place);
    const word = words.find((known) => known === value);
    if (word !== undefined) return word;
    faults.add(place.path, `must be one of ${words.join(', ')}${suggest(String(value), words)}`);
    return undefined;
  };

/** Refuses a value that can be read but not meant. */
export const checked =
  <Value>(read: Reader<Value>, findProblem: (value: Value) => string | null): Reader<Value> =>
  (place, yaml) => {
    const value = read(place, yaml);
    const problem = value === undefined ? null : findProblem(value);
    if (problem === null) return value;
    yaml.faults.add(place.path, problem);
    return undefined;
  };

export const text = checked(anyText, (value) => (value.trim() === '' ? 'must not be empty' : null));

export const mapped =
  <From, To>(read: Reader<From>, change: (value: From) => To): Reader<To> =>
  (place, yaml) => {
    const value = read(place, yaml);
    return value === undefined ? undefined : change(value);
  };

/** null, or nothing after the colon, is a value of its own. */
export const nullable =
  <Value>(read: Reader<Value>): Reader<Value | null> =>
  (place, yaml) =>
    isNull(place) ? null : read(place, yaml);

/** Keeps the path of a value that is no mapping. */
export const placed =
  <Value>(read: Reader<Value>): Reader<{ path: string; value: Value }> =>
  (place, yaml) => {
    const value = read(place, yaml);
    return value === undefined ? undefined : { path: place.path, value };
  };

/** Items that cannot be read are left out. Nothing after the colon is an empty list. */
export const list =
  <Value>(read: Reader<Value>): Reader<Value[]> =>
  (place, yaml) => {
    if (isNull(place)) return [];
    if (!isSeq(place.node)) {
      yaml.faults.add(place.path, 'must be a list');
      return undefined;
    }
    return place.node.items
      .map((item, index) => read(yaml.enter(`${place.path}[${index}]`, item as Node | null, 0), yaml))
      .filter((value) => value !== undefined);
  };

/** A list that says nothing is not what anybody means. */
export const filledList =
  <Value>(read: Reader<Value>): Reader<Value[]> =>
  (place, yaml) => {
    const isFilled = !isNull(place) && !(isSeq(place.node) && place.node.items.length === 0);
    if (isFilled) return list(read)(place, yaml);
    yaml.faults.add(place.path, 'must not be empty');
    return undefined;
  };

/** Unreadable when a required key is; an optional key that cannot be read counts as left out. */
export const entry =
  <Required extends Readers, Optional extends Readers>(
    required: Required,
    optional: Optional,
  ): Reader<Entry<Required, Optional>> =>
  (place, yaml) => {
    if (!isMap(place.node)) {
      yaml.faults.add(place.path, 'must be a mapping');
      return undefined;
    }
    const values = new Map<string, unknown>([['path', place.path]]);
    const missing = new Set(Object.keys(required));
    const known = [...Object.keys(required), ...Object.keys(optional)];
    for (const { key, keyOffset, value } of yaml.fieldsOf(place.node, place.path)) {
      const path = joinPath(place.path, key);
      missing.delete(key);
      if (!known.includes(key)) {
        yaml.faults.addAt(keyOffset, path, `unknown key${suggest(key, known)}`);
        continue;
      }
      const read = required[key] ?? optional[key];
      const found = read?.(yaml.enter(path, value, keyOffset), yaml);
      if (found !== undefined) values.set(key, found);
    }
    for (const key of missing) yaml.faults.add(joinPath(place.path, key), 'is missing');
    const isWhole = Object.keys(required).every((key) => values.has(key));
    return isWhole ? (Object.fromEntries(values) as Entry<Required, Optional>) : undefined;
  };

const DEEPEST = 8;

/** What stands there as plain objects, lists, text and numbers, with the place of each part known. */
export function plainOf({ node, path }: YamlPlace, yaml: YamlText, depth = 0): unknown {
  // An anchor may stand inside itself.
  if (depth > DEEPEST) return null;
  if (isMap(node))
    return Object.fromEntries(
      yaml
        .fieldsOf(node, path)
        .map(({ key, keyOffset, value }) => [
          key,
          plainOf(yaml.enter(joinPath(path, key), value, keyOffset), yaml, depth + 1),
        ]),
    );
  if (isSeq(node))
    return node.items.map((item, index) =>
      plainOf(yaml.enter(`${path}[${index}]`, item as Node | null, 0), yaml, depth + 1),
    );
  return isScalar(node) ? node.value : null;
}

function suggest(word: string, names: readonly string[]): string {
  const nearest = findNearest(word, names);
  return nearest === null ? '' : `; did you mean "${nearest}"?`;
}
