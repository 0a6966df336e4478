// Where units stand, and how many. With thousands of them that takes a look at each: it is good for a moment. Alarms are asked
// for every time.
import type { OrganizationId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { keepRecent } from '../../platform/keep-recent.ts';
import { type PlaceAlarms, type StandingPlace, selectAlarms, selectStanding } from './queries.ts';
import { isLarge, KEPT_MS, keyOf } from './remember-units.ts';

export interface ListedPlace extends StandingPlace {
  /** null: none. */
  alarms: PlaceAlarms | null;
}

/** Of each organization by name. */
export type ReadPlaces = (organizationIds: readonly OrganizationId[], now: Date) => Promise<ListedPlace[]>;

const MOST_KEPT = 50_000;

export function rememberPlaces(db: ReadDatabase): ReadPlaces {
  const recent = keepRecent<{ places: StandingPlace[]; at: number }>(MOST_KEPT);

  const readStanding = async (
    organizationIds: readonly OrganizationId[],
    now: Date,
  ): Promise<StandingPlace[]> => {
    const found = new Map<OrganizationId, StandingPlace[]>();
    for (const id of organizationIds) {
      const known = recent.get(String(id));
      if (known && Math.abs(now.getTime() - known.at) < KEPT_MS) found.set(id, known.places);
    }
    const asked = organizationIds.filter((id) => !found.has(id));
    for (const id of asked) found.set(id, []);
    const standing = asked.length === 0 ? [] : await selectStanding(db, asked);
    for (const place of standing) found.get(place.organizationId)?.push(place);
    for (const id of asked) {
      const places = found.get(id) ?? [];
      if (isLarge(places.reduce((sum, { units }) => sum + units, 0)))
        recent.put(String(id), { places, at: now.getTime() }, places.length);
    }
    return organizationIds.flatMap((id) => found.get(id) ?? []);
  };

  return async (organizationIds, now) => {
    const [standing, alarming] = await Promise.all([
      readStanding(organizationIds, now),
      selectAlarms(db, organizationIds, now),
    ]);
    const alarms = new Map(alarming.map((one) => [keyOf(one), one]));
    return standing.map((place) => ({ ...place, alarms: alarms.get(keyOf(place)) ?? null }));
  };
}
