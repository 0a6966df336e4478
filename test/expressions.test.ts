// No input may decide how long a regular expression takes: each one of the source is examined, and none is made of a text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../src/platform/project-root.ts';
import { findSlowness, listExpressions } from './support/expressions.ts';

const src = join(projectRoot, 'src');
const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file))
  .flatMap((file) =>
    listExpressions(file, readFileSync(join(src, file), 'utf8')).map((one) => ({ file, ...one })),
  );

/** Those that never see what others wrote, by file: why not. */
const OWN_TEXTS: Record<string, string> = {
  'platform/db/outside-migration.ts': 'reads migrations, which are files of ours',
};

test('every expression takes no longer than its text is long', () => {
  const literals = found.flatMap(({ file, line, literal }) => (literal ? [{ file, line, ...literal }] : []));
  expect(literals.length).toBeGreaterThan(200);
  const slow = literals.flatMap(({ file, line, pattern, flags }) => {
    const why = findSlowness(pattern, flags);
    return why === null || Object.hasOwn(OWN_TEXTS, file)
      ? []
      : [`${file}:${line} /${pattern}/${flags}: ${why}`];
  });
  expect(slow).toEqual([]);
});

test('no expression is made of a text', () => {
  const made = found.filter(({ literal }) => literal === null).map(({ file, line }) => `${file}:${line}`);
  expect(made).toEqual([]);
});

test('files that are let off have an expression that is slow', () => {
  const slow = new Set(
    found.flatMap(({ file, literal }) =>
      literal && findSlowness(literal.pattern, literal.flags) ? [file] : [],
    ),
  );
  expect(Object.keys(OWN_TEXTS).filter((file) => !slow.has(file))).toEqual([]);
});

describe('the examination', () => {
  test.each([
    [/^(a+)+$/, true],
    [/^(\|\s*int\s*(\([^()]*\))?\s*)*$/, true],
    [/^\d+\.?\d*$/, true],
    [/\s+$/, true],
    [/^-+|-+$/g, true],
    [/<a [^>]*>/, true],
    [/\bVersion\/.*Safari\//, true],
    [/^\d+(\.\d*)?$/, false],
    [/^[^,]*,[^,]*$/, false],
    [/"id"\s*:\s*\d+/, false],
    [/,/g, false],
    [/^<a [^>]*>/, false],
  ])('%s: %s', (expression, isSlow) =>
    expect(findSlowness(expression.source, expression.flags) !== null).toBe(isSlow),
  );

  test.each([
    ['const made = new RegExp(typed);', [null]],
    ['const made = RegExp(`^` + typed, "g");', [null]],
    ['text.match("a+"); text.search(`a`);', [null, null]],
    ['text.match(/a/u); cache.match(request); const { search } = url;', [{ pattern: 'a', flags: 'u' }]],
  ])('%s', (text, literals) =>
    expect(listExpressions('a.ts', text).map(({ literal }) => literal)).toEqual(literals),
  );
});
