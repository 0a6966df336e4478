import { expect, test } from 'vitest';
import { readOwnPath } from './own-path.ts';

test.each([
  ['/', '/'],
  ['/settings/groups', '/settings/groups'],
  ['/acknowledge/abc-_9', '/acknowledge/abc-_9'],
  ['/services/7?from=2026-11-15&to=x', '/services/7?from=2026-11-15&to=x'],
  ['/a#part', '/a'],
  ['/a/../b', '/b'],
  ['/caf%C3%A9', '/caf%C3%A9'],
])('%s is our own', (text, expected) => expect(readOwnPath(text)).toBe(expected));

test.each([
  undefined,
  '',
  'settings/groups',
  'https://evil.example/',
  'http:evil.example',
  'javascript:alert(1)',
  '//evil.example/',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/a\\..\\..\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' /settings',
  '/.//evil.example',
  '/a/..//evil.example',
  '/café',
  '/api/v1/auth/logout',
  '/x/../api/v1/auth/logout',
  '/api',
  '/login',
])('%j is not', (text) => expect(readOwnPath(text)).toBeNull());
