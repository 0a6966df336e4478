// The part of an OpenAPI 3.1 document that this room reads and writes.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  description?: string;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: boolean | Schema | Schema[];
  prefixItems?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  writeOnly?: boolean;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}

export interface Answer {
  description: string;
  headers?: Record<string, { description?: string; schema?: Schema }>;
  content?: Record<string, Media>;
}

export interface RequestBody {
  required?: boolean;
  description?: string;
  content: Record<string, Media>;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, Answer>;
}

export interface Tag {
  name: string;
  description?: string;
}

export interface ApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  tags?: Tag[];
  security?: Record<string, string[]>[];
  components?: { schemas?: Record<string, Schema>; securitySchemes?: Record<string, object> };
  paths: Record<string, Record<string, Operation>>;
}

export interface PlacedOperation {
  method: string;
  path: string;
  operation: Operation;
}

export const listOperations = ({ paths }: ApiDocument): PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );

const SHARED_SCHEMAS = '#/components/schemas/';

export const referTo = (name: string): Schema => ({ $ref: SHARED_SCHEMAS + name });

/** The shared schema that this one stands for, by name. */
export const referredName = ({ $ref }: Schema): string | null =>
  $ref?.startsWith(SHARED_SCHEMAS) ? $ref.slice(SHARED_SCHEMAS.length) : null;

export function resolveSchema(document: ApiDocument, schema: Schema): Schema {
  const name = referredName(schema);
  return name === null ? schema : (document.components?.schemas?.[name] ?? {});
}
