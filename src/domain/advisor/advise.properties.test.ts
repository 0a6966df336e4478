import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findLimitsFault } from '../judging/limits.ts';
import { type Advice, type AdviceRequest, advise, summarize } from './advise.ts';
import { cooled, days, minutes, record, START } from './synthetic.ts';

const requestOf = (at: readonly number[], value: readonly number[]): AdviceRequest => ({
  channel: 'x',
  label: null,
  unit: null,
  history: { at: Float64Array.from(at), value: Float64Array.from(value) },
  ignored: [],
  now: Number.MAX_VALUE,
});

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const anyValues = fc.oneof(
  fc.array(finite, { minLength: 0, maxLength: 600 }),
  fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 200, maxLength: 600 }),
  fc.array(fc.constantFrom(0, -0, 1, 5, 5e-324, -1e308, 1e308), { minLength: 200, maxLength: 400 }),
  fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 200, maxLength: 600 }),
);
const anySteps = fc.oneof(
  fc.constant(minutes(20)),
  fc.constant(0),
  fc.double({ min: 0, max: 1e12, noNaN: true }),
);

const expectSound = (advice: Advice) => {
  if ('refusal' in advice) {
    expect(advice.refusal.length).toBeGreaterThan(10);
    return;
  }
  expect(advice.bands.length).toBeGreaterThan(0);
  for (const { limit, sustained, delay } of advice.bands) {
    expect(Number.isFinite(limit)).toBe(true);
    expect(Number.isFinite(sustained) && sustained >= 0).toBe(true);
    expect(delay).toBe(0);
  }
  const bands = advice.bands.map(({ band, limit }) => ({
    band,
    limit,
    delayMinutes: 0,
    sustainedMinutes: 0,
  }));
  expect(findLimitsFault({ isPercentage: false, bands })).toBeNull();
  expect(advice.reasoning.join(' ')).not.toMatch(/NaN|Infinity|undefined/);
};

/** What JSON cannot say. */
const findEndless = (value: unknown): unknown[] => {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [value];
  return typeof value === 'object' && value ? Object.values(value).flatMap(findEndless) : [];
};

describe('whatever the history', () => {
  test('advice is sound or refused, never thrown', { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(
        anyValues,
        anySteps,
        fc.double({ min: -1e15, max: 1e15, noNaN: true }),
        (value, step, start) => {
          const at = value.map((_, index) => start + index * step);
          const request = requestOf(at, value);
          expectSound(advise(request));
          expect(findEndless(summarize(request))).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('a broken sensor that sends the largest numbers there are is left out', () => {
    const values = Array.from({ length: 600 }, (_, index) => (index % 2 === 0 ? 1 : -1) * Number.MAX_VALUE);
    const at = values.map((_, index) => START + index * minutes(20));
    const request = requestOf(at, values);
    expectSound(advise(request));
    expect(findEndless(summarize(request))).toEqual([]);
  });

  test('spans to be ignored may be anything', () => {
    const span = fc.record({ from: finite, to: finite });
    const history = record(
      cooled({ seed: 1, degrees: 4, swing: 1 }),
      { from: START, to: START + days(5) },
      10,
    );
    fc.assert(
      fc.property(fc.array(span, { maxLength: 20 }), (ignored) => {
        expectSound(advise({ ...requestOf([], []), history, ignored }));
      }),
    );
  });
});

const units = fc.record({
  seed: fc.nat(),
  degrees: fc.double({ min: -80, max: 40, noNaN: true }),
  swing: fc.double({ min: 0.5, max: 4, noNaN: true }),
  door: fc.double({ min: 0, max: 6, noNaN: true }),
  defrosting: fc.constantFrom(0, 4),
});
const learn = (unit: Parameters<typeof cooled>[0]) =>
  record(cooled(unit), { from: START, to: START + days(8) }, 5);

describe('of a believable unit', () => {
  test('the limits do not depend on when it was', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: -1e12, max: 1e12 }), (unit, shift) => {
        const { at, value } = learn(unit);
        const [here, there] = [
          advise(requestOf([...at], [...value])),
          advise(
            requestOf(
              Array.from(at, (each) => each + shift),
              [...value],
            ),
          ),
        ];
        expect('bands' in here && here.bands).toEqual('bands' in there && there.bands);
      }),
      { numRuns: 30 },
    );
  });

  test('ten times the values give ten times the limits, but for a step', () => {
    fc.assert(
      fc.property(units, (unit) => {
        const { at, value } = learn(unit);
        const [one, ten] = [
          advise(requestOf([...at], [...value])),
          advise(
            requestOf(
              [...at],
              Array.from(value, (each) => each * 10),
            ),
          ),
        ];
        if ('refusal' in one || 'refusal' in ten) return expect('refusal' in one).toBe('refusal' in ten);
        const width = 2 * unit.swing;
        expect(ten.bands.map(({ band }) => band)).toEqual(one.bands.map(({ band }) => band));
        for (const [index, { limit }] of one.bands.entries())
          expect(Math.abs(Number(ten.bands[index]?.limit) / 10 - limit)).toBeLessThanOrEqual(width / 2);
      }),
      { numRuns: 30 },
    );
  });

  test('upside down, high and low change places', () => {
    fc.assert(
      fc.property(units, (unit) => {
        const { at, value } = learn(unit);
        const [up, down] = [
          advise({ ...requestOf([...at], [...value]), unit: '°C' }),
          advise({
            ...requestOf(
              [...at],
              Array.from(value, (each) => -each),
            ),
            unit: '°C',
          }),
        ];
        if ('refusal' in up || 'refusal' in down) return expect('refusal' in up).toBe('refusal' in down);
        const upsideDown = down.bands.map(({ band, limit, ...rest }) => ({
          ...rest,
          band: band.endsWith('HIGH') ? band.replace('HIGH', 'LOW') : band.replace('LOW', 'HIGH'),
          limit: -limit + 0,
        }));
        const inOrder = (bands: { band: string }[]) =>
          bands.toSorted((one, other) => one.band.localeCompare(other.band));
        expect(inOrder(upsideDown)).toEqual(inOrder(up.bands));
      }),
      { numRuns: 30 },
    );
  });
});
