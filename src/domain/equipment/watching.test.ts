import { expect, test } from 'vitest';
import { findMissing } from './watching.ts';

test.each([
  ['limits and readings', { hasLimits: true, isHeard: true, isGateway: false }, []],
  ['readings without a limit', { hasLimits: false, isHeard: true, isGateway: false }, ['limits']],
  ['limits without a reading', { hasLimits: true, isHeard: false, isGateway: false }, ['readings']],
  ['nothing at all', { hasLimits: false, isHeard: false, isGateway: false }, ['limits', 'readings']],
  // It is watched by whether it reports.
  ['a gateway that reports', { hasLimits: false, isHeard: true, isGateway: true }, []],
  ['a gateway that never did', { hasLimits: false, isHeard: false, isGateway: true }, ['readings']],
] as const)('%s', (_, watching, missing) => expect(findMissing(watching)).toEqual(missing));
