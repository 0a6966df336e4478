// One word for one idea: docs/glossary.md names every table, what it names is there, and words we do not use stay away.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCatalogue } from '../bin/languages.mjs';
import { projectRoot } from '../src/platform/project-root.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

const list = (folder: string): string[] =>
  readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? list(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  );

const sources = list('src').filter((path) => /\.tsx?$/.test(path));
const migrations = list('migrations');
const schema = migrations.map(read).join('\n');
const code = sources.map(read).join('\n');
const named = [...read('docs/glossary.md').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

const dropped = [...schema.matchAll(/^drop table (\w+)/gm)].map(([, name = '']) => name);
const tables = [...schema.matchAll(/^create table (\w+)/gm)]
  .map(([, name = '']) => name)
  .filter((name) => !dropped.includes(name));

test('every table has its word', () => {
  expect(tables.length).toBeGreaterThan(40);
  expect(tables.filter((name) => !named.includes(name))).toEqual([]);
});

test('every table, column and type that the glossary names is there', () => {
  const columns = named.flatMap((name) => /^(\w+)\.(\w+)$/.exec(name)?.slice(1, 3).join(' ') ?? []);
  const isColumn = (name: string) => {
    const [table, column] = name.split(' ');
    const [definition = ''] = new RegExp(`^create table ${table} \\([\\s\\S]*?^\\)`, 'm').exec(schema) ?? [];
    return new RegExp(`^  ${column} `, 'm').test(definition);
  };
  expect(columns.filter((name) => !isColumn(name))).toEqual([]);
  const types = named.filter((name) => /^[A-Z][a-z]+([A-Z][a-z]+)*$/.test(name));
  expect(
    types.filter((name) => name !== 'FooService' && !new RegExp(`(interface|type) ${name}\\b`).test(code)),
  ).toEqual([]);
  const words = named.filter((name) => /^[a-z]+(_[a-z]+)+$/.test(name) && name !== 'schema_migration');
  expect(words.filter((name) => !new RegExp(`\\b${name}\\b`).test(schema))).toEqual([]);
});

/** Words of others, where we speak their language: browsers, PostgreSQL, Alertmanager. */
const FOREIGN = /role="alert"|'alert'|alert\(|maintenance_work_mem/g;
const SPEAKS_ALERTMANAGER = /\/(alertmanager|machine-shapes\.test)\.ts$/;

const findWord = (word: RegExp, text: string) => word.exec(text.replaceAll(FOREIGN, ''))?.[0];

test.each([
  ['silence, where a service is stale or muted', /silenc(e|ing)/i, 'told_silence_id'],
  ['alert, where it is an alarm', /\balerts?\b/i, 'an alert was raised'],
  ['maintenance, where it is a downtime', /maintenance/i, 'isInMaintenance'],
  ['service, where it is a class', /\bclass \w+Service\b/, 'class AlarmService {'],
])('nobody says %s', (_, word, example) => {
  expect(findWord(word, example)).toBeDefined();
  const said = [...sources, ...migrations]
    .filter((path) => !SPEAKS_ALERTMANAGER.test(path))
    .flatMap((path) => (findWord(word, read(path)) ? [path] : []));
  expect(said).toEqual([]);
});

/** To tell somebody something is no notification. */
const PLAINLY_TOLD = /was told to stop|[Tt]ell (your administrator|those who|whoever)|do not tell where/;

test.each([
  ['told, tells, where somebody is notified', /\b(told|tells?|telling)\b/i, 'What was told of Freezer 1'],
  ['kept, of mail that did not leave', /\bkept mail\b/i, 'Kept mail'],
  ['take off, of a step', /\btake off\b/i, 'Take off'],
  ['what it speaks, of a format', /\bwhat it speaks\b/i, 'What it speaks'],
  ['come again, of recurring downtimes', /\bthat come again\b/i, 'Downtimes that come again'],
  [
    'service, where a head or a label names a unit',
    /^(?:all |choose a |back to the )?services?$/i,
    'All services',
  ],
  ['a field of the interface', /\b[a-z]+_[a-z]+ is off\b/, 'send_critical is off'],
])('no page and no mail says %s', (_, word, example) => {
  expect(example).toMatch(word);
  const said = Object.values(readCatalogue('en.json')).map(({ defaultMessage }) =>
    defaultMessage.replaceAll(/\{\w+\}/g, ''),
  );
  expect(said.filter((text) => word.test(text) && !PLAINLY_TOLD.test(text))).toEqual([]);
});

const TYPE = /^export (?:interface|type|class) (\w+)/gm;

/** By name, the files that export a type of it. */
function findHomonyms(texts: Record<string, string>): string[] {
  const filesOf = new Map<string, string[]>();
  for (const [path, text] of Object.entries(texts))
    for (const [, name = ''] of text.matchAll(TYPE)) filesOf.set(name, [...(filesOf.get(name) ?? []), path]);
  return [...filesOf].flatMap(([name, files]) => (files.length > 1 ? [`${name}: ${files.join(', ')}`] : []));
}

test('what all may use has one meaning: no two files below the features export a type of the same name', () => {
  expect(
    findHomonyms({ 'a.ts': 'export type Moment = 1;', 'b.ts': 'export interface Moment {}' }),
  ).toHaveLength(1);
  const shared = sources.filter(
    (path) => /^src\/(domain|platform|engine)\//.test(path) && !/\.test\./.test(path),
  );
  expect(findHomonyms(Object.fromEntries(shared.map((path) => [path, read(path)])))).toEqual([]);
});
