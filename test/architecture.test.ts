import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../src/platform/project-root.ts';
import {
  findDatabaseClocks,
  findEnvironmentReads,
  findFolderCycles,
  findHomelessFiles,
  findImportCycles,
  findImportsBetweenRooms,
  findImpureDomain,
  findOwnConnections,
  findServerPartsInClient,
  findStepsOutOfOrder,
  findStrayLockKeys,
  findTablesWrittenElsewhere,
  findTextsMadeOfValues,
  findUnlistedTables,
  findUnmeasuredParsing,
  findUpwardImports,
  findVerbsWithTheDatabase,
  type Sources,
  WRITERS,
} from './support/architecture.ts';
import { drawStoreys, findRoomCycles, findStoreyFaults } from './support/storeys.ts';

function readFolder(folder: string, endings: RegExp): Sources {
  const names = readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => name.replaceAll('\\', '/')).filter((name) => endings.test(name));
  return Object.fromEntries(
    files.map((name) => [name, readFileSync(join(projectRoot, folder, name), 'utf8')]),
  );
}

const sources = readFolder('src', /\.tsx?$/);
const migrations = readFolder('migrations', /\.sql$/);

describe('the house stands as designed', () => {
  test('every file lives on a floor', () => expect(findHomelessFiles(sources)).toEqual([]));
  test('imports go down only', () => expect(findUpwardImports(sources)).toEqual([]));
  test('features do not import each other', () => expect(findImportsBetweenRooms(sources)).toEqual([]));
  test('rooms of the engine import their own storey and those below', () =>
    expect(findStoreyFaults(sources)).toEqual([]));
  test('no cycles between rooms of the engine', () => expect(findRoomCycles(sources)).toEqual([]));
  test('browsers get nothing of the server', () => expect(findServerPartsInClient(sources)).toEqual([]));
  test('no import cycles', () => expect(findImportCycles(sources)).toEqual([]));
  test('no cycles between folders', () => expect(findFolderCycles(sources)).toEqual([]));
  test('the domain is pure', () => expect(findImpureDomain(sources)).toEqual([]));
  test('no query reads the clock', () =>
    expect(findDatabaseClocks({ ...sources, ...migrations })).toEqual([]));
  test('each table is written by one folder', () => expect(findTablesWrittenElsewhere(sources)).toEqual([]));
  test('every table has its folder', () => expect(findUnlistedTables(migrations)).toEqual([]));
  test('the steps of a protocol are taken by its function', () =>
    expect(findStepsOutOfOrder(sources)).toEqual([]));
  test('texts of statements are not made of values', () =>
    expect(findTextsMadeOfValues(sources)).toEqual([]));
  test('verbs get their transaction', () => expect(findVerbsWithTheDatabase(sources)).toEqual([]));
  test('one file reads the environment', () => expect(findEnvironmentReads(sources)).toEqual([]));
  test('advisory locks come from one list', () => expect(findStrayLockKeys(sources)).toEqual([]));
  test('what others wrote is measured before it is parsed', () =>
    expect(findUnmeasuredParsing(sources)).toEqual([]));
  test('one file connects to databases', () => expect(findOwnConnections(sources)).toEqual([]));
});

