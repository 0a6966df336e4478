import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planRetry } from './retry.ts';

const CREATED_AT = new Date('2026-11-15T03:00:00Z');
const DAY = 24 * 60 * 60 * 1000;
const after = (ms: number) => new Date(CREATED_AT.getTime() + ms);
const middling = () => 0.5;

test.each([
  [1, 5],
  [2, 30],
  [3, 120],
  [4, 600],
  [5, 1800],
  [6, 3600],
  [7, 7200],
  [8, 14_400],
  [9, 14_400],
])('after attempt %i it is tried again in %i seconds', (attempt, seconds) => {
  expect(
    planRetry({ createdAt: CREATED_AT, attempt, retryAfterMs: null, isLasting: false }, CREATED_AT, middling),
  ).toEqual(after(seconds * 1000));
});

test('the first pause is exact, the others vary a little', () => {
  const retry = (attempt: number, random: number) =>
    planRetry(
      { createdAt: CREATED_AT, attempt, retryAfterMs: null, isLasting: false },
      CREATED_AT,
      () => random,
    );
  expect(retry(1, 0)).toEqual(after(5_000));
  expect(retry(2, 0)).toEqual(after(27_000));
  expect(retry(2, 1)).toEqual(after(33_000));
});

describe('what the receiver asked for', () => {
  const retry = (retryAfterMs: number) =>
    planRetry({ createdAt: CREATED_AT, attempt: 1, retryAfterMs, isLasting: false }, CREATED_AT, middling);
  test('counts when it is longer', () => expect(retry(90_000)).toEqual(after(90_000)));
  test('does not make it come sooner', () => expect(retry(0)).toEqual(after(5_000)));
  test('cannot reach beyond the day', () => expect(retry(2 * DAY)).toEqual(after(DAY)));
});

test('after a day it is given up', () => {
  const attempt = { createdAt: CREATED_AT, attempt: 12, retryAfterMs: null, isLasting: false };
  expect(planRetry(attempt, after(DAY - 1000), middling)).toEqual(after(DAY));
  expect(planRetry(attempt, after(DAY), middling)).toBeNull();
});

test('whatever happens, attempts end within the day, and there are few of them', () => {
  const pauses = fc.array(
    fc.record({ random: fc.double({ min: 0, max: 1, noNaN: true }), asked: fc.nat(DAY) }),
    {
      minLength: 40,
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(pauses, (chain) => {
      let now: Date | null = CREATED_AT;
      let attempts = 0;
      for (const { random, asked } of chain) {
        if (now === null) break;
        attempts += 1;
        const next: Date | null = planRetry(
          { createdAt: CREATED_AT, attempt: attempts, retryAfterMs: asked, isLasting: false },
          now,
          () => random,
        );
        if (next) expect(next.getTime()).toBeGreaterThan(now.getTime());
        if (next) expect(next.getTime()).toBeLessThanOrEqual(after(DAY).getTime());
        now = next;
      }
      expect(now).toBeNull();
      expect(attempts).toBeLessThan(20);
    }),
  );
});

describe('an alarm', () => {
  const retry = (attempt: number, now: Date, retryAfterMs: number | null = null) =>
    planRetry({ createdAt: CREATED_AT, attempt, retryAfterMs, isLasting: true }, now, middling);

  test('is tried at least every hour', () => {
    expect([1, 6, 7, 50].map((attempt) => retry(attempt, CREATED_AT))).toEqual(
      [5, 3600, 3600, 3600].map((seconds) => after(seconds * 1000)),
    );
  });
  test('is never given up', () => expect(retry(500, after(20 * DAY))).toEqual(after(20 * DAY + 3_600_000)));
  test('waits as long as the receiver asked for', () =>
    expect(retry(9, CREATED_AT, 4 * 3_600_000)).toEqual(after(4 * 3_600_000)));
});
