// Locations have names only. Names that begin alike, such as `Building 2 / Floor 1 / Room 104`, stand under one roof: this reads
// them, for whoever looks at a building and for whoever looks for the nearest freezer.

/** Between these a name has parts. */
const BETWEEN = /[/,›>|]/;

/** From the large to the small, as somebody wrote them. */
const partsOf = (name: string): string[] =>
  name
    .split(BETWEEN)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const asCompared = (part: string): string => part.toLowerCase();

/** The same however somebody writes them. */
export const comparedPartsOf = (name: string): string[] => partsOf(name).map(asCompared);

/** `building 2/floor 1`. */
export const branchOf = (name: string): string => comparedPartsOf(name).join('/');

/** The location of that name, and what stands in it. */
export function isInBranch(name: string | null, branch: string): boolean {
  if (name === null) return false;
  const own = branchOf(name);
  return own === branch || own.startsWith(`${branch}/`);
}

/** null: it is none, or the whole. */
export function findBranchAbove(branch: string): string | null {
  const end = branch.lastIndexOf('/');
  return end < 0 ? null : branch.slice(0, end);
}

interface Leaf<Place> {
  place: Place;
  /** What is left of its name below the branch. */
  label: string | null;
}

export interface Branch<Place> {
  branch: string;
  /** More than one part where nothing else begins so: `Building 2 / Floor 1`. */
  label: string;
  entries: TreeEntry<Place>[];
}

export type TreeEntry<Place> = Leaf<Place> | Branch<Place>;

export const isBranch = <Place>(entry: TreeEntry<Place>): entry is Branch<Place> => 'entries' in entry;

interface Named {
  /** null: nowhere. */
  name: string | null;
}

interface Parted<Place> {
  place: Place;
  parts: string[];
}

/**
 * What stands in a branch, or in the whole, in the order given. A branch has at least two places: a name like no other stays
 * as it is.
 */
export function growTree<Place extends Named>(
  places: readonly Place[],
  below: string | null = null,
): TreeEntry<Place>[] {
  const inside = below === null ? places : places.filter(({ name }) => isInBranch(name, below));
  const depth = below === null ? 0 : below.split('/').length;
  return grow(
    inside.map((place) => ({ place, parts: place.name === null ? [] : partsOf(place.name) })),
    depth,
  );
}

function grow<Place extends Named>(places: readonly Parted<Place>[], depth: number): TreeEntry<Place>[] {
  const groups = new Map<string | Parted<Place>, Parted<Place>[]>();
  for (const one of places) {
    const part = one.parts[depth];
    const key = part === undefined ? one : asCompared(part);
    const known = groups.get(key);
    if (known) known.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].map((group) =>
    group.length === 1 ? toLeaf(group[0] as Parted<Place>, depth) : toBranch(group, depth),
  );
}

function toLeaf<Place extends Named>({ place, parts }: Parted<Place>, depth: number): Leaf<Place> {
  const rest = parts.slice(depth).join(' / ');
  return { place, label: depth === 0 ? place.name : rest || (parts.at(-1) ?? place.name) };
}

function toBranch<Place extends Named>(group: readonly Parted<Place>[], depth: number): Branch<Place> {
  const { parts } = group[0] as Parted<Place>;
  let end = depth + 1;
  while (sharePart(group, end)) end += 1;
  return {
    branch: parts.slice(0, end).map(asCompared).join('/'),
    label: sayParts(group, depth, end),
    entries: grow(group, end),
  };
}

/** As most of them wrote it. */
const sayParts = (group: readonly { parts: string[] }[], from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) =>
    findMostFrequent(group.map(({ parts }) => parts[from + index] ?? '')),
  ).join(' / ');

function findMostFrequent(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0] as [string, number])[0];
}

function sharePart<Place>(group: readonly Parted<Place>[], depth: number): boolean {
  const shared = group[0]?.parts[depth];
  return (
    shared !== undefined &&
    group.every(({ parts }) => parts[depth] !== undefined && asCompared(parts[depth]) === asCompared(shared))
  );
}

/** All places of an entry. */
export const placesOf = <Place>(entry: TreeEntry<Place>): Place[] =>
  isBranch(entry) ? entry.entries.flatMap(placesOf) : [entry.place];

export interface BranchChoice {
  branch: string;
  /** `Building 2 / Floor 1`. */
  name: string;
}

/** All that there are, each below the one it stands in. */
export function listBranches(names: readonly string[]): BranchChoice[] {
  const list = (entries: readonly TreeEntry<Named>[], above: string): BranchChoice[] =>
    entries.filter(isBranch).flatMap(({ branch, label, entries: inside }) => {
      const name = above === '' ? label : `${above} / ${label}`;
      return [{ branch, name }, ...list(inside, name)];
    });
  return list(growTree(names.map((name) => ({ name }))), '');
}

/** null: nothing stands there. */
export function nameBranch(branch: string, names: readonly (string | null)[]): string | null {
  const inside = names.flatMap((name) =>
    name !== null && isInBranch(name, branch) ? { parts: partsOf(name) } : [],
  );
  return inside.length === 0 ? null : sayParts(inside, 0, branch.split('/').length);
}
