// What docs/security.md says can be looked up: its files exist, its totals are counted, and its list has no gaps.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../src/platform/project-root.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const document = read('docs/security.md');

const VERDICTS = ['met', 'not met', 'operator', 'n/a'];

const requirements = [
  ...document.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| (.+?) \| (.+?) \| (.+) \|$/gm),
].map(([, number = '', level = '', matter = '', verdict = '', where = '']) => ({
  number,
  level,
  matter,
  verdict,
  where,
}));

test.each(['docs/security.md', 'SECURITY.md'])('every file that %s names exists', (path) => {
  const text = read(path);
  const named = [...text.matchAll(/`((?:src|test|docs|bin|deploy|migrations)\/[^`]+)`/g)].map(
    ([, name = '']) => name,
  );
  const linked = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, name = '']) =>
    join(dirname(path), name),
  );
  expect(named.length + linked.length).toBeGreaterThan(1);
  for (const name of [...named, ...linked]) expect.soft(existsSync(join(projectRoot, name)), name).toBe(true);
});

test('every heading that it leads to is there', () => {
  const headings = [...document.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  for (const [, anchor = ''] of document.matchAll(/\]\(#([^)]+)\)/g)) expect.soft(headings).toContain(anchor);
});

test('every requirement of ASVS 5.0.0 up to level 2 has its line, in order', () => {
  const perLevel = (level: string) => requirements.filter((one) => one.level === level).length;
  expect({ first: perLevel('1'), second: perLevel('2') }).toEqual({ first: 70, second: 183 });
  const numbers = requirements.map(({ number }) => number);
  const inOrder = numbers.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  expect(numbers).toEqual(inOrder);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('every line has a verdict and says where or why; what is met can be looked up', () => {
  for (const { number, verdict, where } of requirements) {
    expect.soft(VERDICTS, number).toContain(verdict);
    expect.soft(where.length, number).toBeGreaterThan(5);
    if (verdict === 'met') expect.soft(where, number).toMatch(/`(src|test|bin|deploy)\/|\]\(/);
  }
});

test.each([
  ['1', '1'],
  ['2', '2'],
  ['both', '[12]'],
])('the totals of level %s are those of the list', (name, levels) => {
  const [, ...figures] =
    new RegExp(`^\\| ${name} \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|$`, 'm').exec(
      document,
    ) ?? [];
  const ours = requirements.filter(({ level }) => new RegExp(levels).test(level));
  const counted = VERDICTS.map((verdict) => ours.filter((one) => one.verdict === verdict).length);
  expect(figures.map(Number)).toEqual([...counted, ours.length]);
});
