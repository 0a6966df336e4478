// What stands where a wall looks. With thousands of units that takes a look at each: screens that ask at the same time share one, and
// what was found there is good for a moment.
import { findWantedLocations } from '../../engine/equipment/branches.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { selectWatched, type Wall, type WatchedService } from './queries.ts';

type Where = Pick<Wall, 'organizationId' | 'locationId' | 'branch'>;
export type ReadWatched = (where: Where, now: Date) => Promise<WatchedService[]>;

const KEPT_MS = 5_000;
const LARGE = 1_000;

export function shareLooks(db: ReadDatabase): ReadWatched {
  const looks = new Map<string, { found: Promise<WatchedService[]>; at: number }>();

  return (where, now) => {
    const name = JSON.stringify([where.organizationId, where.locationId, where.branch]);
    const known = looks.get(name);
    if (known && Math.abs(now.getTime() - known.at) < KEPT_MS) return known.found;
    const look = { found: readWatched(db, where, now), at: now.getTime() };
    looks.set(name, look);
    const drop = () => {
      if (looks.get(name) === look) looks.delete(name);
    };
    look.found.then((services) => {
      if (services.length > LARGE) setTimeout(drop, KEPT_MS).unref();
      else drop();
    }, drop);
    return look.found;
  };
}

async function readWatched(
  db: ReadDatabase,
  { organizationId, ...place }: Where,
  now: Date,
): Promise<WatchedService[]> {
  const locationIds = await findWantedLocations(db, [organizationId], place);
  return selectWatched(db, { organizationId, locationIds }, now);
}
