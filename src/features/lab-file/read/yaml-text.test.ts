import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkLabFile } from './check-lab-file.ts';
import type { LabFileFault } from './faults.ts';
import { readLabFile } from './read-lab-file.ts';

function faultsIn(text: string): LabFileFault[] {
  const { file, faults } = readLabFile(text);
  checkLabFile(file, faults);
  return faults.list();
}

function faultsOf(text: string): string[] {
  return faultsIn(text).map(({ line, column, path, message }) =>
    [`${line}:${column}`, ...(path ? [path] : []), message].join(' | '),
  );
}

describe('aliases and merge keys', () => {
  test('an entry takes over what it merges, and its own keys win', () => {
    const { file } = readLabFile(`organizations:
  - name: Lab
    services:
      - &freezer
        name: Freezer 1
        stale_after_minutes: 20
        notifications: &told { send_critical: true }
      - <<: *freezer
        name: Freezer 2
      - { <<: [{ stale_after_minutes: 5 }, *freezer], name: Freezer 3, notifications: *told }
`);
    expect(file.organizations[0]?.services).toMatchObject([
      { name: 'Freezer 1', stale_after_minutes: 20 },
      { name: 'Freezer 2', stale_after_minutes: 20, notifications: { send_critical: true } },
      { name: 'Freezer 3', stale_after_minutes: 5, notifications: { send_critical: true } },
    ]);
  });

  test('an anchor that merges itself is a fault, not an endless loop', () => {
    expect(faultsOf('accounts:\n  - &a { <<: *a, email: a@b }\n')).toEqual([
      '2:10 | accounts[0].<< | must name another mapping',
    ]);
  });

  test('a quoted << is a key like any other', () => {
    expect(faultsOf('"<<": {}\n')).toEqual(['1:1 | << | unknown key']);
  });
});

test('what is too deep, or too much once aliases are followed, is refused before it is read', () => {
  expect(faultsOf('? '.repeat(9_900))).toEqual(['1:99 | something stands more than 50 levels deep']);
  expect(faultsOf(`accounts: ${'['.repeat(9_900)}`)).toHaveLength(1);
  const bomb = ['a0: &a0 [x]'];
  for (let level = 1; level < 30; level += 1)
    bomb.push(`a${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}]`);
  expect(faultsOf(bomb.join('\n'))).toEqual([
    '1:1 | with what its aliases stand for, this has more than 4000000 entries',
  ]);
});

test('several documents count as one file', () => {
  const { file } = readLabFile('accounts: [{ email: a@b }]\n---\n---\naccounts: [{ email: c@d }]\n');
  expect(file.accounts.map(({ email }) => email)).toEqual(['a@b', 'c@d']);
});

test('whatever the text, reading it ends with a file or with faults that have a place', () => {
  // A bit of everything the file may contain, in any shape.
  const word = fc.constantFrom(
    'accounts',
    'organizations',
    'services',
    'name',
    'email',
    'limits',
    'bands',
    '<<',
    'x',
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 6 }, fc.constantFrom(null, true, -1, 'a@b', ''), tie('list'), tie('map')),
    list: fc.array(tie('tree'), { maxLength: 3 }),
    map: fc.dictionary(word, tie('tree'), { maxKeys: 4 }),
  }));
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    tree.map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(text, (given) => {
      for (const { line, column, message } of faultsIn(given)) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(column).toBeGreaterThanOrEqual(1);
        expect(message).not.toBe('');
      }
    }),
  );
});