/** With TOCSIN_DRAW=1 it is drawn anew. */
test('the picture of the engine is that of its imports', () => {
  const path = join(projectRoot, 'docs/architecture.md');
  const text = readFileSync(path, 'utf8');
  const drawn = `<!-- drawn from the imports -->\n\`\`\`mermaid\n${drawStoreys(sources)}\n\`\`\``;
  const drawnAnew = text.replace(/<!-- drawn from the imports -->\n```mermaid\n[^`]*```/, () => drawn);
  if (process.env.TOCSIN_DRAW) writeFileSync(path, drawnAnew);
  expect(process.env.TOCSIN_DRAW ? drawnAnew : text).toContain(drawn);
});

describe('each rule can be broken', () => {
  const two: [string, string[]][] = [
    ['below', ['a']],
    ['above', ['b']],
  ];
  test.each([
    ['a room that imports the storey above', { 'engine/a/x.ts': "import '../b/y.ts';", 'engine/b/y.ts': '' }],
    ['a room in no storey', { 'engine/a/x.ts': '', 'engine/b/y.ts': '', 'engine/c/z.ts': '' }],
    ['a storey with a room that is gone', { 'engine/a/x.ts': '' }],
  ])('%s', (_, broken) => expect(findStoreyFaults(broken, two)).toHaveLength(1));

  test('what others lead to is not drawn again', () => {
    const three: [string, string[]][] = [['all', ['a', 'b', 'c']]];
    const drawn = drawStoreys(
      { 'engine/a/x.ts': "import '../b/y.ts'; import '../c/z.ts';", 'engine/b/y.ts': "import '../c/z.ts';" },
      three,
    );
    expect(drawn.split('\n').filter((line) => line.includes('-->'))).toEqual(['  a --> b', '  b --> c']);
  });

  test.each([
    ['a file outside the floors', findHomelessFiles, { 'utils/x.ts': '' }],
    ['an upward import', findUpwardImports, { 'domain/a.ts': "import { b } from '../platform/b.ts';" }],
    [
      'an upward import over two floors',
      findUpwardImports,
      { 'engine/a.ts': "import type { B } from '../app.ts';" },
    ],
    ['a dynamic upward import', findUpwardImports, { 'engine/a.ts': "await import('../features/x/b.ts')" }],
    [
      'a feature that imports another',
      findImportsBetweenRooms,
      { 'features/a/x.ts': "import { y } from '../b/y.ts';" },
    ],
    [
      'a piece of the server in the browser',
      findServerPartsInClient,
      { 'client/a.ts': "import { b } from '../platform/b.ts';" },
    ],
    [
      'an import cycle',
      findImportCycles,
      {
        'domain/a.ts': "import './b.ts';",
        'domain/b.ts': "export { c } from './c.ts';",
        'domain/c.ts': "import './a.ts';",
      },
    ],
    [
      'a cycle between folders',
      findFolderCycles,
      { 'engine/a/x.ts': "import '../b/y.ts';", 'engine/b/z.ts': "import '../a/w.ts';" },
    ],
    [
      'a cycle between rooms',
      findRoomCycles,
      { 'engine/a/x/1.ts': "import '../../b/y.ts';", 'engine/b/z/2.ts': "import '../../a/w.ts';" },
    ],
    [
      'JSON parsed as it comes',
      findUnmeasuredParsing,
      { 'features/a/x.ts': 'const body = JSON.parse(text);' },
    ],
    [
      'YAML parsed as it comes',
      findUnmeasuredParsing,
      { 'features/a/x.ts': "import { parseDocument } from 'yaml';" },
    ],
    ['a clock in the domain', findImpureDomain, { 'domain/a.ts': 'const at = new Date();' }],
    ['an environment read in the domain', findImpureDomain, { 'domain/a.ts': 'process.env.PORT' }],
    ['an async function in the domain', findImpureDomain, { 'domain/a.ts': 'export async function a() {}' }],
    ['now() in a query', findDatabaseClocks, { 'features/a/queries.ts': 'sql`select now()`' }],
    ['a default of current_timestamp', findDatabaseClocks, { 'features/a/queries.ts': 'CURRENT_TIMESTAMP' }],
    [
      'an address that nobody notes',
      findTablesWrittenElsewhere,
      {
        'features/a/queries.ts': 'sql`insert into notification_group_email (group_id, email) values (1, 2)`',
      },
    ],
    [
      'a verb that opens its transaction itself',
      findVerbsWithTheDatabase,
      { 'features/a/verb.ts': 'export const verb = async (\n  db: Database,\n  requester: Requester,\n' },
    ],
    [
      'an update past the folder of its table',
      findTablesWrittenElsewhere,
      { 'engine/readings/a.ts': 'sql`with moved as (update channel as old set name = 1) select 1`' },
    ],
    [
      'an environment read past the configuration',
      findEnvironmentReads,
      { 'platform/a.ts': 'process.env.PORT' },
    ],
    [
      'a lock by a number of its own',
      findStrayLockKeys,
      { 'engine/a.ts': 'select pg_try_advisory_xact_lock(7061003)' },
    ],
    [
      'a configuration that is changed by hand',
      findStepsOutOfOrder,
      { 'features/a/x.ts': "import { raiseConfigVersions } from '../../engine/alarm-state/y.ts';" },
    ],
    [
      'a happening that is noted past the rows it belongs to',
      findStepsOutOfOrder,
      { 'engine/a/x.ts': "import { noteHappenings } from '../outbox/note.ts';" },
    ],
    [
      'a list of values in a text',
      findTextsMadeOfValues,
      { 'engine/a/x.ts': "import sql, { join, type Sql } from 'sql-template-tag';" },
    ],
    ['a connection of its own', findOwnConnections, { 'engine/a.ts': 'const client = new pg.Client({});' }],
  ])('%s is found', (_, rule, broken) => expect(rule(broken as unknown as Sources)).toHaveLength(1));

  test('a row that is only locked is not written', () => {
    const statement = 'sql`select from channel for update; on conflict do update set name = 1`';
    expect(findTablesWrittenElsewhere({ 'engine/a/b.ts': statement })).toEqual([]);
  });

  test('a table that nobody was named for is found, and one that is gone', () => {
    const tables = `${Object.keys(WRITERS).join(';create table ')}`;
    expect(findUnlistedTables({ '1.sql': `create table ${tables}`, '2.sql': 'create table a' })).toEqual([
      'a',
    ]);
    expect(findUnlistedTables({ '1.sql': `create table ${tables}`, '2.sql': 'drop table mute' })).toEqual([
      'mute',
    ]);
  });

  test('a parameter named now is no clock', () => {
    expect(findDatabaseClocks({ 'engine/a.ts': 'select :now; run(now); Date.now();' })).toEqual([]);
  });
});
