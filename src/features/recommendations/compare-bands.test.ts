import { expect, test } from 'vitest';
import type { Band, BandName } from '../../domain/judging/band.ts';
import type { Limits } from '../../domain/judging/limits.ts';
import { compareBands } from './compare-bands.ts';

const band = (name: BandName, limit: number | null, sustainedMinutes = 0, delayMinutes = 0): Band => ({
  band: name,
  limit,
  sustainedMinutes,
  delayMinutes,
});
const limits = (bands: Band[], isPercentage = false): Limits => ({
  channel: 't',
  isPercentage,
  setpointChannel: null,
  stateChannel: null,
  bands,
});
const changes = (current: Limits | null, proposed: Limits) =>
  compareBands(current, proposed).map(({ band: name, change }) => `${name} ${change}`);

test('every band of either side, from the highest to the lowest, with what happens to it', () => {
  const current = limits([
    band('WARNING_LOW', -90),
    band('CRITICAL_LOW', -95),
    band('CRITICAL_HIGH', -60, 5),
  ]);
  const proposed = limits([
    band('CRITICAL_HIGH', -60, 10),
    band('WARNING_HIGH', -65),
    band('WARNING_LOW', -90),
  ]);
  expect(changes(current, proposed)).toEqual([
    'CRITICAL_HIGH changed',
    'WARNING_HIGH new',
    'WARNING_LOW unchanged',
    'CRITICAL_LOW removed',
  ]);
});

test('limit, delay and sustained time each make a change, and so does the mode', () => {
  const current = limits([band('CRITICAL_HIGH', -60, 5, 1)]);
  expect(changes(current, limits([band('CRITICAL_HIGH', -61, 5, 1)]))).toEqual(['CRITICAL_HIGH changed']);
  expect(changes(current, limits([band('CRITICAL_HIGH', -60, 5, 2)]))).toEqual(['CRITICAL_HIGH changed']);
  expect(changes(current, limits([band('CRITICAL_HIGH', -60, 6, 1)]))).toEqual(['CRITICAL_HIGH changed']);
  expect(changes(current, limits(current.bands, true))).toEqual(['CRITICAL_HIGH changed']);
  expect(changes(current, current)).toEqual(['CRITICAL_HIGH unchanged']);
});

test('without limits so far, everything is new', () => {
  expect(changes(null, limits([band('WARNING_LOW', 0)]))).toEqual(['WARNING_LOW new']);
});
