// A JSON schema in words: the type of a field, its limits, the shape of an answer.
import { type ApiDocument, referredName, type Schema } from './openapi-document.ts';

export type Words = { text: string; isCode: boolean }[];

/** The shape of a JSON value; one that has a name of its own is described once and linked to. */
export interface Shape {
  type: string;
  link: { name: string; anchor: string } | null;
  note: Words;
  fields: ShapeField[];
  /** Of several shapes the value has one. */
  choices: Shape[];
}

interface ShapeField extends Shape {
  name: string;
  isRequired: boolean;
}

export const toAnchor = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** Backticks mark code, as in the Markdown of OpenAPI descriptions. */
export const toWords = (text = ''): Words =>
  text
    .split('`')
    .map((part, index) => ({ text: part, isCode: index % 2 === 1 }))
    .filter((part) => part.text !== '');

export function describeType(schema: Schema): string {
  const name = referredName(schema);
  if (name !== null) return name;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(describeType))].join(' or ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  return [schema.type ?? 'any value']
    .flat()
    .map((type) => describeOneType(schema, type))
    .join(' or ');
}

function describeOneType(schema: Schema, type: string): string {
  if (type === 'string' && schema.format === 'date-time') return 'timestamp';
  if (type === 'array') return describeArray(schema);
  if (type === 'object' && typeof schema.additionalProperties === 'object') {
    return `map of names to ${describeType(schema.additionalProperties)}`;
  }
  return type;
}

function describeArray({ items, prefixItems }: Schema): string {
  if (prefixItems) return `[${prefixItems.map(describeType).join(', ')}]`;
  if (typeof items !== 'object' || Array.isArray(items)) return 'array';
  const entry = describeType(items);
  return `array of ${/^[a-z]+$/.test(entry) ? `${entry}s` : entry}`;
}

export function describeConstraints(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, format } = schema;
  const isNotBlank = pattern === '\\S';
  return [
    describeRange(minimum, maximum, ''),
    isNotBlank ? 'not blank' : minLength === 1 && maxLength === undefined ? 'not empty' : null,
    minLength === 1 && maxLength === undefined ? null : describeRange(minLength, maxLength, ' characters'),
    describeRange(minItems, maxItems, ' items'),
    pattern !== undefined && !isNotBlank ? `matches ${pattern}` : null,
    format !== undefined && !['date-time', 'password'].includes(format) ? format : null,
    schema.default !== undefined ? `default ${JSON.stringify(schema.default)}` : null,
  ].filter((constraint) => constraint !== null);
}

function describeRange(lowest: number | undefined, highest: number | undefined, unit: string): string | null {
  if (lowest !== undefined && highest !== undefined) return `${lowest} to ${highest}${unit}`;
  if (lowest !== undefined) return `at least ${lowest}${unit}`;
  return highest === undefined ? null : `at most ${highest}${unit}`;
}

export function describeShape(given: Schema): Shape {
  const held = findHeldSchema(given);
  const name = referredName(held);
  const choices = describeChoices(held);
  return {
    type: choices.length > 0 && held === given ? 'one of' : describeType(given),
    link: name === null ? null : { name, anchor: shapeAnchor(name) },
    note: toWords(given.description),
    fields: Object.entries(held.properties ?? {}).map(([field, schema]) => ({
      name: field,
      isRequired: held.required?.includes(field) ?? false,
      ...describeShape(schema),
    })),
    choices,
  };
}

/** The fields of an array or of a map of objects are those of its entries. */
function findHeldSchema(schema: Schema): Schema {
  const { items, additionalProperties } = schema;
  if (typeof items === 'object' && !Array.isArray(items)) return findHeldSchema(items);
  if (typeof additionalProperties === 'object') return findHeldSchema(additionalProperties);
  return schema;
}

/** Choices between plain values are told by the type alone. */
function describeChoices({ anyOf, oneOf }: Schema): Shape[] {
  const choices = (anyOf ?? oneOf ?? []).map(describeShape);
  return choices.some(({ fields, link }) => fields.length > 0 || link) ? choices : [];
}

const shapeAnchor = (name: string): string =>
  `shape-${toAnchor(name.replaceAll(/([a-z])([A-Z])/g, '$1-$2'))}`;

export interface NamedShape {
  name: string;
  anchor: string;
  shape: Shape;
}

export const describeSharedShapes = (document: ApiDocument): NamedShape[] =>
  Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => ({
    name,
    anchor: shapeAnchor(name),
    shape: describeShape(schema),
  }));
