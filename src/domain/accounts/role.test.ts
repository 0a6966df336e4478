import { expect, test } from 'vitest';
import { canAdminister, canOperate, type Role } from './role.ts';

test.each<[role: Role | null, operates: boolean, administers: boolean]>([
  [null, false, false],
  ['viewer', false, false],
  ['operator', true, false],
  ['administrator', true, true],
])('%s', (role, operates, administers) => {
  expect(canOperate(role)).toBe(operates);
  expect(canAdminister(role)).toBe(administers);
});
