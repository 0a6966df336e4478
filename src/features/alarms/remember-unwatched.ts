// How many services are not watched yet. It takes a look at all of them: beside alarms, which have a page to themselves and
// renew it with every change, the number may be a moment old.
import type { OrganizationId } from '../../domain/ids.ts';
import type { ReadDatabase } from '../../platform/db/database.ts';
import { keepRecent } from '../../platform/keep-recent.ts';
import { countUnwatched } from './page-queries.ts';

export type CountUnwatched = (
  organizationIds: readonly OrganizationId[],
  asked: { isBesideAlarms: boolean; now: Date },
) => Promise<number>;

const KEPT_MS = 10_000;
const MOST_KEPT = 1_000;

export function rememberUnwatched(db: ReadDatabase): CountUnwatched {
  const recent = keepRecent<{ count: number; at: number }>(MOST_KEPT);
  return async (organizationIds, { isBesideAlarms, now }) => {
    const name = [...organizationIds].sort((one, other) => one - other).join();
    const known = recent.get(name);
    if (isBesideAlarms && known && Math.abs(now.getTime() - known.at) < KEPT_MS) return known.count;
    const count = await countUnwatched(db, organizationIds, now);
    recent.put(name, { count, at: now.getTime() }, 1);
    return count;
  };
}
