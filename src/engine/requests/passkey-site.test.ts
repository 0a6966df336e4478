import { expect, test } from 'vitest';
import { findPasskeySite } from './passkey-site.ts';

const url = (text: string | null) => (text === null ? null : new URL(text));

test.each([
  ['https', 'tocsin.lab.example', null, { id: 'tocsin.lab.example', origin: 'https://tocsin.lab.example' }],
  ['http', 'localhost:8080', null, { id: 'localhost', origin: 'http://localhost:8080' }],
  // Behind a proxy that ends TLS.
  ['http', 'lab.example', 'https://lab.example/', { id: 'lab.example', origin: 'https://lab.example' }],
  ['https', 'LAB.example', null, { id: 'lab.example', origin: 'https://lab.example' }],
])('%s://%s, known as %s: passkeys of that host', (protocol, host, publicUrl, site) => {
  expect(findPasskeySite({ protocol: protocol as 'http', host }, url(publicUrl))).toEqual({
    ok: true,
    value: site,
  });
});

test.each([
  ['http', '127.0.0.1:8080', null, 'is_an_address'],
  ['https', '[::1]:8443', null, 'is_an_address'],
  ['https', 'lab.example', 'https://192.0.2.7/', 'is_an_address'],
  ['http', 'lab.example', null, 'is_not_secure'],
  ['http', 'lab.example', 'http://lab.example', 'is_not_secure'],
  ['http', '127.0.0.1:8080', 'https://lab.example', 'is_elsewhere'],
  ['https', 'other.example', 'https://lab.example', 'is_elsewhere'],
  ['http', 'no host at all', null, 'is_an_address'],
])('%s://%s, known as %s: none, it %s', (protocol, host, publicUrl, reason) => {
  const found = findPasskeySite({ protocol: protocol as 'http', host }, url(publicUrl));
  expect(!found.ok && found.refusal.reason).toBe(reason);
});
