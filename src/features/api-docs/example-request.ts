// The curl command that shows how an operation is called. $TOCSIN, $TOKEN and the like are set by the reader.
import {
  type ApiDocument,
  type Media,
  type Operation,
  type Parameter,
  type PlacedOperation,
  resolveSchema,
  type Schema,
} from './openapi-document.ts';

const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'];

export const findForm = (operation: Operation): Schema | null =>
  FORM_TYPES.map((type) => operation.requestBody?.content[type]?.schema).find(Boolean) ?? null;

export const findJson = (operation: Operation): Media | null =>
  operation.requestBody?.content['application/json'] ?? null;

/** The shell variable that holds what the operation wants to be sent as bearer; null: nothing. */
export function bearerVariable(document: ApiDocument, operation: Operation): string | null {
  const [scheme] = (operation.security ?? document.security ?? []).flatMap(Object.keys);
  return scheme === undefined ? null : `$${toShellName(scheme)}`;
}

const toShellName = (name: string) => name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();

export function exampleRequest(document: ApiDocument, { method, path, operation }: PlacedOperation): string {
  const form = findForm(operation);
  const json = findJson(operation);
  const bearer = bearerVariable(document, operation);
  const isPostWithBody = method === 'post' && (form !== null || json !== null);
  const leadsElsewhere = Object.keys(operation.responses).every((status) => !status.startsWith('2'));
  const start = [
    'curl',
    ...(leadsElsewhere ? ['--include'] : []),
    ...(method === 'get' || isPostWithBody ? [] : ['-X', method.toUpperCase()]),
    `"$TOCSIN${fillPath(document, path, operation.parameters ?? [])}"`,
  ].join(' ');
  return [
    start,
    ...(bearer === null ? [] : [`-H "Authorization: Bearer ${bearer}"`]),
    ...(form ? sendForm(document, form) : []),
    ...(json ? sendJson(document, json) : []),
  ].join(' \\\n  ');
}

function fillPath(document: ApiDocument, path: string, parameters: Parameter[]): string {
  const sample = ({ name, schema, example }: Parameter) =>
    encodeURIComponent(String(example ?? sampleValue(document, schema ?? {}, name)));
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((url, parameter) => url.replace(`{${parameter.name}}`, sample(parameter)), path);
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${parameter.name}=${sample(parameter)}`);
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled;
}

function sendForm(document: ApiDocument, form: Schema): string[] {
  const fields = Object.entries(form.properties ?? {});
  const required = fields.filter(([name]) => form.required?.includes(name));
  return (required.length > 0 ? required : fields).map(([name, schema]) =>
    schema.writeOnly
      ? `--data-urlencode "${name}=$${toShellName(name)}"`
      : `--data-urlencode ${quote(`${name}=${sampleValue(document, schema, name)}`)}`,
  );
}

function sendJson(document: ApiDocument, { example, schema = {} }: Media): string[] {
  const body = example ?? sampleValue(document, schema, 'body');
  return [`-H 'Content-Type: application/json'`, `--data ${quote(JSON.stringify(body))}`];
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A value that fits: an example if the schema gives one, else the simplest. */
function sampleValue(document: ApiDocument, given: Schema, name: string): unknown {
  const schema = resolveSchema(document, given);
  const [value] = [
    schema.example,
    schema.examples?.[0],
    schema.default,
    schema.enum?.[0],
    schema.const,
  ].filter((candidate) => candidate !== undefined);
  if (value !== undefined) return value;
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice) return sampleValue(document, choice, name);
  const [type] = [schema.type].flat();
  if (type === 'object') return sampleObject(document, schema);
  if (type === 'array') {
    const { items } = schema;
    return typeof items === 'object' && !Array.isArray(items) ? [sampleValue(document, items, name)] : [];
  }
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  return schema.format === 'date-time' ? '2026-11-15T02:00:00Z' : `<${name}>`;
}

function sampleObject(document: ApiDocument, schema: Schema): object {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).filter(([name]) => required.includes(name));
  if (typeof additionalProperties === 'object') fields.push(['<name>', additionalProperties]);
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleValue(document, field, name)]));
}
