import { expect, test } from 'vitest';
import { LOCK_KEYS } from './lock-keys.ts';

test('no two locks share a key', () => {
  const keys = Object.values(LOCK_KEYS);
  expect(new Set(keys).size).toBe(keys.length);
});
