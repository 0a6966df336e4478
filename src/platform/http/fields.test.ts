import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import {
  type FieldFaults,
  filledText,
  id,
  isInt4,
  readFields,
  secretText,
  signedInteger,
  text,
} from './fields.ts';

type Read = { value: object } | { error: FieldFaults };
const faultsOf = (read: Read) => ('error' in read ? read.error.faults : []);
const readValue = (read: Read) => ('value' in read ? { ...read.value } : read.error.faults);

describe('an id in the path', () => {
  const path = Type.Object({ service_id: id('Service id') });
  const read = (service_id: string) => readFields(path, { service_id }, 'path');

  test.each([
    ['1', 1],
    ['007', 7],
    ['2147483647', 2147483647],
  ])('%s is %i', (input, expected) => expect(readValue(read(input))).toEqual({ service_id: expected }));

  test.each([
    ['0', 'range'],
    ['2147483648', 'range'],
    ['99999999999999999999999999', 'range'],
    ['-1', 'integer'],
    ['+1', 'integer'],
    ['1.0', 'integer'],
    ['1e3', 'integer'],
    ['0x10', 'integer'],
    [' 1', 'integer'],
    ['١', 'integer'],
    ['abc', 'integer'],
    ['', 'integer'],
  ])('%j is refused (%s)', (input, type) => {
    expect(faultsOf(read(input))).toEqual([
      { type, loc: ['path', 'service_id'], msg: expect.any(String), input },
    ]);
  });

  test('every number in range is itself, everything else is refused', () => {
    fc.assert(
      fc.property(fc.bigInt(), (number) => {
        const inRange = number >= 1n && number <= 2147483647n;
        if (inRange) expect(readValue(read(String(number)))).toEqual({ service_id: Number(number) });
        else expect(faultsOf(read(String(number)))).toHaveLength(1);
      }),
    );
  });

  test('any other text is refused with the text in the answer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (input) => {
        fc.pre(!/^[0-9]+$/.test(input));
        expect(faultsOf(read(input))[0]?.input).toBe(input);
      }),
    );
  });
});

describe('any integer in the path', () => {
  const path = Type.Object({ service_id: signedInteger('Service id') });
  const read = (service_id: string) => readFields(path, { service_id }, 'path');

  test.each([
    ['1', 1],
    ['007', 7],
    ['+7', 7],
    ['-7', -7],
    ['0', 0],
    ['-0', 0],
    ['2147483648', 2147483648],
    ['-2147483649', -2147483649],
    ['9'.repeat(400), Number.POSITIVE_INFINITY],
  ])('%s is %d', (input, expected) => expect(readValue(read(input))).toEqual({ service_id: expected }));

  test.each(['', '+', '-', '--1', '+-1', '1-', '1.0', '1e3', '0x10', ' 1', '1 ', '1_000', '١', 'abc', '1\n'])(
    '%j is refused',
    (input) => {
      expect(faultsOf(read(input))).toEqual([
        { type: 'integer', loc: ['path', 'service_id'], msg: expect.any(String), input },
      ]);
    },
  );

  test('whatever its length, it is known whether the database could hold it', () => {
    const near = (edge: bigint) => fc.bigInt({ min: edge - 3n, max: edge + 3n });
    const any = fc.oneof(near(2n ** 31n), near(-(2n ** 31n)), near(2n ** 32n), near(2n ** 53n), fc.bigInt());
    fc.assert(
      fc.property(any, (integer) => {
        const { service_id } = readValue(read(String(integer))) as unknown as { service_id: number };
        const fits = integer >= -(2n ** 31n) && integer < 2n ** 31n;
        expect(isInt4(service_id)).toBe(fits);
        if (fits) expect(BigInt(service_id)).toBe(integer);
      }),
    );
  });
});

describe('form fields', () => {
  const form = Type.Object({
    username: filledText('Email'),
    password: secretText('Password'),
    comment: Type.Optional(text('Comment')),
  });

  test('a missing body is a form without fields', () => {
    expect(faultsOf(readFields(form, null, 'body'))).toEqual([
      { type: 'missing', loc: ['body', 'username'], msg: 'Field required', input: null },
      { type: 'missing', loc: ['body', 'password'], msg: 'Field required', input: null },
    ]);
  });

  test.each([
    ['blank user name', { username: ' \t', password: 'x' }, ['username']],
    ['empty password', { username: 'a', password: '' }, ['password']],
    ['a password of spaces', { username: 'a', password: '  ' }, []],
  ])('%s', (_, sent, missing) => {
    expect(faultsOf(readFields(form, sent, 'body')).map((fault) => fault.loc[1])).toEqual(missing);
  });

  test('text stays exactly as sent, and unknown fields are left out', () => {
    const sent = { username: ' A ', password: ' p ', comment: ' ', other: 'x' };
    expect(readValue(readFields(form, sent, 'body'))).toEqual({
      username: ' A ',
      password: ' p ',
      comment: ' ',
    });
  });

  test('NUL characters are refused, and a secret is not repeated', () => {
    const faults = faultsOf(readFields(form, { username: 'a\0', password: 'p\0' }, 'body'));
    expect(faults.map(({ type, input }) => [type, input])).toEqual([
      ['nul_character', 'a\0'],
      ['nul_character', null],
    ]);
  });

  test('inherited names are not fields', () => {
    const odd = Type.Object({ toString: filledText('x') });
    expect(faultsOf(readFields(odd, {}, 'body'))).toHaveLength(1);
  });
});
