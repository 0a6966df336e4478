import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  branchOf,
  findBranchAbove,
  growTree,
  isBranch,
  isInBranch,
  listBranches,
  nameBranch,
  placesOf,
  type TreeEntry,
} from './place-tree.ts';

const draw = (entries: readonly TreeEntry<{ name: string | null }>[]): unknown[] =>
  entries.map((entry) => (isBranch(entry) ? { [entry.label]: draw(entry.entries) } : entry.label));
const grown = (names: (string | null)[], below?: string) =>
  draw(
    growTree(
      names.map((name) => ({ name })),
      below,
    ),
  );

test('names that begin alike stand under one roof', () => {
  expect(
    grown([
      'Building 2 / Floor 1 / Room 104',
      'Vault',
      'building 2/Floor 1/Room 105',
      'Building 2 > Cellar',
      'Annex / Room 1',
      null,
    ]),
  ).toEqual([
    { 'Building 2': [{ 'Floor 1': ['Room 104', 'Room 105'] }, 'Cellar'] },
    'Vault',
    'Annex / Room 1',
    null,
  ]);
});

test('what all have in common is one branch, and a place may itself have places in it', () => {
  expect(grown(['House / Lab / 1', 'House / Lab / 2'])).toEqual([{ 'House / Lab': ['1', '2'] }]);
  expect(grown(['House', 'House / 1'])).toEqual([{ House: ['House', '1'] }]);
  expect(grown(['House / 1', 'house/1', 'Yard'])).toEqual([{ 'House / 1': ['1', '1'] }, 'Yard']);
});

test('a branch is called as most of its places call it', () => {
  const names = ['BUILDING / 1', 'Building / 2', 'Building / 3'];
  expect(grown(names)).toEqual([{ Building: ['1', '2', '3'] }]);
  expect(nameBranch('building', names)).toBe('Building');
});

test('names without a stroke are as flat as they were', () => {
  const names = ['Room 1', 'Room 2', 'Biobank, the hall', '', '/', ' '];
  expect(grown(names)).toEqual(names);
});

test('a branch by itself', () => {
  const names = ['A / 1 / x', 'A / 1 / y', 'A / 2', 'AB / 1', 'A'];
  expect(grown(names, 'a')).toEqual([{ '1': ['x', 'y'] }, '2', 'A']);
  expect(grown(names, 'a/2')).toEqual(['2']);
  expect(grown(names, 'b')).toEqual([]);
  expect(nameBranch('a/1', names)).toBe('A / 1');
  expect(nameBranch('b', names)).toBeNull();
  expect(findBranchAbove('a/1')).toBe('a');
  expect(findBranchAbove('a')).toBeNull();
  expect(listBranches(names)).toEqual([
    { branch: 'a', name: 'A' },
    { branch: 'a/1', name: 'A / 1' },
  ]);
});

test('whatever the names are, each place stands in the tree once, and in each branch that says so', () => {
  const name = fc.stringMatching(/^[abA /,>]{0,9}$/);
  fc.assert(
    fc.property(fc.array(name, { maxLength: 12 }), (names) => {
      const places = names.map((one, index) => ({ name: one, index }));
      const check = (entries: readonly TreeEntry<(typeof places)[number]>[]): void => {
        for (const entry of entries.filter(isBranch)) {
          const inside = placesOf(entry);
          expect(inside.length).toBeGreaterThan(1);
          expect(inside.map(({ index }) => index).sort()).toEqual(
            places.flatMap((one) => (isInBranch(one.name, entry.branch) ? one.index : [])).sort(),
          );
          expect(branchOf(entry.branch)).toBe(entry.branch);
          check(entry.entries);
        }
      };
      const tree = growTree(places);
      check(tree);
      expect(
        tree
          .flatMap(placesOf)
          .map(({ index }) => index)
          .sort(),
      ).toEqual(places.map(({ index }) => index).sort());
    }),
  );
});
