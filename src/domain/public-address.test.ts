import { expect, test } from 'vitest';
import { english } from './language/english.ts';
import { findAddressTrouble } from './public-address.ts';

test.each([
  'http://127.0.0.1:8080',
  'http://127.1.2.3',
  'http://localhost:8080',
  'http://LOCALHOST',
  'https://tocsin.localhost',
  'http://localhost.:8080',
  'http://0.0.0.0:8080',
  'http://[::1]:8080',
  'http://[::]:8080',
  'http://[::ffff:127.0.0.1]',
])('%s is good for whoever sits at the machine, for nobody else', (url) =>
  expect(findAddressTrouble(url, english)).toBe(
    `Links begin with ${url}, which nobody can open on another machine`,
  ),
);

test.each([
  'https://tocsin.lab.example',
  'http://192.168.1.5:8080',
  'http://10.0.0.7',
  'http://freezer-room:8080',
  'http://[fd00::1]',
  'https://localhost.lab.example',
  'https://127.lab.example',
])('%s can be opened by others', (url) => expect(findAddressTrouble(url, english)).toBeNull());
