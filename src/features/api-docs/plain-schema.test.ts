import { expect, test } from 'vitest';
import type { Schema } from './openapi-document.ts';
import { plainSchema } from './plain-schema.ts';

const literal = (value: string): Schema => ({ type: 'string', enum: [value] });

const CASES: [name: string, given: object, plain: Schema][] = [
  ['a plain schema stays', { type: 'string', minLength: 1 }, { type: 'string', minLength: 1 }],
  [
    'a tuple',
    { type: 'array', additionalItems: false, items: [{ type: 'string' }, { type: 'number' }], minItems: 2 },
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 2 },
  ],
  [
    'text that must not be blank',
    { type: 'string', blankIsMissing: true },
    { type: 'string', pattern: '\\S' },
  ],
  [
    'a value or null',
    { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], description: 'Id' },
    { type: ['integer', 'null'], minimum: 1, description: 'Id' },
  ],
  [
    'one of several words',
    { anyOf: [literal('healthy'), literal('degraded')] },
    { type: 'string', enum: ['healthy', 'degraded'] },
  ],
  [
    'one of several words or null',
    { anyOf: [literal('high'), literal('low'), { type: 'null' }] },
    { type: ['string', 'null'], enum: ['high', 'low', null] },
  ],
  [
    'different kinds of values stay a union',
    { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
    { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
  ],
  [
    'words that are explained one by one stay a union',
    { anyOf: [{ ...literal('on'), description: 'Running' }, literal('off')] },
    { anyOf: [{ ...literal('on'), description: 'Running' }, literal('off')] },
  ],
  [
    'nested schemas',
    {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'string', blankIsMissing: true } } },
      additionalProperties: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
    {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'string', pattern: '\\S' } } },
      additionalProperties: { type: ['string', 'null'] },
    },
  ],
];

test.each(CASES)('%s', (_name, given, plain) => {
  expect(plainSchema(given)).toEqual(plain);
});
