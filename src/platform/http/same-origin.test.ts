import { expect, test } from 'vitest';
import { isFromAnotherSite } from './same-origin.ts';

const host = '127.0.0.1:8080';
const publicUrl = new URL('https://tocsin.lab.example');

test.each([
  ['a script without browser headers', { host }, false],
  ['a page of ours', { host, 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:8080' }, false],
  ['an address typed by hand', { host, 'sec-fetch-site': 'none' }, false],
  ['another site', { host, 'sec-fetch-site': 'cross-site' }, true],
  ['a sibling host', { host, 'sec-fetch-site': 'same-site' }, true],
  ['an old browser, another origin', { host, origin: 'https://evil.example' }, true],
  ['an old browser, another port', { host, origin: 'http://127.0.0.1:9999' }, true],
  ['a sandboxed frame', { host, origin: 'null' }, true],
  ['behind a proxy, by its public name', { host, origin: 'https://tocsin.lab.example' }, false],
  [
    'our origin, but the browser says cross-site',
    { host, 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1:8080' },
    true,
  ],
])('%s', (_, headers, expected) => expect(isFromAnotherSite(headers, publicUrl)).toBe(expected));
