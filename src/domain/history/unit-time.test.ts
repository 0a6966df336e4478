import fc from 'fast-check';
import { expect, test } from 'vitest';
import { everyPlace } from './past-episodes.ts';
import { addUp, type HeldChange, turnsOf } from './unit-time.ts';

const EDGES = [0, 100, 250, 300];

/** As the database counts them. */
function countedTurns(spans: readonly { since: number; until: number }[]): HeldChange[] {
  const places = EDGES.slice(0, -1).map((edge, place) => ({ place, edge, count: 0, ms: 0 }));
  const turn = (sign: number, at: number) => {
    const place = places.findLast(({ edge }) => edge <= at);
    if (!place || at >= 300) return;
    place.count += sign;
    place.ms += sign * (at - place.edge);
  };
  for (const { since, until } of spans) {
    turn(1, Math.max(0, since));
    turn(-1, until);
  }
  return places.filter(({ count, ms }) => count !== 0 || ms !== 0);
}

test('comes to the same as every span cut at every edge', () => {
  const span = fc
    .record({ since: fc.integer({ min: -200, max: 299 }), lasted: fc.integer({ min: 0, max: 600 }) })
    .map(({ since, lasted }) => ({ since, until: since + lasted }))
    .filter(({ until }) => until > 0);
  fc.assert(
    fc.property(fc.array(span), (spans) => {
      const cut = EDGES.slice(1).map((edge, place) =>
        spans.reduce(
          (sum, { since, until }) =>
            sum + Math.max(0, Math.min(until, edge) - Math.max(since, EDGES[place] as number)),
          0,
        ),
      );
      expect(
        addUp(
          EDGES.map((ms) => new Date(ms)),
          countedTurns(spans),
        ),
      ).toEqual(cut);
      const episodes = {
        count: spans.length,
        serviceIds: new Int32Array(spans.length),
        isCritical: new Uint8Array(spans.length),
        beganMs: Float64Array.from(spans, ({ since }) => since),
        lastedMs: Float64Array.from(spans, ({ since, until }) => (until > 500 ? Number.NaN : until - since)),
        waitedMs: new Float64Array(spans.length),
      };
      const edges = EDGES.map((ms) => new Date(ms));
      expect(addUp(edges, turnsOf(episodes, everyPlace(episodes), edges))).toEqual(cut);
    }),
  );
});

test('nothing is nothing', () => {
  expect(
    addUp(
      EDGES.map((ms) => new Date(ms)),
      [],
    ),
  ).toEqual([0, 0, 0]);
});
