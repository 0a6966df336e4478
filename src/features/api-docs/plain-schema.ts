import type { Schema } from './openapi-document.ts';

/** What routes may write and OpenAPI 3.1, that is JSON Schema 2020-12, does not know. */
interface RouteSchema extends Schema {
  additionalItems?: unknown;
  blankIsMissing?: boolean;
}

/** The same schema in the words of JSON Schema 2020-12, with unions as short as client generators like them. */
export function plainSchema(given: Schema): Schema {
  const { additionalItems, blankIsMissing, ...schema } = given as RouteSchema;
  const { properties, additionalProperties, items, anyOf, oneOf } = schema;
  return shortenUnion({
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, plainSchema(property)]),
      ),
    }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: plainSchema(additionalProperties),
    }),
    ...(Array.isArray(items)
      ? { prefixItems: items.map(plainSchema), items: false }
      : typeof items === 'object' && { items: plainSchema(items) }),
    ...(anyOf && { anyOf: anyOf.map(plainSchema) }),
    ...(oneOf && { oneOf: oneOf.map(plainSchema) }),
    ...(blankIsMissing && { pattern: '\\S' }),
  });
}

function shortenUnion(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (!anyOf) return schema;
  const choices = anyOf.filter(({ type }) => type !== 'null');
  const [only] = choices.length === 1 ? choices : joinLiterals(choices);
  if (typeof only?.type !== 'string') return schema;
  if (choices.length === anyOf.length) return { ...only, ...rest };
  const values = only.enum && { enum: [...only.enum, null] };
  return { ...only, ...rest, type: [only.type, 'null'], ...values };
}

function joinLiterals(choices: Schema[]): Schema[] {
  const [{ type } = {}] = choices;
  const areLiterals = choices.every((choice) => choice.enum && choice.type === type && !choice.description);
  if (type === undefined || !areLiterals) return [];
  return [{ type, enum: choices.flatMap((choice) => choice.enum ?? []) }];
}
