import { expect, test } from 'vitest';
import { exampleRequest } from './example-request.ts';
import type { ApiDocument, Operation, Schema } from './openapi-document.ts';

const document: ApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  security: [{ token: [] }],
  paths: {},
};

const form = (schema: Schema) => ({ content: { 'application/x-www-form-urlencoded': { schema } } });
const json = (schema: Schema, example?: unknown) => ({
  content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
});

const CASES: [name: string, method: string, path: string, operation: Partial<Operation>, lines: string[]][] =
  [
    ['nothing but a path', 'get', '/health', { security: [] }, ['curl "$TOCSIN/health"']],
    [
      'a token',
      'get',
      '/api/v1/alarms',
      {},
      ['curl "$TOCSIN/api/v1/alarms" \\', '  -H "Authorization: Bearer $TOKEN"'],
    ],
    [
      'the secret of a source',
      'get',
      '/api/v1/telemetry',
      { security: [{ sourceSecret: [] }] },
      ['curl "$TOCSIN/api/v1/telemetry" \\', '  -H "Authorization: Bearer $SOURCE_SECRET"'],
    ],
    [
      'a method without a body',
      'delete',
      '/api/v1/downtimes/{downtime_id}',
      {
        security: [],
        parameters: [{ name: 'downtime_id', in: 'path', schema: { type: 'integer', minimum: 1 } }],
      },
      ['curl -X DELETE "$TOCSIN/api/v1/downtimes/1"'],
    ],
    [
      'required query parameters',
      'get',
      '/api/v1/readings',
      {
        security: [],
        parameters: [
          { name: 'from', in: 'query', required: true, schema: { type: 'string', format: 'date-time' } },
          { name: 'to', in: 'query', schema: { type: 'string' } },
        ],
      },
      ['curl "$TOCSIN/api/v1/readings?from=2026-11-15T02%3A00%3A00Z"'],
    ],
    [
      'required form fields, and a secret that stays out of the command',
      'post',
      '/api/v1/auth/token',
      {
        security: [],
        requestBody: form({
          type: 'object',
          required: ['username', 'password'],
          properties: {
            username: { type: 'string', examples: ["o'neill@lab.example"] },
            password: { type: 'string', writeOnly: true },
            grant_type: { type: 'string' },
          },
        }),
      },
      [
        'curl "$TOCSIN/api/v1/auth/token" \\',
        "  --data-urlencode 'username=o'\\''neill@lab.example' \\",
        '  --data-urlencode "password=$PASSWORD"',
      ],
    ],
    [
      'all form fields when none is required',
      'post',
      '/api/v1/services/{service_id}/mute',
      {
        security: [],
        parameters: [{ name: 'service_id', in: 'path', example: 7 }],
        requestBody: form({ type: 'object', properties: { reason: { type: 'string' } } }),
      },
      ['curl "$TOCSIN/api/v1/services/7/mute" \\', "  --data-urlencode 'reason=<reason>'"],
    ],
    [
      'a JSON body made up from its schema',
      'post',
      '/api/v1/telemetry',
      {
        security: [],
        requestBody: json({
          anyOf: [
            {
              type: 'object',
              required: ['service_id', 'values'],
              properties: {
                service_id: { type: 'integer' },
                time: { type: 'string' },
                values: { type: 'object', additionalProperties: { type: 'number' } },
              },
            },
          ],
        }),
      },
      [
        'curl "$TOCSIN/api/v1/telemetry" \\',
        "  -H 'Content-Type: application/json' \\",
        `  --data '{"service_id":1,"values":{"<name>":1}}'`,
      ],
    ],
    [
      'a JSON body that the route gives as an example',
      'post',
      '/api/v1/telemetry',
      { security: [], requestBody: json({ type: 'array' }, [{ device: 'a1' }]) },
      [
        'curl "$TOCSIN/api/v1/telemetry" \\',
        "  -H 'Content-Type: application/json' \\",
        `  --data '[{"device":"a1"}]'`,
      ],
    ],
    [
      'an answer that lies in its headers',
      'post',
      '/api/v1/auth/logout',
      { security: [], responses: { 302: { description: 'To /login' }, 500: { description: 'Failed' } } },
      ['curl --include -X POST "$TOCSIN/api/v1/auth/logout"'],
    ],
  ];

test.each(CASES)('%s', (_name, method, path, operation, lines) => {
  const responses = { 200: { description: 'Success' } };
  const example = exampleRequest(document, { method, path, operation: { responses, ...operation } });
  expect(example.split('\n')).toEqual(lines);
});
