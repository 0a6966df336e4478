import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adaptPace, advanceSeal, HOUR_MS, MINUTE_MS, nextStretch, settledUntil } from './rollup.ts';

const at = (time: string) => Date.parse(`2026-11-15T${time}Z`);
const NEVER = { sealedUntil: Number.NEGATIVE_INFINITY, rolledUntil: Number.NEGATIVE_INFINITY };
const OLDEST = at('00:00:00');

describe('the seal', () => {
  test.each([
    ['a new database begins with the oldest week', NEVER, '03:00:59', ['02:50:00', '00:00:00']],
    [
      'it follows ten minutes behind, by whole minutes',
      ['02:00:00', '02:00:00'],
      '03:00:59',
      ['02:50:00', '02:00:00'],
    ],
    [
      'a clock that is a little behind moves nothing',
      ['02:50:00', '02:50:00'],
      '02:58:00',
      ['02:50:00', '02:50:00'],
    ],
    [
      'a clock that was set back takes the seal along',
      ['09:00:00', '09:00:00'],
      '03:00:00',
      ['02:50:00', '02:50:00'],
    ],
    ['but not past what is still to do', ['09:00:00', '02:00:00'], '03:00:00', ['02:50:00', '02:00:00']],
  ] as const)('%s', (_, before, now, [sealed, rolled]) => {
    const progress =
      'sealedUntil' in before ? before : { sealedUntil: at(before[0]), rolledUntil: at(before[1]) };
    expect(advanceSeal(progress, at(now), OLDEST)).toEqual({
      sealedUntil: at(sealed),
      rolledUntil: at(rolled),
    });
  });
});

describe('the next stretch', () => {
  test('there is none when the seal is reached, nor before there is one', () => {
    expect(nextStretch({ sealedUntil: at('02:00:00'), rolledUntil: at('02:00:00') }, MINUTE_MS)).toBeNull();
    expect(nextStretch(NEVER, MINUTE_MS)).toBeNull();
  });

  test('stretch by stretch, every minute and every whole hour is rolled up', () => {
    const stretchMinutes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1000 }),
        fc.integer({ min: 0, max: 1000 }),
        stretchMinutes,
        (begin, length, paces) => {
          const beginsAt = OLDEST + begin * MINUTE_MS;
          const sealedUntil = beginsAt + length * MINUTE_MS;
          const hours = new Set<number>();
          let rolledUntil = beginsAt;
          for (let step = 0; ; step += 1) {
            const stretch = nextStretch(
              { sealedUntil, rolledUntil },
              (paces[step % paces.length] ?? 1) * MINUTE_MS,
            );
            if (!stretch) break;
            expect(stretch.minutes.from).toBe(rolledUntil);
            rolledUntil = stretch.minutes.to;
            for (let hour = stretch.hours.from; hour < stretch.hours.to; hour += HOUR_MS) hours.add(hour);
          }
          expect(rolledUntil).toBe(sealedUntil);
          for (
            let hour = Math.ceil(beginsAt / HOUR_MS) * HOUR_MS;
            hour + HOUR_MS <= sealedUntil;
            hour += HOUR_MS
          )
            expect(hours).toContain(hour);
          for (const hour of hours) expect(hour + HOUR_MS).toBeLessThanOrEqual(sealedUntil);
        },
      ),
    );
  });
});

test.each([
  ['quick work is doubled', 4, 50, 8],
  ['up to a limit', 80, 50, 100],
  ['slow work is halved', 8, 2000, 4],
  ['down to a limit', 1, 2000, 1],
  ['what failed counts as slow', 8, Number.POSITIVE_INFINITY, 4],
  ['what is just right stays', 8, 500, 8],
])('%s', (_, pace, tookMs, next) => expect(adaptPace(pace, tookMs, [1, 100])).toBe(next));

test('readings settle for ten minutes', () => expect(settledUntil(at('03:00:30'))).toBe(at('02:50:00')));
