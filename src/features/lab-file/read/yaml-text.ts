// From text to places: what stands where, with aliases and merge keys followed.
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  visit,
  type YAMLMap,
} from 'yaml';
import { atOnce } from '../../../domain/at-once.ts';
import { english } from '../../../domain/language/english.ts';
import { sayOne } from '../../../domain/language/sayable.ts';
import { openDocuments } from '../../../platform/yaml/open-documents.ts';
import { createFaultBook, type FaultBook } from './faults.ts';

export interface YamlPlace {
  path: string;
  /** What stands there; never an alias. */
  node: Node | null;
}

interface Field {
  key: string;
  keyOffset: number;
  /** An alias stays one here, so that faults point at the line that uses it. */
  value: Node | null;
}

export interface YamlText {
  roots: YamlPlace[];
  faults: FaultBook;
  enter(path: string, node: Node | null, offset: number): YamlPlace;
  /** The keys of a mapping in order; those that merge keys bring in come last and never override. */
  fieldsOf(map: YAMLMap, path: string): Field[];
}

/** Room for some ten thousand services. */
const BOUNDS = { mostCharacters: 32 * 1024 * 1024, mostPieces: 8_000_000 };
const MOST_PLACES = 4_000_000;

export function openYaml(text: string): YamlText {
  const lines = new LineCounter();
  const faults = createFaultBook((offset) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  });
  // Keys given twice are found in fieldsOf, where their path is known.
  const opened = atOnce(openDocuments(text, BOUNDS, lines));
  if (!opened.ok) faults.addAt(opened.refusal.offset, '', sayOne(opened.refusal.message, english));
  const documents = opened.ok ? opened.value : [];

  const targets = new Map<Alias, Node>();
  for (const document of documents) {
    for (const { pos, message } of [...document.errors, ...document.warnings]) {
      faults.addAt(pos[0], '', message);
    }
    const anchors = new Map<string, Node>();
    visit(document, {
      Node(_key, node) {
        if (!isAlias(node)) {
          if (node.anchor) anchors.set(node.anchor, node);
          return;
        }
        const target = anchors.get(node.source);
        if (target) targets.set(node, target);
        else faults.addAt(offsetOf(node), '', `no anchor &${node.source} stands before this alias`);
      },
    });
  }
  const follow = (node: Node | null) => (isAlias(node) ? (targets.get(node) ?? null) : node);
  for (const { contents } of documents)
    if (countPlaces(contents, follow) > MOST_PLACES)
      faults.addAt(0, '', `with what its aliases stand for, this has more than ${MOST_PLACES} entries`);

  function enter(path: string, node: Node | null, offset: number): YamlPlace {
    faults.mark(path, node ? offsetOf(node) : offset);
    return { path, node: follow(node) };
  }

  function fieldsOf(map: YAMLMap, path: string): Field[] {
    const fields = new Map<string, Field>();
    for (const field of ownFields(map)) {
      const twin = fields.get(field.key);
      if (twin) {
        const { line } = lines.linePos(twin.keyOffset);
        faults.addAt(field.keyOffset, joinPath(path, field.key), `is already given on line ${line}`);
      } else fields.set(field.key, field);
    }
    mergeInto(fields, map, path, new Set([map]));
    return [...fields.values()];
  }

  /** `within` ends the walk when an anchor merges itself. */
  function mergeInto(fields: Map<string, Field>, map: YAMLMap, path: string, within: Set<Node>): void {
    for (const pair of map.items.filter(isMerge)) {
      const given = follow(pair.value as Node | null);
      for (const item of isSeq(given) ? (given.items as Node[]) : [given]) {
        const source = follow(item);
        if (!isMap(source) || within.has(source)) {
          faults.addAt(offsetOf(pair.key as Node), joinPath(path, '<<'), 'must name another mapping');
          continue;
        }
        for (const field of ownFields(source)) {
          if (!fields.has(field.key)) fields.set(field.key, field);
        }
        mergeInto(fields, source, path, new Set([...within, source]));
      }
    }
  }

  const roots = documents
    .filter(({ contents }) => contents !== null && !(isScalar(contents) && contents.value === null))
    .map(({ contents }, index) => enter(index === 0 ? '' : `documents[${index}]`, contents, 0));
  return { roots, faults, enter, fieldsOf };
}

/** How many nodes a reader comes by who follows every alias. */
function countPlaces(root: Node | null, follow: (alias: Node) => Node | null): number {
  const anchored = new Map<Node | null, number>();
  const count = (node: Node | null): number => {
    // What an alias stands for comes before it; what it stands in itself is not counted yet.
    if (isAlias(node)) return anchored.get(follow(node)) ?? 1;
    let places = 1;
    if (isMap(node)) for (const { value } of node.items) places += 1 + count(value as Node | null);
    if (isSeq(node)) for (const item of node.items) places += count(item as Node | null);
    if (node?.anchor) anchored.set(node, places);
    return places;
  };
  return count(root);
}

export const joinPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

const offsetOf = (node: Node): number => node.range?.[0] ?? 0;

const isMerge = ({ key }: Pair): boolean => isScalar(key) && key.value === '<<' && key.type === 'PLAIN';

const ownFields = (map: YAMLMap): Field[] =>
  map.items
    .filter((pair) => !isMerge(pair))
    .map((pair) => ({
      key: isScalar(pair.key) ? String(pair.key.value) : '',
      keyOffset: offsetOf(pair.key as Node),
      value: pair.value as Node | null,
    }));
