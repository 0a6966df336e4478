import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../project-root.ts';

const css = readFileSync(join(projectRoot, 'assets/tocsin.css'), 'utf8');
const [light = '', dark = ''] = css.split('@media screen and (prefers-color-scheme: dark)');

const readColours = (block: string): Map<string, string> =>
  new Map(
    [...(block.split('}')[0] ?? '').matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

const schemes = { light: readColours(light), dark: readColours(dark) };

/** Relative luminance, WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const TEXT = 4.5;
const SHAPE = 3;

const PAIRS: [foreground: string, background: string, atLeast: number][] = [
  ['critical', 'critical-surface', TEXT],
  ['warning', 'warning-surface', TEXT],
  ['stale', 'stale-surface', TEXT],
  ['normal', 'normal-surface', TEXT],
  ['critical', 'surface-raised', TEXT],
  ['text', 'surface', TEXT],
  ['text', 'surface-raised', TEXT],
  ['text', 'surface-sunken', TEXT],
  ['muted', 'surface', TEXT],
  ['muted', 'surface-raised', TEXT],
  ['muted', 'surface-sunken', TEXT],
  ['accent', 'surface', TEXT],
  ['accent', 'surface-raised', TEXT],
  ['accent-text', 'accent', TEXT],
  ['header-text', 'header', TEXT],
  ['over-1', 'surface-raised', SHAPE],
  ['over-2', 'surface-raised', SHAPE],
  ['over-3', 'surface-raised', SHAPE],
  ['control-line', 'surface', SHAPE],
  ['control-line', 'surface-raised', SHAPE],
];

describe.each(Object.entries(schemes))('in the %s scheme', (_scheme, colours) => {
  test.each(PAIRS)('%s on %s can be read', (foreground, background, atLeast) => {
    const [one, other] = [colours.get(foreground), colours.get(background)];
    expect(one).toBeDefined();
    expect(other).toBeDefined();
    expect(contrast(one ?? '#000000', other ?? '#000000')).toBeGreaterThanOrEqual(atLeast);
  });
});

test('both schemes set the same colours', () => {
  expect([...schemes.dark.keys()]).toEqual([...schemes.light.keys()]);
});

test('rules take their colours from tokens', () => {
  const rules = css.slice(css.indexOf('*,\n*::before'));
  expect(rules.match(/#[0-9a-f]{3,8}\b|rgb\(/gi)).toBeNull();
});

test('every token that a rule uses exists', () => {
  const used = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  const missing = [...used].filter((name) => !light.includes(`  ${name}:`));
  expect(missing).toEqual([]);
});

test('it says nothing, and knows no left or right: other languages have other words, and some begin at the other side', () => {
  expect(css.match(/content: "[^"]*[A-Za-z][^"]*"/g)).toBeNull();
  expect(
    css.match(/\b(margin|padding|border)-(left|right)\b|text-align: left|float: (left|right)/g),
  ).toBeNull();
});
