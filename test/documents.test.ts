// Documents and comments can be followed: the files, headings and decisions they name are there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../src/platform/project-root.ts';
import {
  CONTRACT,
  findDeadLinks,
  findDeadPaths,
  findUnknownDecisions,
  findUnknownSections,
  findUnlistedDecisions,
  findUnmappedRooms,
  type Texts,
} from './support/documents.ts';

const LEFT_OUT = ['.git', 'node_modules', 'build', 'data', 'dist'];
// This file tells of what is not there.
const READ = /(?<!documents\.test)\.(md|tsx?|m?js|css|sql|ya?ml|env|service)$|Containerfile$|^\.ci\//;

function readTree(folder: string): Texts {
  return Object.assign(
    {},
    ...readdirSync(join(projectRoot, folder), { withFileTypes: true })
      .filter(({ name }) => folder !== '' || !LEFT_OUT.includes(name))
      .map((entry) => {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) return readTree(path);
        return { [path]: READ.test(path) ? readFileSync(join(projectRoot, path), 'utf8') : '' };
      }),
  );
}

const tree = readTree('');

describe('what is written can be followed', () => {
  test('every path that is named exists', () => expect(findDeadPaths(tree)).toEqual([]));
  test('every link leads somewhere', () => expect(findDeadLinks(tree)).toEqual([]));
  test('every section of the contract that code cites is there', () =>
    expect(findUnknownSections(tree)).toEqual([]));
  test('every decision that is named was written', () => expect(findUnknownDecisions(tree)).toEqual([]));
  test('the index lists every decision', () => expect(findUnlistedDecisions(tree)).toEqual([]));
  test('the map has every room', () => expect(findUnmappedRooms(tree)).toEqual([]));
});

describe('each rule can be broken', () => {
  const files = { 'src/engine/ingest/ingest.ts': '', 'docs/decisions/0007-why.md': '# 7. Why\n' };
  const contract = { [CONTRACT]: '# The contract\n## Order of checks\n' };

  test.each([
    ['a path that a document cites', findDeadPaths, { 'docs/a.md': 'as `src/engine/judge.ts` does' }],
    ['a path from a floor on', findDeadPaths, { 'README.md': 'see engine/ingest/judge.ts.' }],
    ['a name without a path', findDeadPaths, { 'docs/a.md': '`judge.ts` decides' }],
    ['a folder', findDeadPaths, { 'docs/a.md': 'all of `outbox/`' }],
    ['a folder of a floor', findDeadPaths, { 'docs/a.md': 'lives in src/engine/outbox' }],
    ['a path in a comment', findDeadPaths, { 'src/a.ts': 'call(); // as engine/judge.ts does' }],
    ['a path in a comment of several lines', findDeadPaths, { 'src/a.ts': '/**\n * See docs/gone.md.\n */' }],
    ['a path in a comment of SQL', findDeadPaths, { 'migrations/1.sql': '-- see docs/gone.md' }],
    ['a document outside of the repository', findDeadPaths, { 'src/a.ts': '// design.md 3.1' }],
    ['a link to a file', findDeadLinks, { 'docs/a.md': '[b](b.md)' }],
    ['a link to a heading', findDeadLinks, { 'docs/a.md': '# One\n[two](#two)' }],
    ['a link to a heading elsewhere', findDeadLinks, { 'docs/a.md': '[b](../b.md#two)', 'b.md': '# One' }],
    ['a section', findUnknownSections, { ...contract, 'src/a.ts': '// Contract, Errors: so it is.' }],
    ['a part of a heading', findUnknownSections, { ...contract, 'src/a.ts': '// Contract, Order: so.' }],
    ['the contract without a section', findUnknownSections, { ...contract, 'src/a.ts': '// Contract: so.' }],
    ['a decision', findUnknownDecisions, { 'docs/a.md': 'so says decision 8' }],
    ['a decision that the index lacks', findUnlistedDecisions, {}],
    ['a room that the map lacks', findUnmappedRooms, {}],
  ])('%s that is not there is found', (_, rule, broken) =>
    expect(rule({ ...files, ...broken })).toHaveLength(1),
  );

  test.each([
    [
      'a path from anywhere on',
      findDeadPaths,
      { 'docs/a.md': '`ingest/ingest.ts`, engine/ingest, `ingest/`' },
    ],
    ['what is built', findDeadPaths, { 'docs/a.md': 'it makes dist/main.js' }],
    ['an address', findDeadPaths, { 'docs/a.md': 'https://lab.example/a.md, `/docs/x`, @scope/engine/a.ts' }],
    ['code', findDeadPaths, { 'src/a.ts': "import 'engine/gone.ts';", 'docs/a.md': '```\nb.ts\n```' }],
    ['a heading with a code span', findDeadLinks, { 'docs/a.md': '# To `be` done\n[x](#to-be-done)' }],
    ['a link broken over lines', findDeadLinks, { 'docs/a.md': '# One\n[the\none](a.md#one)' }],
    [
      'a section broken over lines',
      findUnknownSections,
      { ...contract, 'a.ts': '// Contract, Order\n// of checks.' },
    ],
    [
      'an index with the decision',
      findUnlistedDecisions,
      { 'docs/decisions/README.md': '| [7](0007-why.md) | Why | because |' },
    ],
    [
      'a map with the room',
      findUnmappedRooms,
      { 'docs/architecture.md': '|---|\n| `engine/ingest` | posts |' },
    ],
  ])('%s is fine', (_, rule, fine) => expect(rule({ ...files, ...fine } as Texts)).toEqual([]));
});
