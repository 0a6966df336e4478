import { expect, test } from 'vitest';
import { english } from '../../../domain/language/english.ts';
import { WEBHOOK_KIND_NAMES, type WebhookKind } from './kinds.ts';
import { findWebhookFault } from './webhook-check.ts';

const fault = (kind: WebhookKind, url: string, secret: string | null = null, allowPrivate = false) =>
  findWebhookFault({ kind, url, secret }, { allowPrivate }, english);

const ordinary = (kind: WebhookKind) =>
  ({ matrix: 'https://matrix.example/!cold:lab.example', mqtt: 'mqtts://broker.example' })[kind as string] ??
  'https://hooks.example/cold-team';

test.each(WEBHOOK_KIND_NAMES)('an ordinary %s webhook has none', (kind) =>
  expect(fault(kind, ordinary(kind), 'R0uting:key')).toBeNull(),
);

test.each<[string, WebhookKind, string, string | null, string]>([
  [
    'a room without an id',
    'matrix',
    'https://matrix.example/%',
    'R0uting',
    'The address must end with the id of a room, such as https://matrix.lab.example/!abc:lab.example',
  ],
  [
    'Gotify without a token',
    'gotify',
    'https://gotify.example',
    null,
    'Gotify needs the token of an application',
  ],
  [
    'a broker of the web',
    'mqtt',
    'https://broker.example',
    null,
    'The address must start with mqtts:// or mqtt://',
  ],
  ['a topic for many', 'mqtt', 'mqtt://broker.example/lab/%23', null, 'A topic cannot have + or # in it'],
  [
    'a user alone',
    'mqtt',
    'mqtt://broker.example',
    'lab',
    'The user and the password are written as user:password',
  ],
  [
    'a broker in a private network',
    'mqtt',
    'mqtt://192.168.1.9',
    null,
    '192.168.1.9 is in a private network. TOCSIN_WEBHOOK_PRIVATE=true allows that',
  ],
  ['no URL', 'generic', 'hooks.example', null, 'The address is not a URL'],
  ['a file', 'generic', 'file:///etc/passwd', null, 'The address must start with http:// or https://'],
  [
    'a private address',
    'generic',
    'http://user:geheim@192.168.1.9/?key=geheim',
    null,
    '192.168.1.9 is in a private network. TOCSIN_WEBHOOK_PRIVATE=true allows that',
  ],
  [
    'metadata',
    'slack',
    'http://0xA9FEA9FE/latest',
    null,
    '169.254.169.254 is an address that webhooks never go to',
  ],
  [
    'metadata by IPv6',
    'slack',
    'http://[fd00:ec2::254]/',
    null,
    '[fd00:ec2::254] is an address that webhooks never go to',
  ],
  [
    'no topic',
    'ntfy',
    'https://ntfy.sh/',
    null,
    'The address must end with a topic, such as https://ntfy.sh/cold-team',
  ],
  [
    'an odd topic',
    'ntfy',
    'https://ntfy.sh/a%20b',
    null,
    'The address must end with a topic, such as https://ntfy.sh/cold-team',
  ],
  [
    'no routing key',
    'pagerduty',
    'https://events.pagerduty.com/v2/enqueue',
    ' ',
    'PagerDuty needs the routing key of an Events API v2 integration',
  ],
  [
    'a token with a line break',
    'alertmanager',
    'https://a.example/',
    'x\r\nHost: y',
    'The bearer token must consist of printable characters without spaces',
  ],
  [
    'a damaged secret',
    'generic',
    'https://a.example/',
    'whsec_x',
    'The secret is damaged: after whsec_ come at least 22 characters of base64',
  ],
])('%s', (_, kind, url, secret, expected) => expect(fault(kind, url, secret)).toBe(expected));

test('private networks may be allowed, metadata may not', () => {
  expect(fault('generic', 'http://127.0.0.1:8000/', null, true)).toBeNull();
  expect(fault('generic', 'http://[fe80::1]/', null, true)).toMatch(/never go to$/);
});
