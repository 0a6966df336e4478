import { expect, test } from 'vitest';
import { readMailAddress } from './read-mail-address.ts';

test.each([
  ['tocsin@lab.example', { name: null, address: 'tocsin@lab.example' }],
  [' Tocsin <tocsin@lab.example> ', { name: 'Tocsin', address: 'tocsin@lab.example' }],
  ['"Alarms, 24/7" <a@b>', { name: 'Alarms, 24/7', address: 'a@b' }],
  ['<a@b>', { name: null, address: 'a@b' }],
  ['a@b <c@d', null],
  ['A <a@b> B', null],
  ['A <<a@b>', null],
  ['a b@c', null],
  ['A\r\nBcc: x <a@b>', null],
  [`${' '.repeat(1_000)}${'<'.repeat(1_000)}`, null],
])('%j', (text, read) => expect(readMailAddress(text)).toEqual(read));
