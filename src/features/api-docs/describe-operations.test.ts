import { describe, expect, test } from 'vitest';
import { describeOperations, type OperationModel } from './describe-operations.ts';
import type { ApiDocument, Operation } from './openapi-document.ts';

const documentWith = (paths: ApiDocument['paths'], rest: Partial<ApiDocument> = {}): ApiDocument => ({
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  security: [{ token: [] }],
  paths,
  ...rest,
});

const tagged = (...tags: string[]): Operation => ({ tags, responses: {} });

describe('sections', () => {
  test('come in the order of the tags, then of appearance, and never empty', () => {
    const document = documentWith(
      {
        '/health': { get: tagged('Health') },
        '/new': { get: tagged('Brand new') },
        '/alarms': { get: tagged('Alarms'), post: tagged('Alarms') },
        '/odd': { get: { responses: {} } },
      },
      { tags: [{ name: 'Alarms', description: 'Now' }, { name: 'Mute' }, { name: 'Health' }] },
    );
    const sections = describeOperations(document);
    expect(sections.map(({ name, operations }) => [name, operations.map(({ anchor }) => anchor)])).toEqual([
      ['Alarms', ['get-alarms', 'post-alarms']],
      ['Health', ['get-health']],
      ['Brand new', ['get-new']],
      ['Other', ['get-odd']],
    ]);
    expect(sections[0]?.description).toEqual([{ text: 'Now', isCode: false }]);
    expect(sections.map(({ anchor }) => anchor)).toEqual(['alarms', 'health', 'brand-new', 'other']);
  });
});

const PATH = '/api/v1/services/{service_id}/mute';

const describeOne = (operation: Partial<Operation>): OperationModel | undefined =>
  describeOperations(documentWith({ [PATH]: { post: { responses: {}, ...operation } } }))[0]?.operations[0];

const words = (text: string) => [{ text, isCode: false }];
const NO_SHAPE = { link: null, note: [], fields: [], choices: [] };

const CASES: [name: string, operation: Partial<Operation>, model: Partial<OperationModel>][] = [
  [
    'method, path and anchor',
    {},
    { method: 'POST', path: PATH, anchor: 'post-api-v1-services-service-id-mute' },
  ],
  [
    'texts',
    { summary: 'Mute a service', description: 'Until it is unmuted' },
    { summary: 'Mute a service', description: words('Until it is unmuted') },
  ],
  ['texts that are missing', {}, { summary: '', description: [] }],
  ['a token is needed unless the route says otherwise', {}, { bearer: '$TOKEN' }],
  ['no token is needed', { security: [] }, { bearer: null }],
  [
    'parameters come before form fields',
    {
      parameters: [
        {
          name: 'service_id',
          in: 'path',
          required: true,
          description: 'Service id',
          schema: { type: 'integer', minimum: 1, maximum: 9 },
        },
      ],
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: ['reason'],
              properties: {
                reason: { type: 'string', pattern: '\\S' },
                minutes: { type: 'integer', default: 60 },
              },
            },
          },
        },
      },
    },
    {
      fields: [
        {
          place: 'path',
          name: 'service_id',
          isRequired: true,
          type: 'integer',
          constraints: '1 to 9',
          description: words('Service id'),
        },
        {
          place: 'form',
          name: 'reason',
          isRequired: true,
          type: 'string',
          constraints: 'not blank',
          description: [],
        },
        {
          place: 'form',
          name: 'minutes',
          isRequired: false,
          type: 'integer',
          constraints: 'default 60',
          description: [],
        },
      ],
      body: null,
    },
  ],
  [
    'a JSON body is a shape',
    { requestBody: { content: { 'application/json': { schema: { type: 'boolean' } } } } },
    { fields: [], body: { ...NO_SHAPE, type: 'boolean' } },
  ],
  [
    'answers: JSON, HTML, a redirect, an error',
    {
      responses: {
        200: { description: 'The id', content: { 'application/json': { schema: { type: 'integer' } } } },
        202: { description: 'A fragment', content: { 'text/html': { schema: { type: 'string' } } } },
        303: { description: 'Saved', headers: { Location: { description: 'The page' } } },
        404: {
          description: 'Nothing',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorDetail' } } },
        },
      },
    },
    {
      answers: [
        {
          status: '200',
          kind: 'success',
          description: words('The id'),
          headers: [],
          contentType: null,
          shape: { ...NO_SHAPE, type: 'integer' },
        },
        {
          status: '202',
          kind: 'success',
          description: words('A fragment'),
          headers: [],
          contentType: 'text/html',
          shape: null,
        },
        {
          status: '303',
          kind: 'redirect',
          description: words('Saved'),
          headers: [{ name: 'Location', description: words('The page') }],
          contentType: null,
          shape: null,
        },
        {
          status: '404',
          kind: 'error',
          description: words('Nothing'),
          headers: [],
          contentType: null,
          shape: {
            ...NO_SHAPE,
            type: 'ErrorDetail',
            link: { name: 'ErrorDetail', anchor: 'shape-error-detail' },
          },
        },
      ],
    },
  ],
];

describe('an operation', () => {
  test.each(CASES)('%s', (_name, operation, model) => {
    expect(describeOne(operation)).toMatchObject(model);
  });
});
