import { describe, expect, test } from 'vitest';
import {
  describeConstraints,
  describeShape,
  describeSharedShapes,
  describeType,
  toAnchor,
  toWords,
} from './describe-schema.ts';
import type { Schema } from './openapi-document.ts';

const TYPES: [words: string, schema: Schema][] = [
  ['string', { type: 'string' }],
  ['timestamp', { type: 'string', format: 'date-time' }],
  ['timestamp or null', { type: ['string', 'null'], format: 'date-time' }],
  ['integer or null', { type: ['integer', 'null'] }],
  ['"bearer"', { type: 'string', enum: ['bearer'] }],
  ['"high" or "low" or null', { type: ['string', 'null'], enum: ['high', 'low', null] }],
  ['number or boolean', { anyOf: [{ type: 'number' }, { type: 'boolean' }] }],
  ['array of strings', { type: 'array', items: { type: 'string' } }],
  ['array of integer or null', { type: 'array', items: { type: ['integer', 'null'] } }],
  ['array', { type: 'array' }],
  [
    '[string, number]',
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
  ],
  ['map of names to number', { type: 'object', additionalProperties: { type: 'number' } }],
  ['object', { type: 'object', additionalProperties: true }],
  ['ErrorDetail', { $ref: '#/components/schemas/ErrorDetail' }],
  ['any value', {}],
];

test.each(TYPES)('a type is notified as: %s', (words, schema) => {
  expect(describeType(schema)).toBe(words);
});

const CONSTRAINTS: [words: string, schema: Schema][] = [
  ['', { type: 'string' }],
  ['1 to 2147483647', { minimum: 1, maximum: 2147483647 }],
  ['at least 0', { minimum: 0 }],
  ['at most 9', { maximum: 9 }],
  ['not blank', { minLength: 1, pattern: '\\S' }],
  ['not empty', { minLength: 1 }],
  ['not empty', { minLength: 1, format: 'password', writeOnly: true }],
  ['1 to 64 characters', { minLength: 1, maxLength: 64 }],
  ['at most 3 items', { maxItems: 3 }],
  ['matches ^a$', { pattern: '^a$' }],
  ['uuid', { format: 'uuid' }],
  ['at least 0, default 60', { minimum: 0, default: 60 }],
];

test.each(CONSTRAINTS)('constraints are notified as: %s', (words, schema) => {
  expect(describeConstraints(schema).join(', ')).toBe(words);
});

describe('a shape', () => {
  test('has the fields of an object, and says which may be absent', () => {
    const shape = describeShape({
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer', description: 'Equals `service_id`' }, note: { type: 'string' } },
    });
    expect(shape.type).toBe('object');
    expect(shape.fields.map(({ name, isRequired, type }) => [name, isRequired, type])).toEqual([
      ['id', true, 'integer'],
      ['note', false, 'string'],
    ]);
    expect(shape.fields[0]?.note).toEqual([
      { text: 'Equals ', isCode: false },
      { text: 'service_id', isCode: true },
    ]);
  });

  test('of an array or a map has the fields of its entries', () => {
    const entry: Schema = { type: 'object', properties: { id: { type: 'integer' } } };
    const names = (schema: Schema) => describeShape(schema).fields.map(({ name }) => name);
    expect(names({ type: 'array', items: entry })).toEqual(['id']);
    expect(names({ type: 'object', additionalProperties: entry })).toEqual(['id']);
  });

  test('with alternatives lists them', () => {
    const shape = describeShape({
      anyOf: [
        { type: 'object', properties: { status: { type: 'string', enum: ['muted'] } } },
        { type: 'object', properties: { status: { type: 'string', enum: ['error'] } } },
      ],
    });
    expect(shape.type).toBe('one of');
    expect(shape.choices.map(({ fields }) => fields[0]?.type)).toEqual(['"muted"', '"error"']);
  });

  test('with alternatives of plain values is told by its type alone', () => {
    const shape = describeShape({ anyOf: [{ type: 'number' }, { type: 'boolean' }] });
    expect(shape).toMatchObject({ type: 'number or boolean', choices: [] });
  });

  test('that is shared is linked to, and described under that link', () => {
    const [shared] = describeSharedShapes({
      openapi: '3.1.0',
      info: { title: 'Test', version: '1' },
      paths: {},
      components: { schemas: { FieldErrorDetail: { type: 'object' } } },
    });
    const anchor = 'shape-field-error-detail';
    expect(shared).toMatchObject({ name: 'FieldErrorDetail', anchor });
    const $ref = '#/components/schemas/FieldErrorDetail';
    expect(describeShape({ $ref }).link).toEqual({ name: 'FieldErrorDetail', anchor });
    expect(describeShape({ type: 'array', items: { $ref } }).link?.anchor).toBe(anchor);
  });
});

test('an anchor keeps letters and digits', () => {
  expect(toAnchor('post /api/v1/auth/token')).toBe('post-api-v1-auth-token');
  expect(toAnchor('delete /api/v1/downtimes/{downtime_id}')).toBe('delete-api-v1-downtimes-downtime-id');
});

test('no text is no words', () => {
  expect(toWords()).toEqual([]);
});
