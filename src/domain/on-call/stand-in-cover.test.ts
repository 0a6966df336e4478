import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coverBy, type StandIn } from './stand-in-cover.ts';

const instant = fc.nat(60).map((minute) => new Date(minute * 60_000));
const standIn = fc
  .record({
    startAt: instant,
    endAt: instant,
    accountId: fc.nat(5),
    id: fc.nat(),
    insteadOfId: fc.constant(null),
  })
  .filter(({ startAt, endAt }) => startAt < endAt);

test('of all that hold the newest counts, and the next edge is the nearest', () => {
  fc.assert(
    fc.property(fc.array(standIn, { maxLength: 30 }), instant, (standIns, at) => {
      const present = new Set([0, 1, 2, 3]);
      const cover = coverBy(standIns, present);
      expect(cover.find(at)).toBe(
        standIns.findLast((one) => one.startAt <= at && at < one.endAt && present.has(one.accountId)) ?? null,
      );
      const edges = standIns
        .flatMap(({ startAt, endAt }) => [startAt.getTime(), endAt.getTime()])
        .filter((edge) => edge > at.getTime());
      expect(cover.findEdge(at)).toBe(edges.length === 0 ? null : Math.min(...edges));
    }),
    { numRuns: 1_000 },
  );
});

test('very many that lie over each other are no more work than each by itself', () => {
  const standIns: StandIn[] = Array.from({ length: 50_000 }, (_, id) => ({
    id,
    startAt: new Date(id),
    endAt: new Date(1_000_000 - id),
    accountId: 1,
    insteadOfId: null,
  }));
  const cover = coverBy(standIns, new Set([1]));
  expect(cover.find(new Date(500_000))?.id).toBe(49_999);
  expect(cover.find(new Date(7))?.id).toBe(7);
  expect(cover.find(new Date(1_000_000))).toBe(null);
});
