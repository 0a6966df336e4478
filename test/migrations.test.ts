// Programs of the version before run on while a migration is applied and after: what they use is not taken away under them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../src/platform/project-root.ts';

const FOLDER = join(projectRoot, 'migrations');
/** Those before went with a version that nobody ran beside another. */
const FIRST_UNDER_THE_RULE = '0022';
const TAKES_AWAY =
  /\b(drop (table|column|function|view)|rename (to|column)|set not null|alter column \w+ type)\b/i;
const CONTRACTS = /^-- Contracts (\d{4}_\w+\.sql)/m;

const names = readdirSync(FOLDER).filter((name) => name >= FIRST_UNDER_THE_RULE);

test.each(names)('%s adds, or says which earlier one it contracts', (name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  const statements = text.replaceAll(/^--.*$/gm, '');
  const contracted = CONTRACTS.exec(text)?.[1];
  if (TAKES_AWAY.test(statements)) expect(contracted, 'see Migrations in CONTRIBUTING.md').toBeDefined();
  if (contracted) {
    expect(readdirSync(FOLDER)).toContain(contracted);
    expect(contracted < name).toBe(true);
  }
});

test.each(names)('%s changes the packs in a file of one statement, if it does', (name) => {
  const statements = readFileSync(join(FOLDER, name), 'utf8')
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .filter((statement) => statement.trim() !== '');
  const changesPacks = statements.some((statement) => /\b(on|table)\s+reading_pack\b/i.test(statement));
  // Citus hands on all of what it is sent to every shard.
  if (changesPacks) expect(statements).toHaveLength(1);
});

/** Two that landed together; they do not touch, and a landed name stays. */
const TWICE = ['0064'];

test('no two have the same number: of those that do, nobody knows which comes first', () => {
  const numbers = readdirSync(FOLDER).map((name) => name.slice(0, 4));
  const twice = numbers.filter((number, index) => numbers.indexOf(number) !== index);
  expect(twice).toEqual(TWICE);
});
