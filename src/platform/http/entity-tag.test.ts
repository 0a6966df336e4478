import { expect, test } from 'vitest';
import { namesTag, writeTagged } from './entity-tag.ts';

test('the same text has the same tag, another one another', () => {
  const tagOf = (json: string) => writeTagged(json).tag;
  expect(tagOf('[]')).toMatch(/^"[\w-]{27}"$/);
  expect(tagOf('[]')).toBe(tagOf('[]'));
  expect(tagOf('[]')).not.toBe(tagOf('[ ]'));
});

test.each([
  ['the tag', '"abc"', true],
  ['the tag, weak', 'W/"abc"', true],
  ['one of several', '"x", W/"y" ,"abc"', true],
  ['one of several without spaces', '"x","abc"', true],
  ['any', '*', true],
  ['any, with spaces', ' * ', true],
  ['none', undefined, false],
  ['an empty header', '', false],
  ['another tag', '"abd"', false],
  ['a tag that begins like it', '"abcd"', false],
  ['no quotes', 'abc', false],
  ['an asterisk among others', '"x", *', false],
  ['an asterisk in quotes', '"*"', false],
  ['a tag with a comma in it', '"x,abc"', false],
  ['quotes that never end', '"abc', false],
])('If-None-Match with %s', (_, header, isNamed) => {
  expect(namesTag(header, '"abc"')).toBe(isNamed);
});
