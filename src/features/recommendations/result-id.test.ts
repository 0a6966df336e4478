import { expect, test } from 'vitest';
import { FieldFaults } from '../../platform/http/fields.ts';
import { readResultId } from './result-id.ts';

test.each([
  ['1', '1'],
  ['9007199254740993', '9007199254740993'],
  ['9223372036854775807', '9223372036854775807'],
  ['007', '7'],
])('%s is taken as %s, to the last digit', (input, read) => {
  expect(readResultId(input)).toBe(read);
});

test.each([
  ['0', 'range'],
  ['000', 'range'],
  ['9223372036854775808', 'range'],
  ['9'.repeat(1_000_000), 'range'],
  ['-1', 'integer'],
  ['+1', 'integer'],
  ['', 'integer'],
  [' 1', 'integer'],
  ['1.0', 'integer'],
  ['1e3', 'integer'],
  ['0x10', 'integer'],
  ['١', 'integer'],
])('%.25s is refused: %s', (input, type) => {
  let thrown: unknown;
  try {
    readResultId(input);
  } catch (error) {
    thrown = error;
  }
  expect((thrown as FieldFaults).faults).toEqual([
    { type, loc: ['body', 'result_id'], msg: expect.any(String), input },
  ]);
  expect(thrown).toBeInstanceOf(FieldFaults);
});
