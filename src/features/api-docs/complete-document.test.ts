import { expect, test } from 'vitest';
import { errors } from '../../platform/http/answers.ts';
import { completeDocument, nameOperation } from './complete-document.ts';
import type { ApiDocument, Operation, Schema } from './openapi-document.ts';

const complete = (operation: Partial<Operation>, document: Partial<ApiDocument> = {}): ApiDocument =>
  completeDocument({
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: { '/api/v1/alarms': { get: { responses: {}, ...operation } } },
    ...document,
  });

const completed = (operation: Partial<Operation>) => complete(operation).paths['/api/v1/alarms']?.get;

const errorAnswer = (status: number, description?: string) => {
  const schema = errors(status)[status] as Schema;
  return {
    [status]: {
      description: description ?? schema.description ?? '',
      content: { 'application/json': { schema } },
    },
  };
};

test.each([
  ['get', '/api/v1/alarms', 'getAlarms'],
  ['post', '/api/v1/auth/token', 'postAuthToken'],
  ['post', '/api/v1/alarms/{service_id}/acknowledge', 'postAlarmsByServiceIdAcknowledge'],
  ['post', '/api/v1/services/{service_id}/delete-band', 'postServicesByServiceIdDeleteBand'],
  ['get', '/api/v1/health', 'getHealth'],
  ['get', '/health', 'getRootHealth'],
])('%s %s is the operation %s', (method, path, name) => {
  expect(nameOperation(method, path)).toBe(name);
});

test('a name that a route chose stays', () => {
  expect(completed({ operationId: 'listAlarms' })?.operationId).toBe('listAlarms');
});

test('methods that share a route have a name each', () => {
  const shared: Operation = { responses: {} };
  const { paths } = complete({}, { paths: { '/api/v1/auth/logout': { get: shared, post: shared } } });
  const { get, post } = paths['/api/v1/auth/logout'] ?? {};
  expect([get?.operationId, post?.operationId]).toEqual(['getAuthLogout', 'postAuthLogout']);
});

test('tags without an operation are left out, the others keep their order', () => {
  const tags = [{ name: 'Token' }, { name: 'Alarms' }, { name: 'Mute' }, { name: 'Health' }];
  const { tags: used } = complete({ tags: ['Health', 'Alarms'] }, { tags });
  expect(used).toEqual([{ name: 'Alarms' }, { name: 'Health' }]);
});

test('a form without required fields may be left out', () => {
  const form = (required: string[]) => ({
    required: true,
    content: { 'multipart/form-data': { schema: { type: 'object', properties: { a: {} }, required } } },
  });
  expect(completed({ requestBody: form([]) })?.requestBody?.required).toBe(false);
  expect(completed({ requestBody: form(['a']) })?.requestBody?.required).toBe(true);
});

test('errors are shared schemas', () => {
  const { paths, components } = complete({ responses: { ...errorAnswer(404), ...errorAnswer(422) } });
  const answers = paths['/api/v1/alarms']?.get?.responses;
  expect(answers?.[404]?.content?.['application/json']?.schema).toEqual({
    $ref: '#/components/schemas/ErrorDetail',
  });
  expect(answers?.[422]?.content?.['application/json']?.schema).toEqual({
    $ref: '#/components/schemas/FieldErrorDetail',
  });
  expect(components?.schemas?.ErrorDetail).toEqual({
    type: 'object',
    required: ['detail'],
    properties: { detail: { type: 'string' } },
  });
  expect(Object.keys(components?.schemas ?? {})).toEqual(['ErrorDetail', 'FieldErrorDetail']);
});

test('an answer that nobody explained is explained by its status', () => {
  const responses = { 200: { description: 'Default Response' }, ...errorAnswer(409) };
  const answers = completed({ responses })?.responses;
  expect(answers?.[200]?.description).toBe('Success');
  expect(answers?.[409]?.description).toBe('The current state does not allow this');
});

test("a route's own explanation stays", () => {
  const responses = { 200: { description: 'The alarms' }, ...errorAnswer(409, 'Already acknowledged') };
  const answers = completed({ responses })?.responses;
  expect(answers?.[200]?.description).toBe('The alarms');
  expect(answers?.[409]?.description).toBe('Already acknowledged');
});
