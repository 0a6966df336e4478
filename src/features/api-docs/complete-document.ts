// What the framework gathers from the routes, made into a document that people and client generators can work with.
import { isDeepStrictEqual } from 'node:util';
import { errors } from '../../platform/http/answers.ts';
import {
  type Answer,
  type ApiDocument,
  listOperations,
  type Operation,
  type RequestBody,
  referTo,
  type Schema,
} from './openapi-document.ts';
import { plainSchema } from './plain-schema.ts';

const STATUS_MEANINGS: Record<string, string> = {
  200: 'Success',
  400: 'The request could not be read, or a value in it is not accepted',
  401: 'The caller is unknown: credentials are missing, wrong, expired or revoked',
  403: "The caller's role or organization does not allow this",
  404: 'There is nothing under this id',
  409: 'The current state does not allow this',
  413: 'The request body is too large',
  415: 'The content type of the request is not understood',
  422: 'A field is missing or unusable; `detail` names each one',
  429: 'Too many failed attempts; the header `Retry-After` says how many seconds to wait',
  500: 'The server failed; its log knows more under the `X-Request-Id` of the answer',
};

const FRAMEWORK_DESCRIPTION = 'Default Response';
const VERSION_PREFIX = '/api/v1/';

export function completeDocument(document: ApiDocument): ApiDocument {
  const operations = listOperations(document);
  const paths: ApiDocument['paths'] = {};
  for (const { method, path, operation } of operations) {
    paths[path] = { ...paths[path], [method]: completeOperation(method, path, operation) };
  }
  const usedTags = new Set(operations.flatMap(({ operation }) => operation.tags ?? []));
  return {
    ...document,
    tags: (document.tags ?? []).filter(({ name }) => usedTags.has(name)),
    components: {
      ...document.components,
      schemas: { ...document.components?.schemas, ...SHARED_ERRORS },
    },
    paths,
  };
}

function completeOperation(method: string, path: string, operation: Operation): Operation {
  const { parameters, requestBody, responses } = operation;
  return {
    operationId: nameOperation(method, path),
    ...operation,
    ...(parameters && {
      parameters: parameters.map((parameter) => ({
        ...parameter,
        ...(parameter.schema && { schema: plainSchema(parameter.schema) }),
      })),
    }),
    ...(requestBody && { requestBody: completeBody(requestBody) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, answer]) => [status, completeAnswer(status, answer)]),
    ),
  };
}

/** `POST /api/v1/alarms/{service_id}/acknowledge`: postAlarmsByServiceIdAcknowledge. */
export function nameOperation(method: string, path: string): string {
  const isVersioned = path.startsWith(VERSION_PREFIX);
  const words = (isVersioned ? path.slice(VERSION_PREFIX.length) : `root${path}`)
    .replaceAll(/\{(\w+)\}/g, 'by-$1')
    .split(/[^a-z0-9]+/i)
    .filter((word) => word !== '');
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** A form without a required field may be left out altogether. */
function completeBody(body: RequestBody): RequestBody {
  const content = plainContent(body.content);
  const isRequired = Object.values(content).some(
    ({ schema }) => schema?.type !== 'object' || (schema.required?.length ?? 0) > 0,
  );
  return { ...body, required: isRequired, content };
}

function completeAnswer(status: string, answer: Answer): Answer {
  const isUnexplained =
    answer.description === FRAMEWORK_DESCRIPTION ||
    answer.description === errorSchema(Number(status)).description;
  const meaning = STATUS_MEANINGS[status];
  return {
    ...answer,
    description: isUnexplained && meaning ? meaning : answer.description,
    ...(answer.content && { content: plainContent(answer.content) }),
  };
}

const plainContent = (content: Answer['content']): RequestBody['content'] =>
  Object.fromEntries(
    Object.entries(content ?? {}).map(([type, media]) => [
      type,
      { ...media, ...(media.schema && { schema: shareError(plainSchema(media.schema)) }) },
    ]),
  );

const errorSchema = (status: number): Schema => plainSchema((errors(status)[status] ?? {}) as Schema);

function plainError(status: number): Schema {
  const { description, ...schema } = errorSchema(status);
  return schema;
}

const SHARED_ERRORS: Record<string, Schema> = {
  ErrorDetail: plainError(400),
  FieldErrorDetail: plainError(422),
};

/** Errors look alike on all routes: written out once, referred to everywhere. */
function shareError({ description, ...schema }: Schema): Schema {
  const [name] = Object.entries(SHARED_ERRORS).find(([, shared]) => isDeepStrictEqual(shared, schema)) ?? [];
  if (name !== undefined) return referTo(name);
  return description === undefined ? schema : { ...schema, description };
}
