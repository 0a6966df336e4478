import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countFailure, delaySecondsAfter, type FailedSignIns, secondsToWait } from './sign-in-throttle.ts';

const start = new Date('2026-11-15T03:00:00Z');
const later = (seconds: number, from = start) => new Date(from.getTime() + seconds * 1000);

describe('the delay after each failure', () => {
  test.each([
    [1, 0],
    [4, 0],
    [5, 2],
    [6, 4],
    [7, 8],
    [8, 16],
    [9, 32],
    [10, 64],
    [11, 128],
    [12, 256],
    [13, 300],
    [14, 300],
    [5000, 300],
  ])('%i failures: %i s', (failures, seconds) => expect(delaySecondsAfter(failures)).toBe(seconds));
});

describe('the seconds still to wait', () => {
  const blocked = { failures: 5, blockedUntil: later(2) };
  test.each([
    ['at the failure', 0, 2],
    ['a moment later', 0.001, 2],
    ['one second later', 1, 1],
    ['a moment before the end', 1.999, 1],
    ['at the end', 2, 0],
    ['long after', 1000, 0],
  ])('%s', (_, passed, expected) => expect(secondsToWait(blocked, later(passed))).toBe(expected));

  test('no failure yet: none', () => expect(secondsToWait(null, start)).toBe(0));
});

/** Lets attempts come at the given pauses, all with a wrong password; those during a delay change nothing. */
function attempts(pauses: number[]) {
  let state: FailedSignIns | null = null;
  let at = start;
  const counted: { at: Date; after: FailedSignIns }[] = [];
  for (const pause of pauses) {
    at = later(pause, at);
    if (secondsToWait(state, at) > 0) continue;
    state = countFailure(state, at);
    counted.push({ at, after: state });
  }
  return counted;
}
const pauses = fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { maxLength: 60 });

test('two counted failures are never closer together than the delay between them', () => {
  fc.assert(
    fc.property(pauses, (given) => {
      const counted = attempts(given);
      for (const [index, { at, after }] of counted.entries()) {
        const next = counted[index + 1];
        if (!next) break;
        expect(next.at.getTime() - at.getTime()).toBeGreaterThanOrEqual(
          delaySecondsAfter(after.failures) * 1000,
        );
      }
    }),
  );
});

test('the delay never shrinks, never exceeds 300 s and always ends', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (failures) => {
      const delay = delaySecondsAfter(failures);
      expect(delay).toBeLessThanOrEqual(300);
      expect(delaySecondsAfter(failures + 1)).toBeGreaterThanOrEqual(delay);
      const state = countFailure({ failures: failures - 1, blockedUntil: null }, start);
      expect(secondsToWait(state, start)).toBe(delay);
      expect(secondsToWait(state, later(delay))).toBe(0);
    }),
  );
});
