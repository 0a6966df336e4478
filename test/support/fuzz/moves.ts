// What somebody may send: what is asked for, nearly that, and what was made to do harm.
import fc from 'fast-check';
import type { Schema } from '../../../src/features/api-docs/openapi-document.ts';
import type { Route } from './routes.ts';

/** `foreign`: the administrator of the other organization. */
const CALLERS = ['anonymous', 'none', 'viewer', 'operator', 'administrator', 'foreign'] as const;
export type Caller = (typeof CALLERS)[number];

export interface Move {
  route: Route;
  caller: Caller;
  /** Values may be `@own name` and `@other name`: what is there is put in their place. */
  params: Record<string, string>;
  query: Record<string, string>;
  fields: Record<string, string>;
  /** In place of the fields. */
  json: unknown;
  type: (typeof TYPES)[number];
  headers: Record<string, string>;
}

const TYPES = ['form', 'form', 'form', 'form', 'json', 'multipart', 'text', 'none'] as const;

export const INJECTED = '<script>alert(1)</script>';
const HOSTILE = [
  '',
  ' ',
  '\t\r\n',
  '0',
  '-0',
  '-1',
  '007',
  '1.5',
  '1e309',
  '-1e309',
  'NaN',
  'Infinity',
  '0x10',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '99999999999999999999999999',
  'null',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '\u202e\u200b',
  '🧊'.repeat(200),
  'x'.repeat(300),
  'x'.repeat(20_000),
  INJECTED,
  `"><img src=x onerror=alert(1)>${INJECTED}`,
  "' or 1=1 --",
  "'; drop table account; --",
  '$1 %s {{7*7}} #{7*7}',
  '../../../../etc/passwd',
  '..%2f..%2f',
  '%',
  '%00',
  '%zz',
  'a\r\nset-cookie: evil=1',
  'javascript:alert(1)',
  'http://127.0.0.1:1/',
  'https://[::1]:1/x',
  'file:///etc/passwd',
  '//evil.example',
  '\\\\evil.example',
  '0001-01-01T00:00',
  '9999-12-31T23:59',
  '2026-02-30T25:61',
  '2026-11-15T03:00:00+99:99',
  'a@b',
  `${'a'.repeat(250)}@lab.example`,
  '=cmd()',
];

/** By their names: what a form of ours would send. */
const GOOD: [name: RegExp, values: string[]][] = [
  [/email|username/, ['@own email', '@other email', 'new@lab.example']],
  [/password/, ['correct horse battery staple', 'another horse and its battery']],
  [/^role$/, ['viewer', 'operator', 'administrator']],
  [/start|from|begins/, ['2026-11-20T10:00', '2026-11-15T03:00', '2026-11-01T00:00:00Z']],
  [/end|until|^to$/, ['2026-11-20T12:00', '2026-11-16T03:00', '2026-12-01T00:00:00Z']],
  [/channel/, ['temperature', 'door', '']],
  [/time_?zone/, ['Europe/Berlin', 'Asia/Kolkata', 'UTC']],
  [/kind/, ['metric', 'state', 'generic', 'slack', 'pagerduty']],
  [/url/, ['https://127.0.0.1:1/hook', 'http://localhost:1/']],
  [/device|key/, ['@own device', '@other device', 'new-device']],
  [/(high|low|limit|minutes|delay|sustained|interval|days|hours)$/, ['-60', '4.5', '10', '0', '']],
  [/^next$/, ['/', '/services', '/audit']],
];
const WORDS = ['Freezer 1', 'Defrost', 'on', '1', 'critical', 'Room 101', 'Ünïcode − …'];

const goodFor = (name: string, schema: Schema): fc.Arbitrary<string> => {
  if (schema.enum) return fc.constantFrom(...schema.enum.map(String));
  if (/_id$|^id$/.test(name)) return fc.constantFrom(`@own ${name}`, `@own ${name}`, `@other ${name}`);
  const [, values] = GOOD.find(([pattern]) => pattern.test(name)) ?? [null, WORDS];
  if (schema.type === 'integer') return fc.oneof(fc.nat(1_000).map(String), fc.constantFrom(...values));
  return fc.constantFrom(...values);
};

const HOSTILE_TEXT = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 40 }));

const oneFor = (name: string, schema: Schema): fc.Arbitrary<string> =>
  fc.oneof({ weight: 5, arbitrary: goodFor(name, schema) }, { weight: 2, arbitrary: HOSTILE_TEXT });

/** Each field as it should be, wrong or missing; now and then one that nobody asked for. */
const fieldsOf = ({ properties = {} }: Schema): fc.Arbitrary<Record<string, string>> =>
  fc
    .tuple(
      fc.record(
        Object.fromEntries(
          Object.entries(properties).map(([name, schema]) => [
            name,
            fc.option(oneFor(name, schema), { freq: 8, nil: undefined }),
          ]),
        ),
      ),
      fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.tuple(HOSTILE_TEXT, HOSTILE_TEXT)),
    )
    .map(([fields, extra]) => {
      const sent: Record<string, string> = Object.create(null);
      for (const [name, value] of Object.entries(fields)) if (value !== undefined) sent[name] = value;
      if (extra) sent[extra[0]] = extra[1];
      return sent;
    });

const READING = fc.record(
  {
    device: fc.oneof(fc.constantFrom('@own device', '@other device'), HOSTILE_TEXT),
    service_id: fc.oneof(fc.constantFrom('@own service_id', '@other service_id'), fc.integer()),
    time: fc.oneof(
      fc.constantFrom('2026-11-15T02:59:00Z', 1_794_711_540_000, 1e18, -1),
      HOSTILE_TEXT,
      fc.double(),
    ),
    values: fc.oneof(
      fc.dictionary(
        fc.oneof(fc.constantFrom('temperature', 'door'), HOSTILE_TEXT),
        fc.oneof(fc.double(), fc.boolean(), HOSTILE_TEXT),
        { maxKeys: 4 },
      ),
      HOSTILE_TEXT,
    ),
  },
  { requiredKeys: [] },
);

const jsonFor = (route: Route): fc.Arbitrary<unknown> =>
  route.path === '/api/v1/telemetry'
    ? fc.oneof({ weight: 6, arbitrary: fc.array(READING, { maxLength: 5 }) }, READING, fc.jsonValue())
    : fc.oneof(fieldsOf(route.body), fc.jsonValue());

const HEADERS = fc.dictionary(
  fc.constantFrom(
    'hx-request',
    'hx-target',
    'accept',
    'accept-language',
    'if-none-match',
    'x-forwarded-for',
    'range',
  ),
  fc.constantFrom(
    'true',
    '#board',
    '*/*',
    'text/html',
    'de,en;q=0.1',
    'x'.repeat(500),
    "'",
    '127.0.0.1',
    'bytes=0-1',
  ),
  { maxKeys: 3 },
);

export function movesOn(routes: readonly Route[]): fc.Arbitrary<Move> {
  return fc.constantFrom(...routes).chain((route) =>
    fc.record({
      route: fc.constant(route),
      caller: fc.constantFrom(...CALLERS),
      params: fc.record(
        Object.fromEntries(
          [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [
            name,
            oneFor(name, route.params.properties?.[name] ?? {}),
          ]),
        ),
      ),
      query: fieldsOf(route.query),
      fields: fieldsOf(route.body),
      json: jsonFor(route),
      type: route.path === '/api/v1/telemetry' ? fc.constant('json' as const) : fc.constantFrom(...TYPES),
      headers: HEADERS,
    }),
  );
}
