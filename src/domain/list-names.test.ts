import { expect, test } from 'vitest';
import { english } from './language/english.ts';
import { listNames } from './list-names.ts';

test.each([
  [[], ''],
  [['Ada'], 'Ada'],
  [['Ada', 'Ben'], 'Ada or Ben'],
  [['Ada', 'Ben', 'Cem'], 'Ada, Ben or Cem'],
  [['Ada', 'Ben', 'Cem', 'Dora'], 'Ada, Ben or 2 others'],
])('%j', (names, said) => expect(listNames(names, 'or', english)).toBe(said));
