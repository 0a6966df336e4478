import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DOOR_NAME, isDoor, tightenDoor, tighterTime } from './door-time.ts';

const MINUTE = 60_000;

describe('the time of a door', () => {
  test.each([
    [15 * MINUTE, 7.5 * MINUTE],
    [2 * MINUTE, MINUTE],
    [1.5 * MINUTE, MINUTE],
    [MINUTE, MINUTE],
    [10_000, 10_000],
    [0, 0],
  ])('%i ms becomes %i ms', (given, expected) => {
    expect(tighterTime(given)).toBe(expected);
  });

  test('is never longer than it was, and nothing else of the limits changes', () => {
    const bands = fc.array(
      fc.record({
        band: fc.constantFrom('CRITICAL_HIGH' as const, 'WARNING_HIGH' as const),
        limit: fc.double({ noNaN: true }),
        sustainedMs: fc.integer({ min: 0, max: 10 ** 9 }),
      }),
    );
    fc.assert(
      fc.property(bands, (given) => {
        const limits = {
          versionId: 7,
          isPercentage: false,
          setpointChannel: null,
          stateChannel: null,
          bands: given,
        };
        const tight = tightenDoor(limits);
        expect(tight).toMatchObject({ ...limits, bands: given.map(({ band, limit }) => ({ band, limit })) });
        tight.bands.forEach(({ sustainedMs }, place) => {
          expect(sustainedMs).toBeLessThanOrEqual(given[place]?.sustainedMs ?? -1);
        });
      }),
    );
  });
});

describe('a door', () => {
  test.each([
    ['door', 'state', true],
    ['Door left', 'state', true],
    ['Türkontakt', 'state', true],
    ['door_temperature', 'metric', false],
    ['compressor', 'state', false],
  ])('%s, %s', (name, kind, expected) => {
    expect(isDoor({ name, kind })).toBe(expected);
    expect(kind === 'state' && new RegExp(DOOR_NAME, 'i').test(name)).toBe(expected);
  });
});
