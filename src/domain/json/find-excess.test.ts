import fc from 'fast-check';
import { expect, test } from 'vitest';
import { english } from '../language/english.ts';
import { sayRefused } from '../readings/refused.ts';
import { DEEPEST_JSON, findExcess, MOST_JSON_PARTS } from './find-excess.ts';

const DEEP = 'the JSON is more than 50 levels deep';
const MUCH = 'the JSON has more than 60000 parts: send fewer at once';

test.each([
  ['just not too deep', `${'['.repeat(DEEPEST_JSON)}${']'.repeat(DEEPEST_JSON)}`, null],
  ['too deep', '['.repeat(DEEPEST_JSON + 1), DEEP],
  ['too deep behind brackets in texts', '["]",'.repeat(DEEPEST_JSON + 1), DEEP],
  ['too deep behind escaped quotes', '["\\"]",'.repeat(DEEPEST_JSON + 1), DEEP],
  ['objects', '{"a":'.repeat(DEEPEST_JSON + 1), DEEP],
  ['brackets in a text', `"${'['.repeat(1_000)}"`, null],
  ['many in a row', `[${'0,'.repeat(MOST_JSON_PARTS - 1)}0]`, null],
  ['too many in a row', `[${'0,'.repeat(MOST_JSON_PARTS)}0]`, MUCH],
  ['too many empty ones', `[${'{},'.repeat(MOST_JSON_PARTS / 2)}0]`, MUCH],
  ['a long text', `"${'a,'.repeat(MOST_JSON_PARTS)}"`, null],
  ['no JSON', '}]}]', null],
])('%s', (_, text, excess) => {
  const found = findExcess(text);
  expect(found && sayRefused(found, english)).toBe(excess);
});

test('what is within the bounds is never refused', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), (text) => {
      expect(findExcess(text)).toBe(null);
    }),
  );
});
