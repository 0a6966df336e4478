import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type ApiDocument,
  listOperations,
  type Schema,
} from '../../src/features/api-docs/openapi-document.ts';
import { startServer, type TestServer } from '../support/test-server.ts';

const DOCUMENT = '/api/v1/openapi.json';

let server: TestServer;
let document: ApiDocument;
const registered: string[] = [];

/** Hears of every route as it is registered, whether or not it wants to be documented. */
function listen(message: unknown): void {
  (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    for (const name of [method].flat()) registered.push(`${name} ${path}`);
  });
}

beforeAll(async () => {
  subscribe('fastify.initialization', listen);
  server = await startServer();
  unsubscribe('fastify.initialization', listen);
  document = (await (await fetch(server.url + DOCUMENT)).json()) as ApiDocument;
});

const documented = () =>
  listOperations(document).map(({ method, path }) => `${method.toUpperCase()} ${path}`);

describe(`GET ${DOCUMENT}`, () => {
  const callers: [caller: string, headers: Record<string, string>][] = [
    ['nobody in particular', {}],
    ['somebody with a bad token', { authorization: 'Bearer nonsense' }],
    ['somebody with a bad cookie', { cookie: 'access_token=nonsense' }],
  ];

  test.each(callers)('answers %s with an OpenAPI 3.1 document', async (_caller, headers) => {
    const answer = await fetch(server.url + DOCUMENT, { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
    expect(await answer.json()).toMatchObject({ openapi: '3.1.0', info: { title: 'Tocsin' } });
  });

  test('lists every route of the interface and no other, and no HEAD', () => {
    const isInterface = (route: string) => / (\/api\/v1\/|\/health$)/.test(route);
    const isAside = (route: string) => route.startsWith('HEAD ') || route.endsWith(DOCUMENT);
    const expected = [...new Set(registered)].filter((route) => isInterface(route) && !isAside(route));
    expect(expected).not.toEqual([]);
    expect(documented().sort()).toEqual(expected.sort());
  });
});

describe('the document is valid', () => {
  test('operations have unique names that a client can use', () => {
    const names = listOperations(document).map(({ operation }) => operation.operationId);
    expect(names.filter((name) => !/^[a-z][a-zA-Z0-9]+$/.test(name ?? ''))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test('every operation has a summary and a tag that is described', () => {
    const described = new Set(document.tags?.filter((tag) => tag.description).map(({ name }) => name));
    const wanting = listOperations(document).filter(
      ({ operation: { summary, tags } }) => !summary || tags?.length !== 1 || !described.has(tags[0] ?? ''),
    );
    expect(wanting).toEqual([]);
  });

  test('every tag is in use', () => {
    const used = new Set(listOperations(document).flatMap(({ operation }) => operation.tags));
    expect(document.tags?.filter(({ name }) => !used.has(name))).toEqual([]);
  });

  test('the parameters of a path are declared, required, and no others are', () => {
    for (const { path, operation } of listOperations(document)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(declared.map(({ name }) => name).sort(), path).toEqual(inPath.sort());
      expect(
        declared.every(({ required, schema }) => required && schema),
        path,
      ).toBe(true);
    }
  });

  test('paths that differ only in the names of their parameters do not exist', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test('only methods that may carry a body have one', () => {
    const odd = listOperations(document).filter(
      ({ method, operation }) => operation.requestBody && !['post', 'put', 'patch'].includes(method),
    );
    expect(odd).toEqual([]);
  });

  test('every answer has a status and an explanation of its own', () => {
    for (const { method, path, operation } of listOperations(document)) {
      const answers = Object.entries(operation.responses);
      expect(answers.length, `${method} ${path}`).toBeGreaterThan(0);
      for (const [status, { description }] of answers) {
        expect(status).toMatch(/^[1-5]\d\d$/);
        expect(description, `${method} ${path} ${status}`).toMatch(/\w/);
        expect(description).not.toBe('Default Response');
      }
    }
  });

  test('security schemes that operations name exist', () => {
    const schemes = Object.keys(document.components?.securitySchemes ?? {});
    const named = listOperations(document).flatMap(({ operation }) => operation.security ?? []);
    const used = [...named, ...(document.security ?? [])].flatMap(Object.keys);
    expect(used.filter((name) => !schemes.includes(name))).toEqual([]);
  });

  test('schemas speak JSON Schema 2020-12, and their references lead somewhere', () => {
    expect(findSchemaFaults(document)).toEqual([]);
  });
});

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

const KEYWORDS = new Set([
  ...['$ref', 'type', 'enum', 'const', 'format', 'title', 'description', 'default', 'example', 'examples'],
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'items', 'prefixItems'],
  ...['anyOf', 'oneOf', 'allOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems', 'writeOnly', 'readOnly'],
  ...['deprecated', 'minProperties', 'maxProperties'],
]);

function findSchemaFaults({ paths, components }: ApiDocument): string[] {
  const faults: string[] = [];

  function check(schema: Schema, place: string): void {
    const complain = (fault: string) => faults.push(`${place}: ${fault}`);
    for (const keyword of Object.keys(schema)) {
      if (!KEYWORDS.has(keyword) && !keyword.startsWith('x-')) complain(`unknown keyword ${keyword}`);
    }
    const { $ref, type, properties, required, items, prefixItems, additionalProperties, anyOf, oneOf } =
      schema;
    if ($ref !== undefined && !isKnown($ref)) complain(`${$ref} leads nowhere`);
    for (const name of [type ?? []].flat()) if (!TYPES.includes(name)) complain(`unknown type ${name}`);
    for (const name of required ?? []) if (!properties?.[name]) complain(`required ${name} is not described`);
    if (Array.isArray(items)) complain('items is a list');
    else if (typeof items === 'object') check(items, `${place}[]`);
    if (typeof additionalProperties === 'object') check(additionalProperties, `${place}.*`);
    for (const [name, property] of Object.entries(properties ?? {})) check(property, `${place}.${name}`);
    for (const part of [...(prefixItems ?? []), ...(anyOf ?? []), ...(oneOf ?? [])]) check(part, place);
  }

  const isKnown = ($ref: string) =>
    Object.keys(components?.schemas ?? {}).some((name) => $ref === `#/components/schemas/${name}`);

  for (const [name, schema] of Object.entries(components?.schemas ?? {})) check(schema, name);
  for (const { method, path, operation } of listOperations({ paths } as ApiDocument)) {
    const place = `${method} ${path}`;
    for (const { name, schema } of operation.parameters ?? []) check(schema ?? {}, `${place} ${name}`);
    const bodies = [operation.requestBody, ...Object.values(operation.responses)];
    for (const media of bodies.flatMap((body) => Object.values(body?.content ?? {}))) {
      check(media.schema ?? {}, place);
    }
  }
  return faults;
}

describe('GET /docs', () => {
  let answer: Response;
  let page: string;
  beforeAll(async () => {
    answer = await fetch(`${server.url}/docs`, { headers: { cookie: 'access_token=nonsense' } });
    page = await answer.text();
  });

  test('answers anybody with a page', () => {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page).toMatch(/^<!doctype html>/);
  });

  test('comes under a strict content policy', () => {
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).not.toContain('unsafe');
  });

  test('holds nothing that the policy forbids', () => {
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=|javascript:/i);
  });

  test('shows each operation of the document under its anchor', () => {
    for (const { method, path, operation } of listOperations(document)) {
      const anchor = `${method} ${path}`
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replace(/-$/, '');
      const [, article] = page.split(`<article class="operation" id="${anchor}"`);
      const shown = (article?.split('</article>')[0] ?? '').replaceAll('<wbr/>', '');
      expect(shown, anchor).toContain(`<code class="path">${path}</code>`);
      for (const status of Object.keys(operation.responses)) {
        expect(shown, anchor).toContain(`<code>${status}</code>`);
      }
      expect(page).toContain(`href="#${anchor}"`);
    }
  });

  test('links only to places that exist', async () => {
    const anchors = [...page.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor);
    expect(anchors.filter((anchor) => !page.includes(`id="${anchor}"`))).toEqual([]);
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(page).toContain(`href="${DOCUMENT}"`);
  });

  test('its stylesheet and icon load', async () => {
    const files = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(new Set(files.map((path) => path.split('?')[0]))).toEqual(
      new Set(['/assets/tocsin.css', '/assets/tocsin.svg']),
    );
    for (const path of files) expect((await fetch(server.url + path)).status).toBe(200);
  });
});
