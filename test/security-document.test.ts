// What docs/security.md says can be looked up: its totals are counted, and its list has no gaps.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
