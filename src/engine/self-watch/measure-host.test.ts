import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundDifference } from './measure-host.ts';

test.each([
  ['the database read its clock while we waited', 1000, 1400, 2000, 0],
  ['it was already later there than when we had the answer: we are behind', 1000, 5000, 2000, -3000],
  ['it was still earlier there than when we asked: we are ahead', 10_000, 5000, 11_000, 5000],
  ['our clock was set back in between: nobody knows', 2000, 1500, 1000, null],
])('%s', (_, askedAt, serverMs, answeredAt, least) => {
  expect(boundDifference(askedAt, serverMs, answeredAt)).toBe(least);
});

test('however long each way takes, it never says more than the true difference, nor the wrong way', () => {
  const ms = fc.integer({ min: 0, max: 60_000 });
  fc.assert(
    fc.property(ms, ms, fc.integer({ min: -100_000, max: 100_000 }), (there, back, ahead) => {
      const askedAt = 1_000_000;
      const said = boundDifference(askedAt, askedAt + there - ahead, askedAt + there + back) as number;
      expect(Math.abs(said)).toBeLessThanOrEqual(Math.abs(ahead));
      expect(said * ahead).toBeGreaterThanOrEqual(0);
    }),
  );
});
