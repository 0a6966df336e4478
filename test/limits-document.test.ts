// The table of docs/limits.md is the one of the program.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MOSTS, type Most, sayMost, sayNumber } from '../src/domain/mosts.ts';
import { projectRoot } from '../src/platform/project-root.ts';

const text = readFileSync(join(projectRoot, 'docs/limits.md'), 'utf8');

test('names each most with its number, what it is counted in, and what to do', () => {
  const rows = Object.values<Most>(MOSTS).map(
    ({ of, most, sentence }) =>
      `| ${of} | ${sayNumber(most)} | ${/ has at most \{most\} (.*?): (.*)\.$/.exec(sentence)?.slice(1).join(' | ')} |`,
  );
  const shown = text.split('\n').filter((line) => /^\| (?!of each )/.test(line));
  expect(shown).toEqual(rows);
});

test('a refusal says the number and what to do', () => {
  expect(sayMost('services')).toBe(
    'An organization has at most 100,000 services, archived ones included: give one that is archived another name and use it again.',
  );
  expect(sayMost('standIns')).toBe('A rota has at most 100 stand-ins to come: end one that is not needed.');
});
