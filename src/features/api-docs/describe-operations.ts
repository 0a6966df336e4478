// From the OpenAPI document to what the page shows, section by section.
import {
  describeConstraints,
  describeShape,
  describeType,
  type Shape,
  toAnchor,
  toWords,
  type Words,
} from './describe-schema.ts';
import { bearerVariable, exampleRequest, findForm, findJson } from './example-request.ts';
import {
  type Answer,
  type ApiDocument,
  listOperations,
  type Operation,
  type PlacedOperation,
  type Schema,
} from './openapi-document.ts';

export interface SectionModel {
  anchor: string;
  name: string;
  description: Words;
  operations: OperationModel[];
}

export interface OperationModel {
  anchor: string;
  method: string;
  path: string;
  summary: string;
  description: Words;
  /** The shell variable of the examples that is sent as bearer; null: none is needed. */
  bearer: string | null;
  fields: FieldModel[];
  /** A JSON body; forms are told field by field. */
  body: Shape | null;
  answers: AnswerModel[];
  example: string;
}

export interface FieldModel {
  place: string;
  name: string;
  isRequired: boolean;
  type: string;
  constraints: string;
  description: Words;
}

export interface AnswerModel {
  status: string;
  kind: 'success' | 'redirect' | 'error';
  description: Words;
  headers: { name: string; description: Words }[];
  /** What the body is, unless it is JSON. */
  contentType: string | null;
  shape: Shape | null;
}

const UNTAGGED = 'Other';

/** Sections come in the order of the document's tags; tags it does not list follow. */
export function describeOperations(document: ApiDocument): SectionModel[] {
  const listed = (document.tags ?? []).map(({ name }) => name);
  const placed = listOperations(document);
  const names = new Set([...listed, ...placed.map(({ operation }) => sectionOf(operation))]);
  return [...names]
    .map((name) => ({
      anchor: toAnchor(name),
      name,
      description: toWords(document.tags?.find((tag) => tag.name === name)?.description),
      operations: placed
        .filter(({ operation }) => sectionOf(operation) === name)
        .map((each) => describeOperation(document, each)),
    }))
    .filter(({ operations }) => operations.length > 0);
}

const sectionOf = ({ tags }: Operation): string => tags?.[0] ?? UNTAGGED;

function describeOperation(document: ApiDocument, placed: PlacedOperation): OperationModel {
  const { method, path, operation } = placed;
  const json = findJson(operation);
  return {
    anchor: toAnchor(`${method} ${path}`),
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? '',
    description: toWords(operation.description),
    bearer: bearerVariable(document, operation),
    fields: [...describeParameters(operation), ...describeForm(operation)],
    body: json?.schema ? describeShape(json.schema) : null,
    answers: Object.entries(operation.responses).map(([status, answer]) => describeAnswer(status, answer)),
    example: exampleRequest(document, placed),
  };
}

const describeParameters = ({ parameters = [] }: Operation): FieldModel[] =>
  parameters.map(({ name, in: place, required, description, schema = {} }) =>
    describeField({
      place,
      name,
      isRequired: required ?? false,
      schema: description === undefined ? schema : { ...schema, description },
    }),
  );

function describeForm(operation: Operation): FieldModel[] {
  const form = findForm(operation);
  return Object.entries(form?.properties ?? {}).map(([name, schema]) =>
    describeField({
      place: 'form',
      name,
      isRequired: form?.required?.includes(name) ?? false,
      schema,
    }),
  );
}

function describeField({
  schema,
  ...field
}: Pick<FieldModel, 'place' | 'name' | 'isRequired'> & { schema: Schema }): FieldModel {
  return {
    ...field,
    type: describeType(schema),
    constraints: describeConstraints(schema).join(', '),
    description: toWords(schema.description),
  };
}

function describeAnswer(status: string, answer: Answer): AnswerModel {
  const [contentType, media] = Object.entries(answer.content ?? {})[0] ?? [null, null];
  const isJson = contentType === 'application/json';
  return {
    status,
    kind: status.startsWith('2') ? 'success' : status.startsWith('3') ? 'redirect' : 'error',
    description: toWords(answer.description),
    headers: Object.entries(answer.headers ?? {}).map(([name, { description }]) => ({
      name,
      description: toWords(description),
    })),
    contentType: isJson ? null : contentType,
    shape: isJson && media?.schema ? describeShape(media.schema) : null,
  };
}
