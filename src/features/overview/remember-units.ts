// Units by place. A place with thousands of them takes a look at each: what was found there is good for a moment, so that many
// who look on, and every change elsewhere, do not ask for all of them again.
import type { ReadDatabase } from '../../platform/db/database.ts';
import { keepRecent } from '../../platform/keep-recent.ts';
import { type PlaceKey, type PlaceUnits, selectUnits } from './queries.ts';

export type ReadUnits = (places: readonly PlaceKey[], now: Date) => Promise<PlaceUnits[]>;

export const KEPT_MS = 10_000;
const LARGE = 1_000;
const MOST_KEPT = 200;

export const keyOf = ({ organizationId, locationId }: PlaceKey): string =>
  `${organizationId}-${locationId ?? 'none'}`;

export const countUnits = ({ counts }: Pick<PlaceUnits, 'counts'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

export const isLarge = (units: number): boolean => units > LARGE;

export function rememberUnits(db: ReadDatabase): ReadUnits {
  const recent = keepRecent<{ found: PlaceUnits; at: number }>(MOST_KEPT);
  return async (places, now) => {
    const known = places.flatMap((place) => {
      const one = recent.get(keyOf(place));
      return one && Math.abs(now.getTime() - one.at) < KEPT_MS ? one.found : [];
    });
    const names = new Set(known.map(keyOf));
    const asked = places.filter((place) => !names.has(keyOf(place)));
    const found = asked.length === 0 ? [] : await selectUnits(db, asked, now);
    for (const one of found)
      if (isLarge(countUnits(one))) recent.put(keyOf(one), { found: one, at: now.getTime() }, 1);
    return [...known, ...found];
  };
}
